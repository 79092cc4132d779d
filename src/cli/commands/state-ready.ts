import type { ReadyAnswer } from "../../claims/index.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { stoppedWords } from "../../sessions/index.ts";
import { holderText } from "../text/holder.ts";
import { displayWidth, truncate } from "../text/layout.ts";
import { nameColumn } from "../text/name-column.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { timeLeft } from "../text/time-left.ts";
import { reasonWords } from "../../domain/index.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateReadyCommand = defineCommand({
  name: "state ready",
  operands: [PLAN],
  options: {},
  examples: ["pawl state ready plan.md"],
  async run(context, _values, [plan = ""]) {
    const answer = await (await context.pawl()).ready({ plan });
    return { data: snakeCase(answer), text: (paint) => describe(answer, context.cwd, paint) };
  },
});

function describe(answer: ReadyAnswer, cwd: string, paint: Paint): string {
  const name = nameColumn(everyStep(answer));
  const line = ({ anchor, title }: { anchor: string; title: string }, more = "") =>
    stepLine({ name: name(anchor), title }, more, paint);
  const holder = (step: ReadyAnswer["expiredClaim"][number]) => holderText(step.heldBy, step.otherHost, cwd);
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ["Ready", answer.ready.map((step) => line(step))],
    ["Ready, owner gone", answer.expiredClaim.map((step) => line(step, `was ${holder(step)}`))],
    ["Held", answer.held.map((step) => line(step, `by ${holder(step)}, ${leaseText(step)}`))],
    [
      "Waiting",
      answer.blocked.map((step) =>
        line(
          step,
          step.blockedBy.length > 0
            ? `for ${step.blockedBy.join(", ")}`
            : (step.note ?? reasonWords(step.reason)),
        ),
      ),
    ],
    ["Optional", answer.optional.map((step) => line(step, "`pawl state retry` has it done"))],
    ["Completed", answer.completed.map((step) => line(step))],
  ];
  const shown = groups.filter(([, lines]) => lines.length > 0);
  return shown
    .map(([name, lines]) => `${paint.cyan(name)} (${lines.length})\n${lines.join("\n")}`)
    .join("\n\n");
}

const leaseText = ({ stopped, until }: ReadyAnswer["held"][number]): string =>
  stopped === null ? `lease ${timeLeft(until)}` : `which is ${stoppedWords(stopped)}`;

const everyStep = (answer: ReadyAnswer): readonly { readonly anchor: string }[] => [
  ...answer.ready,
  ...answer.expiredClaim,
  ...answer.held,
  ...answer.blocked,
  ...answer.optional,
  ...answer.completed,
];

/** One line where it fits; else the note stands below. */
function stepLine(step: { name: string; title: string }, note: string, paint: Paint): string {
  const { name } = step;
  const room = Math.max(paint.columns - displayWidth(name) - 4, 16);
  const title = truncate(step.title, room);
  const head = `  ${paint.bold(name)}  ${title}`;
  if (note === "") return head;
  if (displayWidth(title) + 2 + displayWidth(note) <= room) return `${head}${paint.dim(`  ${note}`)}`;
  return `${head}\n      ${paragraph(note, 6, paint.columns)}`;
}
