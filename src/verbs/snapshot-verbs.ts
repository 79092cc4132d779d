import type { DropSnapshotAnswer, DropSnapshotRequest } from "../snapshots/drop-snapshot.ts";
import type { RestoreSnapshotAnswer, RestoreSnapshotRequest } from "../snapshots/restore-snapshot.ts";
import type { SnapshotView } from "../snapshots/show-snapshot.ts";
import type { TakeSnapshotAnswer } from "../snapshots/take-snapshot.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { Snapshot } from "../platform/ports/snapshots.ts";

/** The verbs that keep work which is not committed, and bring it back. */
export interface SnapshotVerbs {
  /** Keeps what is not committed in a worktree; the caller's own unless said otherwise. */
  takeSnapshot(request?: {
    readonly worktree?: string | undefined;
    readonly reason?: string | undefined;
  }): Promise<TakeSnapshotAnswer>;
  listSnapshots(request?: { readonly worktree?: string | undefined }): Promise<readonly Snapshot[]>;
  showSnapshot(request: { readonly name: string }): Promise<SnapshotView>;
  restoreSnapshot(request: RestoreSnapshotRequest): Promise<RestoreSnapshotAnswer>;
  dropSnapshot(request: DropSnapshotRequest): Promise<DropSnapshotAnswer>;
}

export const snapshotVerbs = (ports: Ports): SnapshotVerbs => ({
  takeSnapshot: async ({ worktree, reason } = {}) =>
    (await import("../snapshots/take-snapshot.ts")).takeSnapshot(ports, {
      worktree: ports.repository.worktree(worktree ?? ports.repository.topLevel ?? "."),
      reason,
    }),
  listSnapshots: async (request = {}) =>
    (await import("../snapshots/show-snapshot.ts")).listSnapshots(ports, request),
  showSnapshot: async (request) =>
    (await import("../snapshots/show-snapshot.ts")).showSnapshot(ports, request),
  restoreSnapshot: async (request) =>
    (await import("../snapshots/restore-snapshot.ts")).restoreSnapshot(ports, request),
  dropSnapshot: async (request) =>
    (await import("../snapshots/drop-snapshot.ts")).dropSnapshot(ports, request),
});
