import { type ProgressFacts, progressWords } from "../src/domain/progress-words.ts";
import type { PlanProgress } from "./types.ts";

/** `9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10`: of the plans that run, of all while none does. */
export function progressNow(plans: readonly PlanProgress[], nowMs: number): readonly string[] {
  const running = plans.filter(({ running_since }) => running_since !== null);
  return progressWords(together(running.length === 0 ? plans : running), nowMs);
}

function together(plans: readonly PlanProgress[]): ProgressFacts {
  const sum = (of: (plan: PlanProgress) => number): number =>
    plans.reduce((total, plan) => total + of(plan), 0);
  const left = plans.flatMap(({ remaining_ms }) => remaining_ms ?? []);
  return {
    stepsTotal: sum((plan) => plan.steps_total),
    stepsCompleted: sum((plan) => plan.steps_completed),
    stepsWorking: sum((plan) => plan.steps_working),
    stepsStopped: sum((plan) => plan.steps_stopped),
    stepsInterrupted: sum((plan) => plan.steps_interrupted),
    stepsBlocked: sum((plan) => plan.steps_blocked),
    runningSince: plans.flatMap(({ running_since }) => running_since ?? []).toSorted()[0] ?? null,
    // They run beside each other.
    remainingMs: left.length === 0 ? null : Math.max(...left),
    costUsd: plans.every(({ cost_usd }) => cost_usd === null) ? null : sum(({ cost_usd }) => cost_usd ?? 0),
  };
}
