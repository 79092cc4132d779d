import type { LeftOut, Plan, PlanStep } from "../../domain/index.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { formatNamed } from "./formats.ts";
import type { Heading } from "./markdown/heading.ts";
import { eachMark, linesOf } from "./markdown/document.ts";

/** What became of every box and every task heading of a file. */
export interface Account {
  readonly boxes: number;
  readonly headings: number;
  readonly steps: number;
  readonly items: number;
  readonly checks: number;
  readonly leftOut: readonly LeftOut[];
  /** Lines of which the reader says nothing. None, or the reader has a fault. */
  readonly unread: readonly number[];
  /** Lines that the reader took for two things. None, or the reader has a fault. */
  readonly twice: readonly number[];
}

/**
 * Compares a reading with the file: each box and each heading that names a task must be a step, an item, a check, or left out
 * with a reason. Formats of JSON have neither; their account is what their readers say. Of a plan that is too long to be
 * carried out only the beginning is read, so its account is not complete.
 */
export function accountOf(text: string, plan: Plan): Account {
  const leftOut = plan.leftOut ?? [];
  const checks = plan.checks ?? [];
  const isMarkdown = formatNamed(plan.format)?.isMarkdown === true;
  // A count per line, and nothing else: a hostile plan has hundreds of thousands of them.
  const uses = new Uint8Array((isMarkdown ? linesOf(text).lines.length : 0) + 1);
  const use = ({ line }: { readonly line: number }) => (uses[line] = Math.min(2, uses[line]! + 1));
  let [steps, items] = [0, 0];
  const count = (step: PlanStep) => {
    steps += 1;
    items += step.items.length;
    use(step);
    for (const item of step.items) use(item);
    for (const substep of step.substeps) count(substep);
  };
  for (const step of plan.steps) count(step);
  for (const check of checks) use(check);
  for (const one of leftOut) use(one);
  const [unread, twice]: [number[], number[]] = [[], []];
  let [boxes, headings] = [0, 0];
  const see = (index: number, heading: Heading | undefined, isBox: boolean) => {
    if (isBox) boxes += 1;
    else if (heading && isTaskHeading(heading.text)) headings += 1;
    else return;
    const used = uses[index + 1]!;
    if (used === 0) unread.push(index + 1);
    if (used > 1) twice.push(index + 1);
  };
  if (isMarkdown) eachMark(text, see);
  return {
    boxes,
    headings,
    steps,
    items,
    checks: checks.length,
    leftOut,
    unread,
    twice,
  };
}
