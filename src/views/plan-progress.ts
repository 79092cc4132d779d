import { fromInstant, type ProgressFacts } from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import { countLanes, listPlanRows } from "../plans/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { asEntered, heldBySession, loadSessionView } from "../sessions/index.ts";
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
    const stopped: StepRow[] = [];
    for (const session of running)
      if (session.stopped !== null) stopped.push(...(await heldBySession(sql, session.id)));
    const found: PlanProgressView[] = [];
    for (const { plan_path: planPath } of rows) {
      const of = (...lanes: readonly string[]) =>
        counts
          .filter((row) => row.plan_path === planPath && (lanes.length === 0 || lanes.includes(row.lane)))
          .reduce((sum, { steps }) => sum + steps, 0);
      const since = running
        .filter((session) => session.planPath === planPath)
        .map(({ startedAt }) => startedAt)
        .toSorted();
      const stepsStopped = stopped.filter(({ plan_path }) => plan_path === planPath).length;
      const [stepsTotal, stepsCompleted, stepsWorking, stepsBlocked] = [
        of(),
        of("done"),
        Math.max(of("working", "verifying") - stepsStopped, 0),
        counts.filter((row) => row.plan_path === planPath).reduce((sum, { blocked }) => sum + blocked, 0),
      ];
      const times =
        since.length === 0 ? [] : await sql.all(listStepTimes, { plan_path: planPath, most: MOST_TIMES });
      found.push({
        planPath,
        stepsTotal,
        stepsCompleted,
        stepsWorking,
        stepsStopped,
        stepsInterrupted: of("stopped") - stepsBlocked,
        stepsBlocked,
        runningSince: since[0] ?? null,
        remainingMs: remainingMs({
          durations: times.map((row) => fromInstant(row.completed_at) - fromInstant(row.started_at)),
          // What is stopped takes as long as a person leaves it so.
          open: stepsStopped > 0 && stepsWorking === 0 ? 0 : stepsTotal - stepsCompleted - stepsBlocked,
          workers: Math.max(stepsWorking, 1),
        }),
        costUsd: usage(planPath)?.costUsd ?? null,
      });
    }
    return found;
  });
}

/** With fewer, the first step alone would be the estimate of all. */
const LEAST_TIMES = 2;

/** The median of a step, for as many rounds as the workers need. An estimate: dependencies may make it longer. */
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
