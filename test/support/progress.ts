import { flatten, type Plan } from "../../src/domain/plan.ts";
import type { PlanProgress, StepState } from "../../src/plans/formats/plan-format.ts";

/** A step as the store has it right after it was read from its file. */
export const asRead = (status: StepState["status"] = "pending"): StepState => ({
  status,
  isUntouched: status !== "completed",
  isReopened: false,
  blockReason: null,
  blockNote: null,
  verificationAttempts: 0,
  verdicts: [],
  completedAt: null,
  commit: null,
  title: "a step",
  items: [],
});

export const NOW = "2026-05-04T10:00:00.000Z";

/** The store right after `state init`: what each file says, except that no worker is busy. */
export function progressOf(
  plan: Plan,
  changes: Readonly<Record<string, Partial<StepState>>> = {},
): PlanProgress {
  const steps = flatten(plan).map(({ step }): [string, StepState] => {
    const found = step.progress?.status ?? "pending";
    const status = found === "in_progress" ? "pending" : found === "failed" ? "blocked" : found;
    const state = {
      ...asRead(status),
      title: step.title,
      blockReason: step.progress?.reason ?? null,
      verificationAttempts: step.progress?.verificationAttempts ?? 0,
    };
    const change = changes[step.anchor];
    return [step.anchor, change ? { ...state, isUntouched: false, ...change } : state];
  });
  return { steps: new Map(steps), now: NOW };
}
