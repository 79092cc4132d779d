import { Failure, toInstant } from "../../../domain/index.ts";
import type { Clock, Snapshot } from "../../ports/index.ts";
import { shown } from "../files/byte-path.ts";
import type { Scan } from "./scan.ts";
import { writeMessage, type SnapshotFacts } from "./snapshot-message.ts";
import { snapshotRef } from "./snapshot-refs.ts";
import { writeSnapshot, type InnerSnapshot } from "./write-snapshot.ts";

export interface SnapshotLabel {
  readonly worktreeId: string;
  readonly because: string;
  readonly clock: Clock;
}

/**
 * Keeps a scan under a ref of its own.
 *
 * The repositories inside come first, each with a snapshot in itself, also where it is clean: the files of all of them
 * belong to what was there. A kill in between leaves a snapshot without a reference, and no half one.
 */
export async function keepScan(scan: Scan, scratch: string, label: SnapshotLabel): Promise<Snapshot> {
  const inner: InnerSnapshot[] = [];
  for (const [at, { path, scan: found }] of scan.inner.entries()) {
    const kept = await keepScan(found, `${scratch}/inner-${at}`, label);
    inner.push({ path, gitDir: found.place.gitDir, head: found.head, ref: kept.ref, commit: kept.commit });
  }
  const takenAtMs = label.clock.wallMs();
  const told = tell(scan, label, takenAtMs);
  const ref = snapshotRef(label.worktreeId, takenAtMs);
  const commit = await writeSnapshot(scan, scratch, { message: writeMessage(told), takenAtMs, inner, ref });
  const { indexWrittenAtUs: _, ...rest } = told;
  return { ...rest, ref, commit };
}

/** The commit of a scan without a ref, to compare with. */
export function writeOnly(scan: Scan, scratch: string, label: SnapshotLabel): Promise<string> {
  const message = writeMessage(tell(scan, label, 0));
  return writeSnapshot(scan, scratch, { message, takenAtMs: 0, inner: [] });
}

const tell = (scan: Scan, { worktreeId, because }: SnapshotLabel, takenAtMs: number): SnapshotFacts => ({
  worktree: scan.place.path,
  worktreeId,
  head: scan.head,
  branch: scan.branch,
  operation: scan.state.operation,
  files: scan.dirty.size,
  repositories: [...scan.inner.map(({ path }) => path), ...scan.foreign].map(shown),
  because,
  takenAt: toInstant(takenAtMs),
  indexWrittenAtUs: scan.index?.writtenAtUs,
});

const TRIES = 3;

/** Files may change while they are read; then everything is read again. */
export async function retryUnstable<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isMoving = error instanceof Failure && error.problem === "snapshot/unstable";
      if (!isMoving || tries === TRIES) throw error;
    }
  }
}
