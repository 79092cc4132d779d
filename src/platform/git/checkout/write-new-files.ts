import * as fs from "node:fs";
import { join } from "node:path";
import { syncPaths } from "../../index.ts";
import { toBytes } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";
import { type GitCall, gitRunner, type GitSetting, type RunGit } from "../process/run-git.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { hasFile, type NumberedChange } from "./change-files.ts";
import type { Intent } from "./intent.ts";
import { type CheckoutPaths, newFile, newTree, rehearsedIndex } from "./checkout-paths.ts";

/**
 * Has git write the files that change into a folder of ours, as it would write them into the checkout.
 *
 * That folder is the whole worktree for it, and empty: so it writes what changes and nothing else, filters run as they
 * would, attributes come from the new commit, and a sparse checkout stays sparse.
 */
export async function writeNewFiles(
  git: GitSetting,
  place: CheckoutPaths,
  { from, to }: Intent,
  changes: readonly NumberedChange[],
): Promise<Rehearsal> {
  // A git that outlives its killed parent puts its index under the name that it was given, whatever is there by then.
  const draft = `${rehearsedIndex(place)}-${process.pid}`;
  const index = fs.readFileSync(join(place.gitDir, "index"));
  fs.writeFileSync(draft, index);
  const run = gitRunner({ ...git, gitDir: place.gitDir, workTree: newTree(place) });
  await run({
    args: ["read-tree", "-m", "-u", from, to],
    access: "write",
    indexFile: draft,
    timeoutMs: LONG_CALL_MS,
  });
  fs.renameSync(draft, rehearsedIndex(place));
  const sparse = await findSparse(run, place, changes);
  const written = sparse.filter(({ change }) => fs.existsSync(newFile(place, change.path)));
  // Git writes a file that is marked to be skipped, unless the checkout is sparse there.
  await markPaths(run, { access: "write", indexFile: rehearsedIndex(place) }, "--no-skip-worktree", written);
  await flush(place, changes);
  return { index };
}

/** The index that the new files were written from. */
export interface Rehearsal {
  readonly index: Buffer;
}

/** Whether what the rehearsal made of the index is what the move would make of it now. */
export function fitsIndex(place: CheckoutPaths, { index }: Rehearsal, now: string): boolean {
  const rehearsed = fs.readFileSync(rehearsedIndex(place));
  return (
    !hasMarks(place, rehearsed) &&
    !ELSEWHERE.some((name) => rehearsed.includes(name)) &&
    fs.readFileSync(now).equals(index)
  );
}

/** Parts of an index that hold for the folder it was written in: what a file system monitor said, and untracked files. */
const ELSEWHERE = ["FSMN", "UNTR"];

/** Whether an index may mark files to be skipped: its plainest form cannot, unless it is kept in two files. */
const hasMarks = ({ gitDir }: CheckoutPaths, index: Buffer): boolean =>
  index.length < 8 ||
  index.readUInt32BE(4) !== 2 ||
  fs.readdirSync(gitDir).some((name) => name.startsWith("sharedindex."));

/** Git flushes its index, and no file that it writes. By a rename an empty one would take the place of a good one. */
const flush = (place: CheckoutPaths, changes: readonly NumberedChange[]): Promise<void> =>
  syncPaths(
    place.trees,
    changes.filter(({ change }) => hasFile(change.to)).map(({ change }) => newFile(place, change.path)),
  );

/** Writes new files once more: they were in their places, and a person brought back the old ones. */
export async function rewriteMissing(
  git: GitSetting,
  place: CheckoutPaths,
  missing: readonly NumberedChange[],
): Promise<void> {
  if (missing.length === 0) return;
  const run = gitRunner({ ...git, gitDir: place.gitDir, workTree: newTree(place) });
  await run({
    args: ["checkout-index", "--force", "-z", "--stdin"],
    access: "write",
    indexFile: rehearsedIndex(place),
    input: namesOf(missing),
    timeoutMs: LONG_CALL_MS,
  });
  await flush(place, missing);
}

/** What a sparse checkout leaves out is in the index alone, as the rehearsal found. */
export async function findSparse(
  run: RunGit,
  place: CheckoutPaths,
  changes: readonly NumberedChange[],
): Promise<readonly NumberedChange[]> {
  if (!hasMarks(place, fs.readFileSync(rehearsedIndex(place)))) return [];
  const args = ["ls-files", "-t", "-z"];
  const listed = await recordsOf(run, { args, access: "read", indexFile: rehearsedIndex(place) });
  const sparse = new Set(listed.filter((line) => line.startsWith("S ")).map((line) => line.slice(2)));
  return changes.filter(({ change }) => change.to !== undefined && sparse.has(change.path));
}

export async function markPaths(
  run: RunGit,
  onIndex: Omit<GitCall, "args">,
  mark: "--skip-worktree" | "--no-skip-worktree",
  marked: readonly NumberedChange[],
): Promise<void> {
  if (marked.length === 0) return;
  await run({
    ...onIndex,
    args: ["update-index", mark, "-z", "--stdin"],
    input: namesOf(marked),
    timeoutMs: LONG_CALL_MS,
  });
}

const namesOf = (some: readonly NumberedChange[]): Buffer =>
  Buffer.concat(some.flatMap(({ change }) => [toBytes(change.path), Buffer.from("\0")]));
