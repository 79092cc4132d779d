import { type ClaimedWorktree, entryName, Failure, type Instant, type LeaseClock } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { isStoppedRunner } from "./stopped-runner.ts";

export const leaseClockOf = (ports: Ports, sql: Sql): LeaseClock => leaseClockAt(ports, sql.now);

export const leaseClockAt = (ports: Ports, now: Instant): LeaseClock => ({
  hostId: ports.machine.hostId,
  bootId: ports.machine.bootId,
  uptimeMs: ports.clock.uptimeMs(),
  now,
  isStopped: (session) => isStoppedRunner(ports, session),
  isMissing: (worktree) => isMissing(ports, worktree),
});

const MOST_BYTES = 4096;

/** Whether there is nothing where a worktree was, and git's own entry does not say that it was moved. */
function isMissing({ files, repository }: Ports, worktree: ClaimedWorktree): boolean {
  const { claimed_by: path, worktree_id: id } = worktree;
  if (path === null) return false;
  try {
    repository.worktree(path);
    return false;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  if (files.exists(path)) return false;
  const entry = id === null ? undefined : entryName(id);
  if (entry === undefined) return true;
  try {
    const moved = files.readText(`${repository.commonDir}/worktrees/${entry}/gitdir`, MOST_BYTES)?.trim();
    return moved === undefined || !files.exists(moved);
  } catch (error) {
    if (error instanceof Failure) return true;
    throw error;
  }
}
