import { Failure, fromInstant } from "../../domain/index.ts";
import { followShared, listWaitingToLand } from "../../commits/index.ts";
import { findStep, freeHeldStep, lockedStep } from "../../plans/index.ts";
import { journal } from "../../journal/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import type { Tally } from "../finish/run-answer.ts";
import { isKeptHere } from "../land/kept-work.ts";
import type { Worker } from "../work/worker.ts";

/** How long a run leaves a remote alone that did not answer: longer each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** A remote that verified steps wait for. */
export interface RemoteAway {
  readonly sinceMs: number;
  nextMs: number;
  pauseMs: number;
}

/** The verified steps that wait for the remote, in this clone or another one. */
async function waitingSteps({ ports, plan }: Worker): Promise<readonly string[]> {
  if (ports.settings.remote === undefined) return [];
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listWaitingToLand, { plan_path: plan! }));
  return rows.map(({ anchor }) => anchor);
}

/** A step of this clone that waited for the remote, now that the remote answers; undefined when there is none. */
export async function dueToLand(worker: Worker, tally: Tally): Promise<string | undefined> {
  const { ports, plan, integration } = worker;
  if (integration === undefined) return undefined;
  await noteArrived(worker, tally);
  const waiting = await mayLand(worker);
  if (waiting.length === 0) {
    tally.remoteAway = undefined;
    return undefined;
  }
  const nowMs = ports.clock.uptimeMs();
  const away = (tally.remoteAway ??= { sinceMs: nowMs, nextMs: nowMs, pauseMs: FIRST_PAUSE_MS });
  if (nowMs < away.nextMs) return undefined;
  // Set before the remote is asked: other workers of the run would ask it too.
  away.nextMs = nowMs + away.pauseMs;
  away.pauseMs = Math.min(away.pauseMs * 2, LONGEST_PAUSE_MS);
  try {
    // A push that was not answered may have arrived. Its step is completed here, and does not land a second time.
    await followShared(ports, { plan: plan!, branch: integration }, { isFetched: false });
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "remote/unreachable") throw error;
    return undefined;
  }
  away.nextMs = nowMs;
  away.pauseMs = FIRST_PAUSE_MS;
  await noteArrived(worker, tally);
  for (const anchor of await mayLand(worker))
    if (await isKeptHere(worker, { plan: plan!, anchor })) return anchor;
  return undefined;
}

/** Those of the waiting steps that this worker may land. */
const mayLand = async (worker: Worker): Promise<readonly string[]> =>
  (await waitingSteps(worker)).filter((anchor) => worker.only === undefined || anchor === worker.only);

/** Steps that waited and are completed by now: the remote had them after all. */
async function noteArrived({ ports, plan }: Worker, tally: Tally): Promise<void> {
  const waited = tally.blocked.filter(({ reason }) => reason === "waiting_to_land");
  if (waited.length === 0) return;
  const database = await ports.database();
  for (const { anchor, title } of waited) {
    const step = await database.read((sql) => sql.get(findStep, { plan_path: plan!, anchor }));
    if (step?.status !== "completed" || step.commit_hash === null) continue;
    const durationMs =
      step.started_at === null || step.completed_at === null
        ? 0
        : fromInstant(step.completed_at) - fromInstant(step.started_at);
    // Another worker may have noted it since.
    if (!forgetWaiting(tally, anchor)) continue;
    tally.completed.push({ anchor, title, commit: step.commit_hash, durationMs });
    tally.onLanded?.();
  }
}

/** In the transaction of the claim, so that no other machine takes the step in between: only this one has its work. */
export const retryWaiting =
  ({ plan, session }: Worker, anchor: string) =>
  async (sql: Sql): Promise<void> => {
    const step = await lockedStep(sql, plan!, anchor);
    if (step.status !== "blocked" || step.block_reason !== "waiting_to_land") return;
    await freeHeldStep(sql, step, "retried", { reason: null, note: null });
    await journal(sql, {
      event: "retried",
      plan: plan!,
      anchor,
      claim: step.claim_seq,
      worktree: session.worktree.path,
      session: session.id,
      detail: { was: step.status, reason: "the remote answers again" },
    });
  };

/** What landed after all no longer waits; false where it was not among what waits. */
export function forgetWaiting(tally: Tally, anchor: string): boolean {
  const at = tally.blocked.findIndex((one) => one.anchor === anchor && one.reason === "waiting_to_land");
  if (at !== -1) tally.blocked.splice(at, 1);
  return at !== -1;
}

/** The steps that a run with nothing else to do waits for, until it has waited long enough for the remote. */
export async function worthWaitingFor(worker: Worker, tally: Tally): Promise<readonly string[]> {
  const away = tally.remoteAway;
  const waitedMs = away === undefined ? 0 : worker.ports.clock.uptimeMs() - away.sinceMs;
  return waitedMs > worker.settings.landing.waitMs ? [] : waitingSteps(worker);
}
