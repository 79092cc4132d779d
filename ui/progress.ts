import { isAtWork, type ProgressFacts, progressWords, reachableSteps } from "../src/domain/progress-words.ts";
import type { PlanProgress } from "./types.ts";

/** `9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10`: of the plans that run, of all while none does. */
export function progressNow(plans: readonly PlanProgress[], nowMs: number): readonly string[] {
  const running = plans.filter(({ running_since }) => running_since !== null);
  return progressWords(together((running.length === 0 ? plans : running).map(factsOf)), nowMs);
}

const factsOf = (plan: PlanProgress): ProgressFacts => ({
  stepsTotal: plan.steps_total,
  stepsCompleted: plan.steps_completed,
  stepsWorking: plan.steps_working,
  stepsStopped: plan.steps_stopped,
  stepsInterrupted: plan.steps_interrupted,
  stepsBlocked: plan.steps_blocked,
  stepsUnreachable: plan.steps_unreachable,
  runningSince: plan.running_since,
  remainingMs: plan.remaining_ms,
  costUsd: plan.cost_usd,
});

function together(plans: readonly ProgressFacts[]): ProgressFacts {
  const sum = (of: (plan: ProgressFacts) => number): number =>
    plans.reduce((total, plan) => total + of(plan), 0);
  const left = plans.flatMap(({ remainingMs }) => remainingMs ?? []);
  const isUnknown = plans.some(
    (plan) => plan.remainingMs === null && isAtWork(plan) && reachableSteps(plan) > 0,
  );
  return {
    stepsTotal: sum((plan) => plan.stepsTotal),
    stepsCompleted: sum((plan) => plan.stepsCompleted),
    stepsWorking: sum((plan) => plan.stepsWorking),
    stepsStopped: sum((plan) => plan.stepsStopped),
    stepsInterrupted: sum((plan) => plan.stepsInterrupted),
    stepsBlocked: sum((plan) => plan.stepsBlocked),
    stepsUnreachable: sum((plan) => plan.stepsUnreachable),
    runningSince: plans.flatMap(({ runningSince }) => runningSince ?? []).toSorted()[0] ?? null,
    // They run beside each other.
    remainingMs: isUnknown || left.length === 0 ? null : Math.max(...left),
    costUsd: plans.every(({ costUsd }) => costUsd === null) ? null : sum(({ costUsd }) => costUsd ?? 0),
  };
}
