import type { Finding } from "../../rules/index.ts";
import { REPAIRS, type RepairName } from "../../rules/repairs.ts";
import type { FindingView } from "../../flow/recover/subject.ts";
import type { Context } from "../context.ts";
import { calm } from "./calm.ts";
import { displayWidth } from "./layout.ts";
import { paragraph } from "./paragraph.ts";

/** A question for the person at the terminal: what was found, and a line for each key. */
export const asking = ({
  ask,
  progress,
}: Pick<Context, "ask" | "progress">): ((finding: Finding) => Promise<string | undefined>) | undefined =>
  ask &&
  (({ found, choices = [] }) =>
    ask(
      [
        "",
        ...paragraph(calm(found, Date.now()), 0, progress.columns()).split("\n"),
        ...choices.map(({ do: name }) => `  ${REPAIRS[name].label}`),
      ],
      choices.map(({ key }) => key),
    ));

/** How a finding is answered without a terminal, under one of the names of what it is about. */
export function howToAnswer(
  { rule, choices }: FindingView,
  subject: string,
  columns: number,
): readonly string[] {
  const ways = choices.map(({ key, repair }) => ({
    label: REPAIRS[repair as RepairName].label,
    answer: `--answer ${rule}:${subject}=${key}`,
  }));
  const lines = ways.map(({ label, answer }) => `${label}: ${answer}`);
  // Where they do not fit, what people copy gets a line of its own.
  return lines.every((line) => displayWidth(line) <= columns)
    ? lines
    : ways.flatMap(({ label, answer }) => [label, `    ${answer}`]);
}
