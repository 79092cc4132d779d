import type { Ask, FindingView } from "../../recovery/index.ts";
import { REPAIRS } from "../../recovery/rules/index.ts";
import type { Context } from "../context.ts";
import { forPeople } from "./for-people.ts";
import { displayWidth } from "./layout.ts";
import { paragraph } from "./paragraph.ts";

/** A question for the person at the terminal: what was found, and a line for each key. */
export const asking = ({ ask, progress }: Pick<Context, "ask" | "progress">): Ask | undefined =>
  ask &&
  (({ found, choices = [] }, others) =>
    ask(
      [
        "",
        ...[found, ...others.map((one) => one.found)].flatMap((text) =>
          paragraph(forPeople(text, Date.now()), 0, progress.columns()).split("\n"),
        ),
        ...(others.length > 0 ? [forAll(others.length + 1)] : []),
        ...choices.map(({ do: name }) => `  ${REPAIRS[name].label}`),
      ],
      choices.map(({ key }) => key),
    ));

/** Said where one answer is for several. */
export const forAll = (count: number): string => `One answer for all ${count} workers of this run.`;

/** How a finding is answered without a terminal, under one of the names of what it is about. */
export function howToAnswer(
  { rule, choices }: FindingView,
  subject: string,
  columns: number,
): readonly string[] {
  const ways = choices.map(({ key, repair }) => ({
    label: REPAIRS[repair].label,
    answer: `--answer ${rule}:${subject}=${key}`,
  }));
  const lines = ways.map(({ label, answer }) => `${label}: ${answer}`);
  // Where they do not fit, what people copy gets a line of its own.
  return lines.every((line) => displayWidth(line) <= columns)
    ? lines
    : ways.flatMap(({ label, answer }) => [label, `    ${answer}`]);
}
