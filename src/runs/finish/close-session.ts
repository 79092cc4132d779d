import { resumeCommandLine, sessionName, whenInterrupted } from "../../domain/index.ts";
import type { StopSignal } from "../../platform/ports/index.ts";
import { findSession, type InterruptionType } from "../../sessions/index.ts";
import type { Worker } from "../work/worker.ts";
import { isAfterAll, type LoopEnd } from "./run-answer.ts";

const TYPES: Readonly<Record<StopSignal, InterruptionType>> = {
  SIGINT: "user_interrupt",
  SIGTERM: "termination",
  SIGHUP: "hangup",
};

const typeOf = ({ interruption }: Worker): InterruptionType => TYPES[interruption.signal() ?? "SIGTERM"];

/** A worker that was stopped may wake in a session that is over: what it would claim from there belongs to no session. */
export async function takenOver({ ports, session: { id } }: Worker): Promise<LoopEnd | undefined> {
  const database = await ports.database();
  const row = await database.read((sql) => sql.get(findSession, { id }));
  if (row === undefined || row.status === "in_progress") return undefined;
  const because = `session ${sessionName(id)} is ${row.status}: its step was taken over while this process did nothing. Nothing was written since`;
  return { kind: "taken-over", because };
}

/** What is interrupted in a session that is over cannot be resumed. */
export const orTakenOver = async (worker: Worker, end: LoopEnd): Promise<LoopEnd> =>
  end.kind === "interrupted" ? ((await takenOver(worker)) ?? end) : end;

/** Ends a worker's session as its work ended. */
export async function closeSession(worker: Worker, end: LoopEnd): Promise<void> {
  if (end.kind === "interrupted" && !isAfterAll(end)) return interrupt(worker, typeOf(worker));
  if (end.kind === "paused") return interrupt(worker, "usage_limit", end.until);
  if (end.kind === "halted") return interrupt(worker, "unknown");
  // The session of one that was taken over from is over, and this changes nothing.
  const isFailed = end.kind === "stuck" || end.kind === "taken-over" || end.kind === "full-failed";
  await worker.session.end(isFailed ? "failed" : "completed");
}

/** Ends the session of a worker that an error ended. What was refused before anything was begun cannot be resumed. */
export const closeBroken = (worker: Worker): Promise<void> =>
  (worker.hasBegun() ? interrupt(worker, "unknown") : worker.session.end("failed")).catch(() => undefined);

/** A person who does not wait has interrupted all the same: without this the next command would report a crash. */
export async function recordLeaving(workers: readonly Worker[]): Promise<void> {
  const [{ report, session }] = workers as readonly [Worker, ...Worker[]];
  await Promise.all(workers.map((worker) => worker.session.interrupt({ type: typeOf(worker) })));
  report({
    event: "note",
    text: `left without waiting; the next command ends what still runs. Resume with: ${resumeCommandLine(session.id)}`,
  });
}

/** Whatever is not committed is kept, then everything that is to be known is one transaction. */
async function interrupt(
  { ports, session, report }: Worker,
  type: InterruptionType,
  pausedUntil?: string,
): Promise<void> {
  const because = whenInterrupted(session.id, type);
  // The files stay where they are; a snapshot that fails must not keep the interruption from being recorded.
  const snapshot = await ports
    .snapshots()
    .then((snapshots) => snapshots.take(session.worktree, because))
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      report({ event: "note", text: `no snapshot could be taken of ${session.worktree.path}: ${why}` });
    });
  await session.interrupt({ type, snapshotRef: snapshot?.ref, pausedUntil });
}
