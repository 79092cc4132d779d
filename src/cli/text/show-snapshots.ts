import { fromInstant, plural } from "../../domain/index.ts";
import type { Snapshot } from "../../platform/ports/index.ts";
import { columns, foldedColumns, truncate } from "./layout.ts";
import { localTime, relativeTime } from "./times.ts";
import type { Paint } from "./paint.ts";

export const SNAPSHOT = {
  name: "snapshot",
  about: "Its ref, any end of it that no other has, or the beginning of its commit",
  required: true,
} as const;

/** The end of a ref that people type: worktree and time say where and when, the last part tells it from all others. */
export const shortName = ({ ref }: Snapshot): string => ref.slice(ref.lastIndexOf("/") + 1);

const MAX_REASON = 60;

export function snapshotTable(snapshots: readonly Snapshot[], paint: Paint): string {
  if (snapshots.length === 0) return "No snapshots.";
  return foldedColumns(
    snapshots.map((snapshot) => [
      paint.bold(shortName(snapshot)),
      paint.dim(relativeTime(fromInstant(snapshot.takenAt) - Date.now())),
      paint.plain(snapshot.worktreeId),
    ]),
    snapshots.map((snapshot) => [
      paint.plain(truncate(placeOf(snapshot), MAX_REASON)),
      plural(snapshot.files, "path"),
      paint.plain(truncate(snapshot.because, MAX_REASON)),
    ]),
    paint.columns,
  );
}

/** Everything about one snapshot but its files. */
export function snapshotLines(snapshot: Snapshot, paint: Paint): string {
  const rows: (readonly [string, string])[] = [
    ["snapshot", snapshot.ref],
    ["commit", snapshot.commit],
    ["worktree", snapshot.worktree],
    ["taken", `${localTime(snapshot.takenAt)} at ${placeOf(snapshot)}`],
    ["because", snapshot.because],
    ...snapshot.repositories.map((path) => ["inside", `${path} (kept in its own repository)`] as const),
  ];
  return columns(rows.map(([name, value]) => [paint.dim(name), paint.plain(value)]));
}

function placeOf({ branch, head, operation }: Snapshot): string {
  const place = branch ?? head?.slice(0, 12) ?? "no commit";
  return operation === undefined ? place : `${place}, in a ${operation}`;
}
