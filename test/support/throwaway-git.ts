import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Real git in a folder of its own, with no configuration but what it is given. */
export interface ThrowawayGit {
  /** Canonical. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly path: (...parts: string[]) => string;
  /** Runs git in a folder under the root and gives what it printed, without the last line break. */
  readonly git: (folder: string, ...args: string[]) => string;
  /** Makes a repository with one commit. */
  readonly init: (folder: string, ...args: string[]) => string;
  /** Commits a change of its own with exactly this message; gives the name of the commit. */
  readonly commit: (folder: string, message: string) => string;
  readonly remove: () => void;
}

export function throwawayGit(): ThrowawayGit {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "pawl-git-")));
  const path = (...parts: string[]): string => join(root, ...parts);
  writeFileSync(
    path(".gitconfig"),
    '[user]\nname = A\nemail = a@example.com\n[init]\ndefaultBranch = trunk\n[protocol "file"]\nallow = always\n',
  );
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const run = (folder: string, args: readonly string[], input = ""): string =>
    execFileSync("git", args, {
      cwd: join(root, folder),
      env,
      input,
      encoding: "utf8",
      stdio: "pipe",
    }).replace(/\n$/, "");
  let changes = 0;
  const commit = (folder: string, message: string): string => {
    changes += 1;
    writeFileSync(path(folder, `change-${changes}`), `${changes}\n`);
    run(folder, ["add", "--all"]);
    run(folder, ["commit", "--quiet", "--cleanup=verbatim", "--allow-empty-message", "--file=-"], message);
    return run(folder, ["rev-parse", "HEAD"]);
  };
  return {
    root,
    env,
    path,
    git: (folder, ...args) => run(folder, args),
    init(folder, ...args) {
      run("", ["init", "--quiet", ...args, folder]);
      commit(folder, "first\n");
      return path(folder);
    },
    commit,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
