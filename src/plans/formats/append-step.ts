import type { NewStep, Plan, PlanStep } from "../../domain/index.ts";
import { chooseFormat } from "./formats.ts";
import type { PlanFormat } from "./plan-format.ts";
import { meaningOf } from "./step-text.ts";

/** A plan with one more step, or why it cannot have it. */
export type Appended =
  | { readonly text: string; readonly made: PlanStep }
  | { readonly why: "format" | "order" | "shape" | "words" };

/**
 * What a plan's file would be with one more step, checked: read again, it must have that step at its end, say the same
 * as before about all others, and be a plan of the same format.
 */
export function appendedPlan(format: PlanFormat, path: string, text: string, step: NewStep): Appended {
  if (!format.appendStep) return { why: "format" };
  const after = format.appendStep(text, step);
  if (after === undefined) return { why: step.after.length > 0 ? "order" : "shape" };
  const [before, grown] = [format.read(text), format.read(after)];
  const made = grown.steps.at(-1);
  const isWhole =
    made !== undefined &&
    isStep(made, step) &&
    meaningOf({ ...grown, steps: grown.steps.slice(0, -1) }) === meaningOf(before) &&
    checksOf(grown) === checksOf(before) &&
    !grown.diagnostics.some(({ severity }) => severity === "error") &&
    // Found by its content as before; boxes in a plan that had none could make it another one.
    chooseFormat(path, after).format === chooseFormat(path, text).format;
  return isWhole ? { text: after, made } : { why: "words" };
}

/** Whether a step of a plan is the one that a person wants to add. */
export const isStep = (made: PlanStep, { title, text, tasks, after }: NewStep): boolean =>
  made.title === title &&
  made.progress?.status !== "completed" &&
  text.split("\n").every((line) => made.body.includes(line.trim())) &&
  JSON.stringify(made.items.map((item) => item.text)) === JSON.stringify(tasks) &&
  after.every((anchor) => made.dependsOn.some((dependency) => dependency.anchor === anchor));

const checksOf = ({ checks = [] }: Plan): string => JSON.stringify(checks.map((check) => check.text));
