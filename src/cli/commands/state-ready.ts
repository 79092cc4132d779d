import type { ReadyAnswer } from "../../flow/ready.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import type { Paint } from "../text/paint.ts";
import { timeLeft } from "../text/time-left.ts";

export const stateReady = defineCommand({
  name: "state ready",
  about: "What can be claimed, and what the other steps wait for",
  operands: [PLAN],
  options: {},
  examples: ["pawl state ready plan.md"],
  async run(context, _values, [plan = ""]) {
    const answer = await (await context.pawl()).ready({ plan });
    return { data: snakeCase(answer), text: (paint) => describe(answer, paint) };
  },
});

function describe(answer: ReadyAnswer, paint: Paint): string {
  const line = (step: { anchor: string; title: string }, more = "") =>
    `  ${paint.bold(step.anchor)}  ${paint.plain(step.title)}${more === "" ? "" : paint.dim(`  ${more}`)}`;
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ["Ready", answer.ready.map((step) => line(step))],
    ["Ready, owner gone", answer.expiredClaim.map((step) => line(step, `was ${step.heldBy ?? "somebody"}`))],
    [
      "Held",
      answer.held.map((step) => line(step, `by ${step.heldBy ?? "somebody"}, lease ${timeLeft(step.until)}`)),
    ],
    [
      "Waiting",
      answer.blocked.map((step) =>
        line(
          step,
          step.blockedBy.length > 0 ? `for ${step.blockedBy.join(", ")}` : (step.note ?? step.reason),
        ),
      ),
    ],
    ["Completed", answer.completed.map((step) => line(step))],
  ];
  const shown = groups.filter(([, lines]) => lines.length > 0);
  return shown
    .map(([name, lines]) => `${paint.cyan(name)} (${lines.length})\n${lines.join("\n")}`)
    .join("\n\n");
}
