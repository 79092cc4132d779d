import * as fs from "node:fs";
import { join } from "node:path";
import { gitRunner } from "../process/run-git.ts";
import { foldersAbove, toBytes, type BytePath } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";
import { SNAPSHOT_TIMEOUT_MS, type WorktreeGit } from "./snapshot-scope.ts";
import { putFiles } from "./put-files.ts";
import { filesOf, type FileChange } from "../files/diff-trees.ts";

/**
 * Leaves out the removal of files that the restored worktree ignores.
 *
 * Where the rules have changed since, what was ignored then looks like a new file now. Restoring must not take away
 * somebody's build folder only because it was never part of a snapshot. The rules of the snapshot are asked in a folder
 * that holds nothing but them.
 */
export async function spareIgnored(
  place: WorktreeGit,
  commit: string,
  changes: readonly FileChange[],
  scratch: string,
): Promise<readonly FileChange[]> {
  const leaving = changes.filter(({ to }) => to === undefined).map(({ path }) => path);
  if (leaving.length === 0) return changes;
  const rules = (await filesOf(place.run, commit)).filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  const folder = join(scratch, "rules");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const added = rules.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
  await putFiles(place.run, folder, added, { fsync: false, permissions: new Map() });
  const run = gitRunner({
    gitDir: place.gitDir,
    workTree: folder,
    env: place.env,
    timeoutMs: SNAPSHOT_TIMEOUT_MS,
  });
  const ignored = await recordsOf(run, {
    args: ["check-ignore", "-z", "--stdin", "--no-index"],
    access: "read",
    input: Buffer.concat(leaving.map((path) => toBytes(`${path}\0`))),
    answers: [1],
  });
  const wanted = changes.flatMap(({ path, to }) => (to === undefined ? [] : [path]));
  const spared = new Set(ignored.filter((path) => !isInTheWay(path, wanted)));
  return changes.filter(({ path, to }) => to !== undefined || !spared.has(path));
}

function isInTheWay(path: BytePath, wanted: readonly BytePath[]): boolean {
  const above = new Set(foldersAbove(path));
  return wanted.some((one) => above.has(one) || one.startsWith(`${path}/`));
}
