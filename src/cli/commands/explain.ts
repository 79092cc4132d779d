import { shortNames } from "../../domain/index.ts";
import type { Explanation } from "../../views/index.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { agentWordLines } from "../text/agent-words.ts";
import { truncate } from "../text/layout.ts";
import { forPeople } from "../text/for-people.ts";
import { localTime } from "../text/times.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { snakeCase } from "../../journal/index.ts";

export const explainCommand = defineCommand({
  name: "explain",
  operands: [PLAN, { name: "step", about: "The step; without it, every open one", required: false }],
  options: {},
  examples: ["pawl explain plan.md step-3", "pawl explain plan.md"],
  async run(context, _values, [plan = "", step]) {
    const answer = await (await context.pawl()).explain({ plan, step });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          ...(answer.fullCheck === null ? [] : [paragraph(answer.fullCheck, 0, paint.columns, paint.red)]),
          ...(answer.steps.length === 0
            ? [paint.green("All steps are completed.")]
            : answer.steps.map((one) => describe(one, paint, step !== undefined))),
        ].join("\n\n"),
    };
  },
});

/** What the failed check printed last, each line cut to the screen: it is to be recognised, and the log has the rest. */
function failureLines({ failure }: Explanation, paint: Paint): readonly string[] {
  if (failure === null || (failure.lines.length === 0 && failure.log === null)) return [];
  const silent = failure.lines.length === 0 ? " no output" : "";
  const together = failure.together ? ", together with what landed meanwhile" : "";
  return [
    `  ${paragraph(`${failure.checked}${together}, attempt ${failure.attempt}${exitText(failure.exitCode)}:${silent}`, 2, paint.columns)}`,
    ...failure.lines.map(
      (line) => `    ${paint.dim(truncate(`| ${line}`, Math.max(paint.columns - 4, 16)))}`,
    ),
    // Whole, however narrow the terminal is: it is copied.
    ...(failure.log === null ? [] : [`    ${paint.dim(`log ${failure.log}`)}`]),
  ];
}

const exitText = (exitCode: number | null): string => (exitCode === null ? "" : ` (exit ${exitCode})`);

/** Its agent's last message: where it ended with a question, that is what a person has to answer. */
function wordLines({ said, refused, failure }: Explanation, paint: Paint): readonly string[] {
  // An agent that failed said last what stands above as its output.
  const isAbove = failure !== null && said.every((line) => failure.lines.includes(line));
  const lines = (words: Parameters<typeof agentWordLines>[0]) =>
    agentWordLines(words, { paint, indent: 4, most: Infinity });
  return [
    ...(refused.length === 0 ? [] : ["  refused by its permissions:", ...lines({ refused })]),
    ...(said.length === 0 || isAbove ? [] : ["  its agent's last message:", ...lines({ said })]),
  ];
}

const titleRoom = ({ anchor, status }: Explanation, { columns }: Paint): number =>
  Math.max(columns - anchor.length - status.length - 4, 16);

/** A code of the store, in words. */
const spaced = (code: string): string => code.replaceAll(/[_-]/g, " ");

function describe(step: Explanation, paint: Paint, whole: boolean): string {
  const lines = [
    `${paint.bold(step.anchor)}  ${paint.plain(truncate(step.title, titleRoom(step, paint)))}  ${paint.cyan(spaced(step.status))}`,
    `  ${paragraph(forPeople(step.because, Date.now()), 2, paint.columns)}`,
    ...step.evidence.map(({ at, fact }) =>
      at === null
        ? `  ${paragraph(fact, 2, paint.columns)}`
        : `  ${paint.dim(localTime(at))}  ${paragraph(shortNames(fact), 4 + localTime(at).length, paint.columns)}`,
    ),
    ...failureLines(step, paint),
    ...wordLines(step, paint),
    ...step.findings
      .filter(({ found }) => !step.because.includes(found) && !step.next.includes(found))
      .map(({ found }) => `  ${paragraph(forPeople(found, Date.now()), 2, paint.columns)}`),
    `  next: ${paragraph(forPeople(step.next, Date.now()), 8, paint.columns)}`,
  ];
  if (whole) {
    if (step.options.length > 0)
      lines.push("  you can:", ...step.options.map((line) => `    ${paint.plain(line)}`));
    if (step.events.length > 0) {
      lines.push(
        "  journal:",
        ...step.events.map(
          (event) => `    ${paint.dim(localTime(event.at))}  ${paint.plain(spaced(event.event))}`,
        ),
      );
    }
  }
  return lines.join("\n");
}
