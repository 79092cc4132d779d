import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PAWL } from "./cli.ts";
import { type Answer, type Data, ok, workshop, type Workshop } from "./workshop.ts";
import { cleanEnv } from "./repository.ts";

/** A workshop whose plan has a worktree, and what tests about worktrees do over and over. */
export interface WorktreeShop extends Workshop {
  /** `pawl worktree …` with `--json`. */
  readonly worktrees: (...args: readonly string[]) => Answer;
  readonly create: (...args: readonly string[]) => Data;
  /** Git in any folder; gives what it printed. */
  readonly gitIn: (folder: string, ...args: readonly string[]) => string;
  /** Writes files below a folder. */
  readonly put: (folder: string, files: Readonly<Record<string, string>>) => void;
  /** Writes files and commits them, as a step when one is named. */
  readonly commit: (folder: string, files: Readonly<Record<string, string>>, step?: string) => string;
  readonly view: (branch: string) => Data;
  readonly refs: (...patterns: readonly string[]) => readonly string[];
}

export function worktreeShop(plan?: string | null): WorktreeShop {
  const shop = plan === undefined ? workshop() : workshop(plan);
  const gitIn = git;
  const worktrees: WorktreeShop["worktrees"] = (...args) => shop.json("worktree", ...args);
  const put: WorktreeShop["put"] = (folder, files) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  };
  return {
    ...shop,
    worktrees,
    gitIn,
    put,
    create: (...args) => ok(worktrees("create", "plan.md", ...args)),
    commit(folder, files, step) {
      put(folder, files);
      gitIn(folder, "add", "--all");
      const trailers = step === undefined ? [] : ["-m", `Pawl-Plan: plan.md\nPawl-Step: ${step}`];
      gitIn(folder, "commit", "-q", "-m", `work on ${step ?? Object.keys(files)[0]}`, ...trailers);
      return gitIn(folder, "rev-parse", "HEAD");
    },
    view(branch) {
      const views = ok(worktrees("list"))["worktrees"] as Data[];
      const found = views.find((view) => view["branch_name"] === branch);
      if (!found) throw new Error(`no worktree of ${branch} is listed`);
      return found;
    },
    refs: (...patterns) =>
      gitIn(shop.home, "for-each-ref", "--format=%(refname)", ...patterns)
        .split("\n")
        .filter(Boolean),
  };
}

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/** Runs a command line that Pawl printed, as a person who pastes it. */
export function paste(folder: string, command: string): void {
  const script = `pawl() { "$NODE" "$BUILT" "$@"; }\n${command}`;
  const { status, stderr } = spawnSync("sh", ["-c", script], {
    cwd: folder,
    env: cleanEnv({ NODE: process.execPath, BUILT: PAWL }),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

export const read = (...parts: readonly string[]): string => readFileSync(join(...parts), "utf8");
