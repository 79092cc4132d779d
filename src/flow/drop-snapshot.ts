import type { Ports } from "../ports/index.ts";
import type { Snapshot } from "../ports/snapshots.ts";
import { noteIfPossible } from "./note-if-possible.ts";

export interface DropSnapshotRequest {
  readonly name: string;
  readonly dryRun?: boolean | undefined;
}

export interface DropSnapshotAnswer {
  readonly dryRun: boolean;
  readonly dropped: boolean;
  /** With its commit, under which it can still be found until git collects it. */
  readonly snapshot: Snapshot;
}

/** Removes the ref of a snapshot. */
export async function dropSnapshot(ports: Ports, request: DropSnapshotRequest): Promise<DropSnapshotAnswer> {
  const snapshots = await ports.snapshots();
  const snapshot = await snapshots.find(request.name);
  if (request.dryRun) return { dryRun: true, dropped: false, snapshot };
  await snapshots.drop(snapshot);
  await noteIfPossible(ports, {
    event: "snapshot-dropped",
    worktree: snapshot.worktree,
    detail: { ref: snapshot.ref, commit: snapshot.commit },
  });
  return { dryRun: false, dropped: true, snapshot };
}
