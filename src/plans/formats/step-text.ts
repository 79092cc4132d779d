import { flatten, type Plan, type PlanStep } from "../../domain/index.ts";

/**
 * What a step says, in one canonical text: two readings of a step are the same when these are.
 *
 * Ticks, trailing blanks, the number of empty lines, the rule that parts it from the next step and the order of
 * dependencies are left out: a person who ticks a box or runs a formatter has not changed what is to be done. Where
 * the step stands is left out, too.
 */
export function contentOf(step: PlanStep): string {
  return JSON.stringify([
    step.markedTitle ?? step.title,
    needsOf(step)
      .filter(({ implied }) => implied !== true)
      .map(({ anchor }) => anchor)
      .toSorted(),
    step.items.map(({ kind, text }) => [kind, text]),
    canonicalBody(step.meaning ?? step.body),
  ]);
}

/** A cycle counts for what a step says, whether it is done or not. */
const needsOf = ({ dependsOn, settled = [] }: PlanStep) => [...dependsOn, ...settled];

/**
 * What a step is known by when a plan is read again, and what a commit of it vouches for: what it says, and the section
 * where that is part of its name. "Write the tests" is other work under another heading.
 */
export const identityOf = (step: PlanStep): string =>
  step.section ? JSON.stringify([step.section, contentOf(step)]) : contentOf(step);

/** What a whole plan says, in one text: its steps in their order, each with what it says. No progress, no places. */
export const meaningOf = (plan: Plan): string => meaningBy(plan, identityOf);

/** The same as it was before sections counted, for plans that were saved then. */
export const meaningWithoutSections = (plan: Plan): string => meaningBy(plan, contentOf);

const meaningBy = (plan: Plan, textOf: (step: PlanStep) => string): string =>
  JSON.stringify([
    plan.format,
    flatten(plan).map(({ step, parent }) => [
      step.anchor,
      parent ?? null,
      textOf(step),
      step.order ??
        needsOf(step)
          .map(({ anchor }) => anchor)
          .toSorted(),
    ]),
  ]);

function canonicalBody(body: string): string {
  const lines: string[] = [];
  const hasTicks = TICKED.test(body);
  for (const line of body.split("\n")) {
    const said = hasTicks ? line.trimEnd().replace(TICK, "$1 ") : line.trimEnd();
    if (said !== "" || (lines.length > 0 && lines.at(-1) !== "")) lines.push(said);
  }
  while (lines.at(-1) === "" || (RULE.test(lines.at(-1) ?? "") && (lines.at(-2) ?? "") === "")) lines.pop();
  return lines.join("\n");
}

/** A line across the page: it stands between two steps and says nothing, so the last step has none. */
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Whether there can be one: most bodies have none, and are read line by line. */
const TICKED = /\[[xX~-]\]/;

/** What stands in a box, at the start of a list item of any kind. */
const TICK = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?\[)[xX~-](?=\](?![([:]))/;
