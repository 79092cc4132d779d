import type { PlanGlance, Run } from "./types.ts";
import { dollars, duration, STOPPED_WORD } from "./words.ts";

/** How far the work is, in the words of one line. */
export interface ProgressFacts {
  readonly done: number;
  readonly total: number;
  readonly working: number;
  readonly blocked: number;
  /** Workers whose process a person stopped: they hold steps, and do nothing. */
  readonly stopped: number;
  readonly elapsedMs: number | undefined;
  readonly leftMs: number | undefined;
  readonly costUsd: number | undefined;
}

/** Of the plans that are worked on; of all of them while nothing runs. */
export function progressOf(plans: readonly PlanGlance[], runs: readonly Run[], now: number): ProgressFacts {
  const begun = runs.filter(({ status }) => status === "in_progress");
  const running = begun.filter((run) => stoppedWorkers(run) < Math.max(run.sessions.length, 1));
  const active = new Set(begun.map(({ plan_path }) => plan_path));
  const stopped = begun.reduce((count, run) => count + stoppedWorkers(run), 0);
  const counted = active.size === 0 ? plans : plans.filter(({ plan_path }) => active.has(plan_path));
  const sum = (of: (plan: PlanGlance) => number): number =>
    counted.reduce((total, plan) => total + of(plan), 0);
  const [done, total] = [sum((plan) => plan.steps_completed), sum((plan) => plan.steps_total)];
  const blocked = sum(({ lanes }) => lanes.stopped);
  const starts = running.map(({ started_at }) => Date.parse(started_at));
  const elapsedMs = starts.length === 0 ? undefined : Math.max(now - Math.min(...starts), 0);
  const finished = running.reduce((count, { steps_completed }) => count + steps_completed, 0);
  const costs = counted.flatMap(({ usage }) => usage?.cost_usd ?? []);
  return {
    done,
    total,
    working: Math.max(sum(({ lanes }) => lanes.working + lanes.verifying) - stopped, 0),
    blocked,
    stopped,
    elapsedMs,
    // As fast as so far; from the first step on that says something.
    leftMs:
      elapsedMs === undefined || finished === 0
        ? undefined
        : (elapsedMs / finished) * Math.max(total - done - blocked, 0),
    costUsd: costs.length === 0 ? undefined : costs.reduce((all, one) => all + one, 0),
  };
}

const stoppedWorkers = ({ sessions }: Run): number =>
  sessions.filter(({ stopped }) => stopped !== null).length;

/** `9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10` */
export const progressWords = (facts: ProgressFacts): readonly string[] => [
  `${facts.done.toLocaleString("en")}/${facts.total.toLocaleString("en")}`,
  ...(facts.working > 0 ? [`${facts.working} working`] : []),
  ...(facts.stopped > 0 ? [`${facts.stopped} ${STOPPED_WORD}`] : []),
  ...(facts.blocked > 0 ? [`${facts.blocked} blocked`] : []),
  ...(facts.elapsedMs === undefined ? [] : [duration(facts.elapsedMs)]),
  ...(facts.leftMs === undefined || facts.leftMs === 0 ? [] : [`about ${duration(facts.leftMs)} left`]),
  ...(facts.costUsd === undefined ? [] : [dollars(facts.costUsd)]),
];
