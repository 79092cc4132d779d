import type { LineRange } from "../markdown/line-range.ts";
import { headingAt, type Heading } from "../markdown/heading.ts";
import { MAX_STEPS } from "../plan-words.ts";
import { stepHeadingOf } from "./step-heading.ts";
import type { PlanLines } from "../markdown/visible-lines.ts";

export interface OutlinedStep {
  readonly number: string | undefined;
  readonly title: string;
  readonly summary: boolean;
  readonly heading: Heading;
  readonly index: number;
  /** The lines that belong to this step and to no other, in file order. */
  readonly parts: readonly LineRange[];
}

export interface Outline {
  readonly steps: readonly OutlinedStep[];
  /** What belongs to no step: introduction, exit criteria, roadmap. */
  readonly outside: readonly LineRange[];
  readonly unread: readonly { readonly index: number; readonly heading: Heading; readonly why: string }[];
  /** Where the step stands that is one too many. */
  readonly excess: number | undefined;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/**
 * Finds the steps and which lines are whose.
 *
 * A step ends at the next heading of its level or above. A deeper heading that is no step stays inside it, also when a
 * substep lies in between: that heading ends the substep only.
 */
export function outlineSteps(plan: PlanLines): Outline {
  const found: Growing<Outline> = { steps: [], outside: [], unread: [], excess: undefined };
  const open: Growing<OutlinedStep>[] = [];
  let start = 0;
  const closeStretch = (end: number) => {
    if (end > start) addStretch(open.at(-1)?.parts ?? found.outside, { start, end });
    start = end;
  };
  for (let index = 0; index < plan.lines.length; index += 1) {
    const heading = plan.hidden[index] === 1 ? undefined : headingAt(plan.lines[index]!);
    if (!heading) continue;
    closeStretch(index);
    while (open.length > 0 && open.at(-1)!.heading.level >= heading.level) open.pop();
    const step = readStep(heading, index, found);
    if (step) {
      found.steps.push(step);
      open.push(step);
      start = index + 1;
    }
  }
  closeStretch(plan.lines.length);
  return found;
}

function readStep(
  heading: Heading,
  index: number,
  found: Growing<Outline>,
): Growing<OutlinedStep> | undefined {
  const read = stepHeadingOf(heading.text, heading.anchor !== undefined);
  if (!read) return undefined;
  const why = read.kind === "unclear" ? read.why : wrongLevel(heading.level);
  if (read.kind === "unclear" || why !== undefined) {
    found.unread.push({ index, heading, why: why ?? "" });
    return undefined;
  }
  if (found.steps.length === MAX_STEPS) {
    found.excess ??= index;
    return undefined;
  }
  return { number: read.number, title: read.title, summary: read.summary, heading, index, parts: [] };
}

const wrongLevel = (level: number): string | undefined =>
  level < 3 || level > 5 ? `its heading has level ${level}` : undefined;

/** Neighbouring stretches become one, so that a body has no seams. */
function addStretch(stretches: LineRange[], next: LineRange): void {
  const last = stretches.at(-1);
  if (last?.end === next.start) stretches[stretches.length - 1] = { start: last.start, end: next.end };
  else stretches.push(next);
}
