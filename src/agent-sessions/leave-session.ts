import type { Ports } from "../platform/ports/index.ts";
import type { InterruptionType, OpenSession } from "../sessions/index.ts";
import { whenInterrupted } from "../domain/index.ts";

/** A worker that waits for the step waits no longer than this for a snapshot; a large worktree takes its time afterwards. */
const PATIENCE_MS = 500;

/**
 * Ends the session of an agent that is gone: its step is free, and what it had not committed is kept.
 *
 * The files stay where they are, so a snapshot that fails or is late must not keep the end from being recorded.
 */
export async function leaveSession(
  ports: Ports,
  session: OpenSession,
  type: InterruptionType,
): Promise<void> {
  const because = whenInterrupted(session.id, type);
  const taking = ports
    .snapshots()
    .then((snapshots) => snapshots.take(session.worktree, because))
    .catch(() => undefined);
  const { sleep } = await ports.running();
  const wake = new AbortController();
  const early = await Promise.race([taking, sleep(PATIENCE_MS, wake.signal).then(() => "late" as const)]);
  wake.abort();
  if (early !== "late") return session.interrupt({ type, snapshotRef: early?.ref });
  await session.interrupt({ type });
  const late = await taking;
  if (late !== undefined) await session.noteSnapshot(late.ref);
  return undefined;
}
