import { fromInstant, isAtWork, type Lane, type ProgressFacts, reachableSteps } from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import { countLanes, listPlanRows, listUnreachableSteps } from "../plans/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { asEntered, heldBySession, loadSessionView, type SessionView } from "../sessions/index.ts";
import { plansUsage } from "./plans-usage.ts";
import { listStepTimes } from "./sql/list-step-times.ts";

/** How far a plan is, and what the work on it that runs now has taken and will take. */
export interface PlanProgressView extends ProgressFacts {
  readonly planPath: string;
}

export interface ProgressRequest {
  /** Only this plan, by its key; all when left out. */
  readonly plan?: string | undefined;
}

/** So many of the last steps say how long one takes. */
const MOST_TIMES = 50;

/** How far each plan is. */
export async function planProgress(
  ports: Ports,
  { plan }: ProgressRequest,
): Promise<readonly PlanProgressView[]> {
  const database = await openIfThere(asEntered(ports));
  if (database === undefined) return [];
  const { listSessionViews } = await loadSessionView();
  const running = await listSessionViews(ports, { status: "in_progress", most: 1000 });
  return database.read(async (sql) => {
    const rows = (await sql.all(listPlanRows, {})).filter(
      ({ plan_path }) => plan === undefined || plan === plan_path,
    );
    const counts = await sql.all(countLanes, {});
    const usage = await plansUsage(sql);
    const found: PlanProgressView[] = [];
    for (const { plan_path: planPath } of rows) {
      const counted = await countedSteps(sql, {
        planPath,
        lanes: counts.filter((row) => row.plan_path === planPath),
        sessions: running.filter((session) => session.planPath === planPath),
      });
      found.push({
        planPath,
        ...counted,
        remainingMs: await remainingOf(sql, planPath, counted),
        costUsd: usage(planPath)?.costUsd ?? null,
      });
    }
    return found;
  });
}

type Counted = Omit<ProgressFacts, "remainingMs" | "costUsd">;

interface PlanNow {
  readonly planPath: string;
  readonly lanes: readonly { readonly lane: Lane; readonly steps: number; readonly blocked: number }[];
  /** Those that work on it. */
  readonly sessions: readonly Pick<SessionView, "id" | "startedAt" | "stopped">[];
}

async function countedSteps(sql: Sql, { planPath, lanes, sessions }: PlanNow): Promise<Counted> {
  const of = (...wanted: readonly Lane[]) =>
    lanes.filter(({ lane }) => wanted.includes(lane)).reduce((sum, { steps }) => sum + steps, 0);
  const stopped = sessions.filter((session) => session.stopped !== null);
  const held = await Promise.all(stopped.map(({ id }) => heldBySession(sql, id)));
  const stepsStopped = held.flat().filter(({ plan_path }) => plan_path === planPath).length;
  const stepsBlocked = lanes.reduce((sum, { blocked }) => sum + blocked, 0);
  const isClear = sessions.length === 0 || of("waiting") === 0;
  return {
    stepsTotal: lanes.reduce((sum, { steps }) => sum + steps, 0),
    stepsCompleted: of("done"),
    stepsWorking: Math.max(of("working", "verifying") - stepsStopped, 0),
    stepsStopped,
    stepsInterrupted: of("stopped") - stepsBlocked,
    stepsBlocked,
    stepsUnreachable: isClear ? 0 : await unreachable(sql, planPath, stopped),
    runningSince: sessions.map(({ startedAt }) => startedAt).toSorted()[0] ?? null,
  };
}

async function remainingOf(sql: Sql, plan_path: string, counted: Counted): Promise<number | null> {
  if (!isAtWork(counted)) return null;
  const times = await sql.all(listStepTimes, { plan_path, most: MOST_TIMES });
  return remainingMs({
    durations: times.map((row) => fromInstant(row.completed_at) - fromInstant(row.started_at)),
    open: reachableSteps(counted),
    workers: Math.max(counted.stepsWorking, 1),
  });
}

/** How many pending steps wait for one that is blocked, on hold, interrupted, or of a session that is stopped. */
async function unreachable(
  sql: Sql,
  plan_path: string,
  stopped: readonly { readonly id: string }[],
): Promise<number> {
  const anchors = new Set<string>();
  for (const session of stopped.length === 0 ? [""] : stopped.map(({ id }) => id))
    for (const { anchor } of await sql.all(listUnreachableSteps, { plan_path, session })) anchors.add(anchor);
  return anchors.size;
}

/** With fewer, the first step alone would be the estimate of all. */
const LEAST_TIMES = 2;

/**
 * The median of a step, for as many rounds as the workers need for the `open` ones, which no person has to free first.
 * An estimate: dependencies may make it longer.
 */
export function remainingMs({
  durations,
  open,
  workers,
}: {
  readonly durations: readonly number[];
  readonly open: number;
  readonly workers: number;
}): number | null {
  if (durations.length < LEAST_TIMES || open <= 0) return null;
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]! * Math.ceil(open / workers);
}
