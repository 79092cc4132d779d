import { isHeld, whenStopped } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import {
  endSession,
  enter,
  findSession,
  isStoppedRunner,
  noteSnapshot,
  stopLeftOvers,
} from "../sessions/index.ts";
import { fenceStep } from "./sql/fence-step.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { journal } from "../journal/index.ts";
import { lockedStep, savedStep } from "../plans/index.ts";
import { refuseStale, type ExpectedStep } from "./refuse-stale.ts";

/** What became of a stopped runner whose step a person took. */
export interface TakenOver {
  readonly sessionId: string;
  readonly pid: number;
  /** Its uncommitted work; null where there was none. */
  readonly snapshotRef: string | null;
}

/**
 * For a person who takes a step from its owner: an owner that is dead has no supervisor left that would stop its agent, and one
 * that is stopped does not hear that it lost the step.
 *
 * A living one stops its own as soon as it hears that the number rose.
 */
export async function stopOwner(
  ports: Ports,
  step: { readonly plan: string; readonly anchor: string; readonly seen?: ExpectedStep | undefined },
): Promise<TakenOver | undefined> {
  await enter(ports, { stop: [{ plan: step.plan, anchor: step.anchor }] });
  return takeFromStopped(ports, step);
}

/**
 * Takes a step from a runner that is stopped: fence, stop, save. The caller hands it over.
 *
 * A living runner stops its agent itself when it hears that the number rose. A stopped one hears nothing, and its agent,
 * which Ctrl-Z does not reach, may go on writing. Its session ends with the fence, so that it claims nothing when it is
 * continued. A crash after the fence leaves a step whose owner is gone, which the next claim takes over.
 */
async function takeFromStopped(
  ports: Ports,
  {
    plan,
    anchor,
    seen,
  }: { readonly plan: string; readonly anchor: string; readonly seen?: ExpectedStep | undefined },
): Promise<TakenOver | undefined> {
  const database = await ports.database();
  const stoppedHolder = async (sql: Sql, step: StepRow) => {
    if (!isHeld(step.status) || step.session_id === null) return undefined;
    const holder = await sql.get(findSession, { id: step.session_id });
    return holder && isStoppedRunner(ports, holder) ? holder : undefined;
  };
  // Nearly always there is none, and the look costs no transaction.
  if (!(await database.read(async (sql) => stoppedHolder(sql, await savedStep(sql, plan, anchor)))))
    return undefined;
  const session = await database.write(async (sql) => {
    const step = await lockedStep(sql, plan, anchor);
    const holder = await stoppedHolder(sql, step);
    if (holder === undefined) return undefined;
    refuseStale(step, seen);
    const claim = { plan_path: plan, anchor: step.anchor, session_id: holder.id, claim: step.claim_seq };
    if ((await sql.run(fenceStep, claim)) === 0) return undefined;
    await end(sql, step, holder);
    return holder;
  });
  if (session === undefined) return undefined;
  await stopLeftOvers(ports, { session: session.id });
  const snapshotRef = await save(ports, session);
  return { sessionId: session.id, pid: session.pid, snapshotRef };
}

async function end(sql: Sql, { plan_path, anchor, claim_seq }: StepRow, session: SessionRow): Promise<void> {
  const { id, pid, process_started_at, boot_id, worktree } = session;
  const self = { id, pid, process_started_at, boot_id };
  await sql.run(endSession, {
    ...self,
    status: "abandoned",
    interrupted_at: null,
    interruption_type: null,
    now: sql.now,
  });
  const about = { plan: plan_path, worktree, session: id };
  await journal(sql, { event: "fenced", ...about, anchor, claim: claim_seq, detail: { pid, stopped: true } });
  await journal(sql, { event: "session-abandoned", ...about });
}

async function save(ports: Ports, { id, worktree, pid, process_started_at, boot_id }: SessionRow) {
  const because = whenStopped(id);
  const place = ports.repository.worktree(worktree);
  const ref = (await (await ports.snapshots()).take(place, because))?.ref;
  if (ref === undefined) return null;
  const database = await ports.database();
  await database.write((sql) =>
    sql.run(noteSnapshot, { id, pid, process_started_at, boot_id, snapshot_ref: ref }),
  );
  return ref;
}
