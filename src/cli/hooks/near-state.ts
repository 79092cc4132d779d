import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where the state of the repository around a folder lies, by the shortest way. */
export interface NearState {
  /** The top of the worktree. */
  readonly top: string;
  readonly stateDir: string;
}

/**
 * Finds the state as git would, for calls that must cost next to nothing. Undefined whenever anything is out of the
 * ordinary: then the long way is gone, which knows everything.
 */
export function nearState(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): NearState | undefined {
  if (env["GIT_DIR"] || env["PAWL_STATE_DIR"] || env["PAWL_DATABASE_URL"] || env["PAWL_WORKTREE"])
    return undefined;
  try {
    for (let top = cwd; ; top = dirname(top)) {
      const git = join(top, ".git");
      const stat = statSync(git, { throwIfNoEntry: false });
      if (stat) return { top, stateDir: join(stat.isDirectory() ? git : commonDir(top, git), "pawl") };
      if (dirname(top) === top) return undefined;
    }
  } catch {
    return undefined;
  }
}

function commonDir(top: string, file: string): string {
  const [, gitDir = ""] = /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
  const linked = resolve(top, gitDir);
  return resolve(linked, readFileSync(join(linked, "commondir"), "utf8").trim());
}
