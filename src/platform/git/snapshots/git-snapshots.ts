import * as fs from "node:fs";
import { Failure } from "../../../domain/index.ts";
import { shown } from "../files/byte-path.ts";
import { diffTrees, type FileChange, filesOf } from "../files/diff-trees.ts";
import type { Environment } from "../process/git-environment.ts";
import { gitRunner } from "../process/run-git.ts";
import { findCutShort, putBackWhole } from "./cut-short.ts";
import { isMountUnbroken, recordMount } from "./mount-record.ts";
import { restoreTo } from "./restore-to.ts";
import { restoreInPlace } from "./restore.ts";
import { readSnapshotParts } from "./saved-state.ts";
import { isClean, scan } from "./scan.ts";
import { chooseSnapshot, dropRef, readSnapshots } from "./snapshot-refs.ts";
import { openWorktree, SNAPSHOT_TIMEOUT_MS, type WorktreeGit } from "./snapshot-scope.ts";
import { keepScan, retryUnstable, type SnapshotLabel } from "./take.ts";
import type { Clock, Snapshot, SnapshotChange, Snapshots, Worktree } from "../../ports/index.ts";
import { makeScratch, sweepScratch } from "../../index.ts";

export interface SnapshotSetting {
  readonly commonDir: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** A folder of Pawl's own. */
  readonly scratchDir: string;
  /** Whether ignored files are kept too. */
  readonly ignored: boolean;
}

/** Snapshots by the `git` program of PATH. */
export function gitSnapshots({ commonDir, env, clock, scratchDir, ignored }: SnapshotSetting): Snapshots {
  const run = gitRunner({ gitDir: commonDir, env, timeoutMs: SNAPSHOT_TIMEOUT_MS });
  const placeOf = ({ path }: Worktree): WorktreeGit => {
    const place = openWorktree(path, env);
    if (place.commonDir === commonDir) return place;
    throw new Failure("worktree/not-found", `${path} belongs to another repository.`, { worktree: path });
  };
  const label = (worktree: Worktree, because: string): SnapshotLabel => ({
    worktreeId: worktree.id,
    because,
    clock,
  });
  const list = () => readSnapshots(run);
  const take: Snapshots["take"] = (worktree, because) =>
    retryUnstable(() =>
      withScratch(scratchDir, async (scratch) => {
        const found = await scan(placeOf(worktree), { scratch, ignored });
        return isClean(found) ? undefined : keepScan(found, scratch, label(worktree, because));
      }),
    );
  return {
    list,
    find: async (name) => chooseSnapshot(await list(), name),
    take,
    changes: async ({ head, commit }) =>
      (head === undefined ? await allAdded(run, commit) : await diffTrees(run, head, commit)).map(describe),
    restoreTo: ({ commit, worktree }, folder) =>
      restoreTo({ run, env, commit, trusted: [commonDir, worktree] }, folder),
    restore: (snapshot, worktree, { filesOnly = false } = {}) =>
      retryUnstable(() =>
        withScratch(scratchDir, (scratch) =>
          restoreInPlace({
            place: placeOf(worktree),
            commit: snapshot.commit,
            filesOnly,
            label: label(worktree, `before restoring ${snapshot.ref}`),
            scratch,
          }),
        ),
      ),
    restoreCutShort: (worktree, { because, ...search }) =>
      withScratch(scratchDir, async (scratch) => {
        const place = placeOf(worktree);
        const found = await findCutShort({ place, scratch, ...search });
        if (found.length === 0) return undefined;
        const snapshot = await take(worktree, because);
        const files = await putBackWhole(place, found, search.evenShorter);
        return { files: files.map(shown), snapshot };
      }),
    isMountUnbroken: (worktree) => isMountUnbroken(placeOf(worktree)),
    recordMount: (worktree) => recordMount(placeOf(worktree)),
    drop: (snapshot) => drop(run, env, snapshot),
  };
}

async function allAdded(run: WorktreeGit["run"], commit: string): Promise<readonly FileChange[]> {
  const files = await filesOf(run, commit);
  return files.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
}

function describe({ path, from, to }: FileChange): SnapshotChange {
  if (from === undefined) return { path: shown(path), status: "added" };
  if (to === undefined) return { path: shown(path), status: "deleted" };
  const isRetyped = from.mode.slice(0, 3) !== to.mode.slice(0, 3);
  return { path: shown(path), status: isRetyped ? "retyped" : "modified" };
}

/** The snapshot itself first: a kill in between leaves parts without a reference, not a snapshot without its parts. */
async function drop(
  run: WorktreeGit["run"],
  env: Environment,
  { ref, commit, worktree }: Snapshot,
): Promise<void> {
  const inner = await (await readSnapshotParts(run, commit)).inner();
  await dropRef(run, ref, commit);
  for (const one of inner) {
    try {
      const place = openWorktree(`${worktree}/${Buffer.from(one.path, "latin1").toString("utf8")}`, env);
      if (place.gitDir === one.gitDir) await dropRef(place.run, one.ref, one.commit);
    } catch {
      // A repository that is gone, or a ref that is: nothing is left to drop there.
    }
  }
}

const PREFIX = "snapshot-";

/** A folder of ours for the length of one piece of work. What a kill left behind goes with a later one. */
async function withScratch<T>(folder: string, work: (scratch: string) => Promise<T>): Promise<T> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweepScratch(folder, PREFIX);
  const scratch = makeScratch(folder, PREFIX);
  try {
    return await work(scratch);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
