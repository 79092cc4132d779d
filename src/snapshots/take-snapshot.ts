import type { Ports, Snapshot, Worktree } from "../platform/ports/index.ts";

export interface TakeSnapshotRequest {
  readonly worktree: Worktree;
  readonly reason?: string | undefined;
}

export interface TakeSnapshotAnswer {
  readonly taken: boolean;
  /** Null when there was nothing to keep: everything is committed. */
  readonly snapshot: Snapshot | null;
}

/** Keeps what is not committed in a worktree. Neither its files nor its index nor its stash are touched. */
export async function takeSnapshot(ports: Ports, request: TakeSnapshotRequest): Promise<TakeSnapshotAnswer> {
  const snapshot = await (await ports.snapshots()).take(request.worktree, request.reason ?? "asked for");
  return { taken: snapshot !== undefined, snapshot: snapshot ?? null };
}
