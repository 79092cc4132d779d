import { Failure, shellWord } from "../domain/index.ts";
import type { Ports, Snapshot } from "../platform/ports/index.ts";
import { noteIfPossible } from "../journal/index.ts";

export interface RestoreSnapshotRequest {
  readonly name: string;
  /** A folder that does not exist yet; without it the state goes back into the worktree. */
  readonly to?: string | undefined;
  /** Path of the worktree; the one the snapshot was taken in unless said otherwise. */
  readonly worktree?: string | undefined;
  /** Leaves the index and what git is in the middle of alone. */
  readonly filesOnly?: boolean | undefined;
}

export interface RestoreSnapshotAnswer {
  readonly restored: boolean;
  readonly snapshot: Snapshot;
  /** Where the files are now. */
  readonly path: string;
  /** What was in the worktree before, if any of it was not committed. */
  readonly before: Snapshot | null;
}

/** Brings back what a snapshot holds. In a worktree, what is there now is kept first. */
export async function restoreSnapshot(
  ports: Ports,
  request: RestoreSnapshotRequest,
): Promise<RestoreSnapshotAnswer> {
  const snapshots = await ports.snapshots();
  const snapshot = await snapshots.find(request.name);
  if (request.to !== undefined) {
    await snapshots.restoreTo(snapshot, request.to);
    return { restored: true, snapshot, path: request.to, before: null };
  }
  const worktree =
    request.worktree === undefined
      ? ownWorktree(ports, snapshot)
      : ports.repository.worktree(request.worktree);
  const before = await snapshots.restore(snapshot, worktree, { filesOnly: request.filesOnly ?? false });
  await noteIfPossible(ports, {
    event: "snapshot-restored",
    worktree: worktree.path,
    detail: { ref: snapshot.ref, commit: snapshot.commit, before: before?.ref ?? null },
  });
  return { restored: true, snapshot, path: worktree.path, before: before ?? null };
}

/** Most snapshots are wanted when their worktree is gone, and then it is a folder that must be named. */
function ownWorktree(
  { repository }: Ports,
  { ref, worktree }: Snapshot,
): ReturnType<typeof repository.worktree> {
  try {
    return repository.worktree(worktree);
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.problem !== "worktree/not-found") throw cause;
    const hint = `Name a new folder for the files: \`pawl snapshot restore ${shellWord(ref)} --to <folder>\`, or another worktree with --worktree.`;
    throw new Failure(cause.problem, cause.message, cause.details, { cause, hint });
  }
}
