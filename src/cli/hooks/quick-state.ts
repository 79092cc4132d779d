import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where the state of the repository around a folder lies, by the shortest way. */
export interface QuickState {
  /** The top of the worktree. */
  readonly top: string;
  readonly stateDir: string;
}

/**
 * Finds the state as git would, for calls that must cost next to nothing. Undefined whenever anything is out of the
 * ordinary: then the long way is gone, which knows everything.
 */
export function quickState(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): QuickState | undefined {
  if (ELSEWHERE.some((name) => env[name])) return undefined;
  try {
    for (let top = cwd; ; top = dirname(top)) {
      const git = join(top, ".git");
      const stat = statSync(git, { throwIfNoEntry: false });
      if (stat) return stateIn(top, stat.isDirectory() ? git : commonDir(top, git));
      if (dirname(top) === top) return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Whatever may say that the state is not where it usually is. */
const ELSEWHERE = [
  "GIT_DIR",
  "PAWL_STATE_DIR",
  "PAWL_DATABASE_URL",
  "PAWL_DATABASE_URL_FILE",
  "PAWL_WORKTREE",
] as const;

/** A server's state changes without any file here changing. */
function stateIn(top: string, commonDir: string): QuickState | undefined {
  const settings = [join(dirname(commonDir), "pawl.toml"), join(commonDir, "pawl/pawl.toml")].map(
    readIfThere,
  );
  if (settings.some((text) => text.includes("database_url"))) return undefined;
  return { top, stateDir: join(commonDir, "pawl") };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function commonDir(top: string, file: string): string {
  const [, gitDir = ""] = /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
  const linked = resolve(top, gitDir);
  return resolve(linked, readFileSync(join(linked, "commondir"), "utf8").trim());
}
