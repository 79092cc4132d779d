import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv } from "../support/repository.ts";

/** A clone of the repository, as another machine would have it. */
export interface Clone {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...args: readonly string[]) => string;
  /** Commits a change of its own on the branch checked out; answers with its name. */
  readonly commit: (name: string) => string;
  readonly addWorktree: (name: string) => string;
}

export interface Clones {
  /** Makes a clone on a machine with the given host id. */
  readonly clone: (host: string) => Clone;
  readonly remove: () => void;
}

export const PLAN = "plan.md";

/** A bare repository with a plan in it, for machines that share nothing but it and the server. */
export function clones(url: string, plan: string): Clones {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-clones-")));
  const run = (folder: string, args: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  run(home, ["init", "-q", "--bare", "-b", "main", "remote.git"]);
  const at = (path: string, host: string): Clone => ({
    path,
    env: { PAWL_DATABASE_URL: url, PAWL_HOST_ID: host },
    git: (...args) => run(path, args),
    commit(name) {
      writeFileSync(join(path, name), `${name}\n`);
      run(path, ["add", "--", name]);
      run(path, ["commit", "-q", "-m", name]);
      return run(path, ["rev-parse", "HEAD"]);
    },
    addWorktree(name) {
      const folder = join(home, `${host}-${name}`);
      run(path, ["worktree", "add", "-q", "--detach", folder]);
      return folder;
    },
  });
  const clone = (host: string): Clone => {
    run(home, ["clone", "-q", "remote.git", host]);
    return at(join(home, host), host);
  };
  run(home, ["clone", "-q", "remote.git", "first"]);
  writeFileSync(join(home, "first", PLAN), plan);
  for (const args of [
    ["add", "-A"],
    ["commit", "-q", "-m", "plan"],
    ["push", "-q", "origin", "HEAD:main"],
  ])
    run(join(home, "first"), args);
  return { clone, remove: () => rmSync(home, { recursive: true, force: true }) };
}
