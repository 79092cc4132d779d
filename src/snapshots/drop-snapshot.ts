import { Failure, orNothing } from "../domain/index.ts";
import type { Ports, Snapshot } from "../platform/ports/index.ts";
import { listDroppedSnapshots } from "./sql/list-dropped-snapshots.ts";
import { noteIfPossible, openIfThere, storedJson } from "../journal/index.ts";

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
  const found = await snapshots
    .find(request.name)
    .catch((error: unknown) => droppedBefore(ports, request, error));
  if ("dropped" in found) return found;
  if (request.dryRun) return { dryRun: true, dropped: false, snapshot: found };
  // Before the ref goes: its commit is found by this line alone from then on.
  await noteIfPossible(ports, {
    event: "snapshot-dropped",
    worktree: found.worktree,
    detail: { ...found },
  });
  await snapshots.drop(found);
  return { dryRun: false, dropped: true, snapshot: found };
}

/** A call that died before it could answer is answered now, by the whole name it used. */
async function droppedBefore(
  ports: Ports,
  { name, dryRun = false }: DropSnapshotRequest,
  error: unknown,
): Promise<DropSnapshotAnswer> {
  if (!(error instanceof Failure) || error.problem !== "snapshot/not-found") throw error;
  const database = await openIfThere(ports).catch(orNothing);
  const rows = await database?.read((sql) => sql.all(listDroppedSnapshots, { most: MOST_DROPS }));
  const dropped = rows?.map(({ detail }) => storedJson<Partial<Snapshot>>(detail, {}));
  const snapshot = dropped?.find(({ ref, commit }) => ref === name || commit === name) as
    | Snapshot
    | undefined;
  if (snapshot === undefined) throw error;
  return { dryRun, dropped: !dryRun, snapshot };
}

const MOST_DROPS = 100;
