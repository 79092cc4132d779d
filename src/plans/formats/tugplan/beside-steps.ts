import type { LeftOut, Plan } from "../../../domain/index.ts";
import { checksIn, checkSections, leftOutside } from "../headed/check-sections.ts";
import { isTaskHeading } from "../headed/task-heading.ts";
import type { MarkdownDocument } from "../markdown/document.ts";
import type { Outline } from "./outline.ts";
import type { StepContent } from "./step-content.ts";

/** Of a plan that is too long to be carried out. */
const MOST_LEFT_OUT = 1000;

/**
 * Boxes and headings that are part of no step: the checks of the plan, and what is left out, with the reason. Of a plan that
 * is too long to be carried out only the first are named.
 */
export function besideSteps(
  document: MarkdownDocument,
  { steps, outside, unread }: Outline,
  contents: readonly StepContent[],
): Pick<Plan, "checks" | "leftOut"> {
  const isOutside = new Uint8Array(document.lines.length);
  for (const { start, end } of outside) isOutside.fill(1, start, end);
  // Marks per line, not sets of numbers: a hostile plan has hundreds of thousands of lines.
  const taken = new Uint8Array(document.lines.length);
  for (const { index } of steps) taken[index] = 1;
  for (const { items } of contents) for (const { line } of items) taken[line - 1] = 1;
  const checks = checkSections(document, (line) => isOutside[line] === 1)
    .flatMap((section) => checksIn(document, section))
    .filter(({ line }) => taken[line - 1] === 0);
  for (const { line } of checks) taken[line - 1] = 1;
  const why = new Map(unread.map((one) => [one.index, one.why]));
  const untracked = new Set(contents.flatMap((content) => content.untracked));
  const reason = (line: number, otherwise: string): string | undefined => {
    const unclear = why.get(line);
    if (unclear !== undefined) return `It is read as no step: ${unclear}.`;
    if (isOutside[line] === 1) return undefined;
    return untracked.has(line) ? "It stands under Artifacts or Rollback." : otherwise;
  };
  const isTooLong = document.isCut || document.cutAt !== undefined;
  const most = isTooLong ? MOST_LEFT_OUT : Infinity;
  const leftOut: LeftOut[] = [];
  const leave = (line: number, text: string, otherwise: string) => {
    taken[line] = 1;
    const because = reason(line, otherwise);
    leftOut.push(
      because === undefined ? leftOutside(line, text) : { ...leftOutside(line, text), why: because },
    );
  };
  for (const { line, text } of document.boxes)
    if (leftOut.length < most && taken[line] === 0)
      leave(line, text, "Markdown shows no box there, and this format wants one.");
  for (const { line, text } of document.headings)
    if (leftOut.length < most && taken[line] === 0 && isTaskHeading(text))
      leave(line, text, "It is part of the text of a step.");
  return { checks, leftOut: leftOut.toSorted((a, b) => a.line - b.line) };
}
