import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Locks of git that lie in the git directory and in the entries of worktrees, of whomever they are. */
export function listLockFiles(
  commonDir: string,
): readonly { readonly path: string; readonly ageMs: number }[] {
  const entries = join(commonDir, "worktrees");
  const folders = [
    commonDir,
    ...(existsSync(entries) ? readdirSync(entries).map((name) => join(entries, name)) : []),
  ];
  return folders.flatMap((folder) =>
    LOCKS.map((name) => join(folder, name)).flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, ageMs: Date.now() - stats.mtimeMs }];
    }),
  );
}

const LOCKS = ["index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock"];
