import {
  addUsageViews,
  Failure,
  fromInstant,
  type Instant,
  shellWord,
  toInstant,
  type UsageView,
  usageView,
} from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import { countLanes, listPlanRows } from "../plans/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { loadDiagnosis, loadGc, mattersIn } from "../recovery/index.ts";
import { sumPlansUsageSince } from "../sessions/index.ts";
import { loadWorktreeList } from "../worktrees/index.ts";
import { countRetriesSince } from "./sql/count-retries-since.ts";
import { listCompletedSince } from "./sql/list-completed-since.ts";
import { listTimesSince } from "./sql/list-times-since.ts";
import { type StoppedStep, stoppedSteps } from "./stopped-steps.ts";

export interface ReportRequest {
  /** How far back the report goes; a day when left out. */
  readonly sinceMs?: number | undefined;
}

export interface ReportAnswer extends ReportSums {
  readonly since: Instant;
  readonly until: Instant;
  /** Every plan that has state; those with something to report first. */
  readonly plans: readonly PlanReport[];
  /** What waits for a person and is no blocked step, and the command that shows it. */
  readonly decisions: readonly { readonly found: string; readonly command: string }[];
  /** Why nothing is known of what waits for a person. */
  readonly undiagnosed: string | null;
  readonly disk: DiskReport;
}

/** What was done and what it took. */
export interface ReportSums {
  readonly stepsDone: number;
  readonly stepsBlocked: number;
  /** Attempts that were not the first of their step. */
  readonly retries: number;
  /** How long commands ran, all workers together. */
  readonly agentMs: number;
  readonly usage: UsageView | null;
}

export interface PlanReport extends ReportSums {
  readonly planPath: string;
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** Completed since then, oldest first. */
  readonly done: readonly DoneStep[];
  /** Blocked or on hold now, since whenever. */
  readonly blocked: readonly (StoppedStep & { readonly command: string })[];
}

export interface DoneStep {
  readonly anchor: string;
  readonly title: string;
  readonly commit: string | null;
  readonly completedAt: Instant;
  /** From its start to its completion; null where the start is not on record. */
  readonly durationMs: number | null;
}

export interface DiskReport {
  /** Worktrees that Pawl made, and what they take up. */
  readonly worktrees: number;
  readonly worktreeBytes: number;
  readonly logBytes: number;
  /** What `pawl gc` would free. */
  readonly freeableBytes: number;
}

const DAY_MS = 24 * 3600 * 1000;

/** What all plans did since some time ago, what stopped them, and what it took. Changes nothing. */
export async function report(ports: Ports, { sinceMs = DAY_MS }: ReportRequest): Promise<ReportAnswer> {
  const nowMs = ports.clock.wallMs();
  const since = toInstant(nowMs - sinceMs);
  const database = await openIfThere(ports);
  const stopped = await stoppedSteps(ports);
  const seen = (await database?.read((sql) => plansSince(sql, since, stopped))) ?? [];
  const plans = seen.toSorted((a, b) => Number(hasNews(b)) - Number(hasNews(a)));
  const sum = (field: "stepsDone" | "stepsBlocked" | "retries" | "agentMs") =>
    plans.reduce((total, plan) => total + plan[field], 0);
  return {
    since,
    until: toInstant(nowMs),
    stepsDone: sum("stepsDone"),
    stepsBlocked: sum("stepsBlocked"),
    retries: sum("retries"),
    agentMs: sum("agentMs"),
    usage: addUsageViews(plans.map(({ usage }) => usage)),
    plans,
    ...(await decisionsFor(ports)),
    disk: await diskOf(ports),
  };
}

export const hasNews = ({ stepsDone, stepsBlocked, agentMs }: PlanReport): boolean =>
  stepsDone + stepsBlocked + agentMs > 0;

async function plansSince(
  sql: Sql,
  since: Instant,
  stopped: readonly StoppedStep[],
): Promise<readonly PlanReport[]> {
  const [rows, lanes, completed, retries, times, usage] = [
    await sql.all(listPlanRows, {}),
    await sql.all(countLanes, {}),
    await sql.all(listCompletedSince, { since }),
    await sql.all(countRetriesSince, { since }),
    await sql.all(listTimesSince, { since }),
    await sql.all(sumPlansUsageSince, { since }),
  ];
  const sinceMs = fromInstant(since);
  return rows.map(({ plan_path: planPath }) => {
    const isOfPlan = (row: { readonly plan_path: string | null }) => row.plan_path === planPath;
    const counts = lanes.filter(isOfPlan);
    const count = (of: typeof counts) => of.reduce((total, { steps }) => total + steps, 0);
    const done = completed.filter(isOfPlan).map((row) => ({
      anchor: row.anchor,
      title: row.title,
      commit: row.commit_hash,
      completedAt: row.completed_at!,
      durationMs:
        row.started_at === null ? null : fromInstant(row.completed_at!) - fromInstant(row.started_at),
    }));
    const blocked = stopped
      .filter((step) => step.planPath === planPath)
      .map((step) => ({
        ...step,
        command: `pawl explain ${shellWord(planPath)} ${shellWord(step.anchor)}`,
      }));
    return {
      planPath,
      stepsTotal: count(counts),
      stepsCompleted: count(counts.filter(({ lane }) => lane === "done")),
      stepsDone: done.length,
      stepsBlocked: blocked.length,
      retries: retries.find(isOfPlan)?.retries ?? 0,
      agentMs: times
        .filter(isOfPlan)
        .reduce(
          (total, { started_at, ended_at }) =>
            total + fromInstant(ended_at) - Math.max(fromInstant(started_at), sinceMs),
          0,
        ),
      usage: usageView(usage.filter(isOfPlan)),
      done,
      blocked,
    };
  });
}

/** Blocked steps have their place under their plan. */
async function decisionsFor(ports: Ports): Promise<Pick<ReportAnswer, "decisions" | "undiagnosed">> {
  const { diagnosis } = await loadDiagnosis();
  try {
    const matters = mattersIn(await diagnosis(ports, {}));
    const decisions = matters.flatMap(({ found, findings: [one] }) =>
      one.weight === "decide" && one.kind !== "step" ? [{ found, command: "pawl recover" }] : [],
    );
    return { decisions, undiagnosed: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { decisions: [], undiagnosed: error.message };
  }
}

async function diskOf(ports: Ports): Promise<DiskReport> {
  const [{ listWorktrees }, { gc }, leftovers] = await Promise.all([
    loadWorktreeList(),
    loadGc(),
    ports.leftovers(),
  ]);
  const { worktrees } = await listWorktrees(ports, { size: true });
  const own = worktrees.filter(({ managed }) => managed);
  const { bytes } = await gc(ports, { dryRun: true });
  return {
    worktrees: own.length,
    worktreeBytes: own.reduce((total, { sizeBytes }) => total + (sizeBytes ?? 0), 0),
    logBytes: leftovers.logs().reduce((total, folder) => total + folder.bytes, 0),
    freeableBytes: bytes,
  };
}
