import { type BigIntStats, lstatSync } from "node:fs";
import { toInstant } from "../../../domain/index.ts";
import { type BytePath, onDisk, shown } from "../files/byte-path.ts";
import { diffTrees } from "../files/diff-trees.ts";
import { recordsOf } from "../process/git-output.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import type { RunGit } from "../process/run-git.ts";
import { nodeCrypto } from "../../index.ts";
import type { Changes, Worktree } from "../../ports/index.ts";

/** What `git status` finds. The fingerprint takes in size and time of each file, since status names but does not read them. */
export async function uncommittedChanges(run: RunGit, { path }: Worktree): Promise<Changes> {
  const records = await recordsOf(run, {
    args: ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--no-renames", INSIDE],
    access: "read",
    worktree: path,
  });
  const files = records.flatMap(fileIn);
  const hash = nodeCrypto().createHash("sha256").update(records.join("\0"), "latin1");
  let newestMs = 0;
  for (const file of files) {
    const stats = statOf(onDisk(path, file));
    hash.update(`\0${stats?.size}:${stats?.mtimeNs}:${stats?.ino}`);
    if (stats !== undefined) newestMs = Math.max(newestMs, Number(stats.mtimeMs));
  }
  return {
    files: files.map(shown),
    fingerprint: hash.digest("hex"),
    newestAt: newestMs === 0 ? undefined : toInstant(newestMs),
  };
}

// Git would ask another git inside each submodule, with settings of its own that are not trusted.
const INSIDE = "--ignore-submodules=dirty";

// Blanks before the path of: `1` changed, `u` unmerged, `?` untracked. Others are headers.
const BLANKS: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };

function fileIn(line: string): readonly BytePath[] {
  const blanks = BLANKS[line.slice(0, 1)];
  if (blanks === undefined || line[1] !== " ") return [];
  let at = -1;
  for (let count = 0; count < blanks; count += 1) at = line.indexOf(" ", at + 1);
  return [line.slice(at + 1)];
}

/** Undefined also where a file stands in place of a folder above. */
function statOf(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Every file by itself: a folder of ten thousand counts as ten thousand. */
export async function countIgnored(run: RunGit, path: string): Promise<number> {
  const files = await recordsOf(run, {
    args: ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"],
    access: "read",
    worktree: path,
    timeoutMs: LONG_CALL_MS,
  });
  return files.length;
}

/**
 * Whether the index of a checkout is still that of the commit its branch was at before it moved.
 *
 * Only what the two commits have different tells: a file that is as it was speaks for it, one that is as it became
 * against it. Where something else is staged in all of them it is unclear, and counts as behind: the
 * move is then tried again as one that their changes are in the way of.
 */
export async function isBehind(
  run: RunGit,
  worktree: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const changed = (await diffTrees(run, from, to)).map(({ path }) => path);
  if (changed.length === 0) return false;
  const hasAnyOf = async (commit: string): Promise<boolean> => {
    const args = ["diff-index", "--cached", "--name-only", "--no-renames", "-z", commit, "--"];
    const others = new Set(await recordsOf(run, { args, access: "read", worktree }));
    return changed.some((path) => !others.has(path));
  };
  return (await hasAnyOf(from)) || !(await hasAnyOf(to));
}
