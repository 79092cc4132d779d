import type { RunSettings } from "../../agents/index.ts";
import { dollars, fromInstant, type UsageSums, usageView } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import {
  listRunSpans,
  listStepSpans,
  type SpanTimes,
  sumRunUsage,
  sumStepUsage,
} from "../../sessions/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { LimitReached } from "../finish/run-answer.ts";
import type { RunConfig } from "../prepare/run-config.ts";

/** What a run and each of its steps may use, and whether that is used up. */
export interface RunBudget {
  /** Asked before each command of an agent and before each claim: what has begun is never cut off. */
  readonly reached: (held: ClaimedStep | undefined) => Promise<LimitReached | undefined>;
}

export interface BudgetOf {
  readonly runId: string;
  readonly config: RunConfig;
  readonly settings: RunSettings;
  readonly warn: (text: string) => void;
}

/**
 * Compares what is on record with the limits.
 *
 * Everything is read from the database, so that a run that was killed and resumed has not more to spend than one that
 * was not. The time is that in which at least one of its commands was running, however many workers there are.
 */
export function runBudget(ports: Ports, { runId, config, settings, warn }: BudgetOf): RunBudget {
  const { limits } = settings;
  let isWarned = false;
  const most = { cost: config.maxCost ?? limits.cost, minutes: config.maxMinutes ?? limits.minutes };
  const warnOfUnpriced = (rows: readonly UsageSums[]) => {
    const tokens = usageView(rows)?.unpricedTokens ?? 0;
    if (isWarned || tokens === 0) return;
    isWarned = true;
    warn(
      `a cost limit is set, and ${tokens} tokens have no price: the agent reports none. Set \`price\` in [agents.X] of pawl.toml`,
    );
  };
  const spentTooMuch = (
    scope: LimitReached["scope"],
    rows: readonly UsageSums[],
    limit: number | undefined,
  ) => {
    if (limit === undefined) return undefined;
    warnOfUnpriced(rows);
    const used = usageView(rows)?.costUsd ?? 0;
    return used >= limit ? ({ scope, kind: "cost", limit, used } as const) : undefined;
  };
  const tookTooLong = (
    scope: LimitReached["scope"],
    spans: readonly SpanTimes[],
    limit: number | undefined,
  ) => {
    if (limit === undefined) return undefined;
    const used = busyMs(spans) / 60_000;
    return used >= limit ? ({ scope, kind: "minutes", limit, used } as const) : undefined;
  };
  return {
    async reached(held) {
      const all = [most.cost, most.minutes, limits.stepCost, limits.stepMinutes];
      if (all.every((limit) => limit === undefined)) return undefined;
      const step = held && { plan_path: held.plan, anchor: held.anchor };
      const database = await ports.database();
      const seen = await database.read(async (sql) => ({
        runUsage: await sql.all(sumRunUsage, { run_id: runId }),
        runSpans: await sql.all(listRunSpans, { run_id: runId, now: sql.now }),
        stepUsage: step ? await sql.all(sumStepUsage, step) : [],
        stepSpans: step ? await sql.all(listStepSpans, { ...step, now: sql.now }) : [],
      }));
      return (
        spentTooMuch("run", seen.runUsage, most.cost) ??
        tookTooLong("run", seen.runSpans, most.minutes) ??
        spentTooMuch("step", seen.stepUsage, limits.stepCost) ??
        tookTooLong("step", seen.stepSpans, limits.stepMinutes)
      );
    },
  };
}

/** How long at least one of them was running; parts that overlap count once. */
function busyMs(spans: readonly SpanTimes[]): number {
  const times = spans
    .map(({ started_at, ended_at }) => [fromInstant(started_at), fromInstant(ended_at)] as const)
    .toSorted(([a], [b]) => a - b);
  let sum = 0;
  let until = -Infinity;
  for (const [from, to] of times) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}

/** Why nothing more is begun, and what a person can do about it. */
export function limitWords({ scope, kind, limit, used }: LimitReached): string {
  const [has, may] =
    kind === "cost" ? [dollars(used), dollars(limit)] : [`${Math.floor(used)} min`, `${limit} min`];
  if (scope === "run") return `this run has used ${has} of ${may}; work that had begun was finished`;
  return `the step has used ${has} of ${may}; raise step_${kind} in [limits] of pawl.toml to continue`;
}

/** The option that continues with as much again; none where pawl.toml must say so. */
export function raisedOption({ scope, kind, limit, used }: LimitReached): string {
  if (scope === "step") return "";
  const next = Math.ceil((Math.max(used, limit) + limit) * 100) / 100;
  return kind === "cost" ? ` --max-cost ${next}` : ` --max-minutes ${Math.ceil(next)}`;
}
