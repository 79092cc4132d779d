import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of packed refs beyond this takes longer to read whole than git takes to search in it. */
const MOST_BYTES = 1 << 20;

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * What a ref holds by git's files; undefined where those leave a doubt and git must be asked.
 *
 * Starting git to ask takes longer than reading two files. Only what is plainest is read: a ref in a file of its own,
 * or in a line of `packed-refs`. A repository that keeps its refs otherwise has no folder `refs/heads`.
 */
export function readRef(commonDir: string, ref: string): { readonly commit: string | undefined } | undefined {
  try {
    if (ref.includes("..") || !lstatSync(join(commonDir, "refs/heads")).isDirectory()) return undefined;
    // In this order: git packs a ref before it removes the file, so a look between the two finds it all the same.
    return { commit: looseRef(commonDir, ref) ?? packedRef(commonDir, ref, MOST_BYTES) };
  } catch {
    return undefined;
  }
}

function looseRef(commonDir: string, ref: string): string | undefined {
  const path = join(commonDir, ref);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A folder holds refs whose names go on.
  if (stats === undefined || stats.isDirectory()) return undefined;
  return plainly(stats.isFile() ? readFileSync(path, "utf8") : "");
}

/** What git has packed of a ref, whatever the file of its own says; throws where git must be asked. */
export function packedRef(commonDir: string, ref: string, mostBytes = Infinity): string | undefined {
  const path = join(commonDir, "packed-refs");
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size <= mostBytes ? readFileSync(path, "utf8") : plainly("");
  const line = text.split("\n").find((one) => one.endsWith(` ${ref}`));
  return line === undefined ? undefined : plainly(line.slice(0, -ref.length - 1));
}

/** Another ref, a symlink, half a line: whatever is no commit is for git to read. */
function plainly(text: string): string {
  const commit = commitIn(text);
  if (commit === undefined) throw new Error("git must be asked");
  return commit;
}

/** The commit that a file of git's holds and nothing else; undefined where it says more or other than that. */
export function commitIn(text: string): string | undefined {
  const commit = text.trimEnd();
  return COMMIT.test(commit) ? commit : undefined;
}
