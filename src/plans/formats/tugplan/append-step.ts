import type { NewStep } from "../../../domain/index.ts";
import { linesOf } from "../markdown/document.ts";
import { insertSection, lastWords } from "../markdown/insert-lines.ts";
import { outlineSteps } from "./outline.ts";

/** A plan with one more step behind its last one, which gets the next number. */
export function appendStep(text: string, { title, text: words, tasks, after }: NewStep): string | undefined {
  const plan = linesOf(text);
  const { steps } = outlineSteps(plan);
  const [first] = steps;
  if (first === undefined) return undefined;
  const level = Math.min(...steps.map(({ heading }) => heading.level));
  const last = steps.findLast(({ heading }) => heading.level === level)!;
  const [, prefix = ""] = /^([A-Za-z]*)\d/.exec(last.number ?? "") ?? [];
  const numbers = steps.flatMap(({ number }) => {
    const [, letters, digits] = /^([A-Za-z]*)(\d+)/.exec(number ?? "") ?? [];
    return letters === prefix ? [Number(digits)] : [];
  });
  const taken = new Set(steps.map(({ heading }) => heading.anchor));
  let next = Math.max(0, ...numbers) + 1;
  while (taken.has(anchorOf(prefix, next))) next += 1;
  const end = Math.max(...steps.flatMap(({ index, parts }) => [index + 1, ...parts.map((part) => part.end)]));
  return insertSection(text, plan.lines, lastWords(plan.lines, last.index, end), [
    `${"#".repeat(level)} Step ${prefix}${next}: ${title} {#${anchorOf(prefix, next)}}`,
    ...(after.length === 0 ? [] : ["", `**Depends on:** ${after.map((anchor) => `#${anchor}`).join(", ")}`]),
    ...(words === "" ? [] : ["", ...words.split("\n")]),
    ...(tasks.length === 0 ? [] : ["", "**Tasks:**", "", ...tasks.map((task) => `- [ ] ${task}`)]),
  ]);
}

const anchorOf = (prefix: string, number: number): string => `step-${prefix.toLowerCase()}${number}`;
