import type { Damage, SetAside, Worktrees } from "../../ports/index.ts";
import { gitRunner, type GitSetting, type RunGit } from "../process/run-git.ts";
import { retryLocked } from "../locks/retry-locked.ts";
import { entryOf } from "../worktrees/worktree-entry.ts";
import {
  asideFolder,
  type CheckoutFolder,
  presentObjects,
  restoreObjects,
  setAside,
  setAsideIds,
} from "./restore-objects.ts";
import { findDamagedBranches } from "./damaged-branches.ts";
import { findDamagedObjects } from "./damaged-objects.ts";
import { restoreBranch } from "./restore-branch.ts";

export interface DamageSetting extends GitSetting {
  readonly worktrees: () => Promise<Worktrees>;
}

/** The damage port by git's files and the `git` program of PATH. */
export function damageByGit(setting: DamageSetting): Damage {
  const { gitDir: commonDir } = setting;
  const run = retryLocked(gitRunner(setting));
  const checkouts = () => checkoutsOf(commonDir, setting.worktrees);
  const again = async (): Promise<SetAside> => {
    const aside = setAsideIds(commonDir);
    const present = await presentObjects(run, aside);
    const ids = aside.filter((id) => !present.has(id));
    const commits = await tips(run);
    const written = await restoreObjects(run, commonDir, ids, {
      checkouts: await checkouts(),
      folders: await foldersOf(setting.worktrees),
      commits,
    });
    const missing = ids.filter((id) => !written.includes(id));
    return { folder: asideFolder(commonDir), written, missing };
  };
  return {
    objects: async (extent) => findDamagedObjects(commonDir, extent),
    setAside(objects) {
      for (const { path } of objects) setAside(commonDir, path);
      return again();
    },
    writeAgain: again,
    branches: (extent, known) => findDamagedBranches(run, commonDir, extent, known),
    moveBack: async (branch) => restoreBranch(run, commonDir, branch, await checkouts()),
    async lost(commits) {
      const present = await presentObjects(run, commits);
      const aside = new Set(setAsideIds(commonDir));
      const lost = commits.filter((commit) => !present.has(commit) && aside.has(commit));
      const rest = commits.filter((commit) => present.has(commit));
      if (await areComplete(run, rest)) return lost;
      for (const commit of rest) if (!(await areComplete(run, [commit]))) lost.push(commit);
      return lost;
    },
    async neededAside() {
      const aside = setAsideIds(commonDir);
      const present = await presentObjects(run, aside);
      const missing = aside.filter((id) => !present.has(id));
      const said = missing.length === 0 ? "" : (await fsck(run)).join("\n");
      return missing.filter((id) => said.includes(id));
    },
    fsck: () => fsck(run),
  };
}

async function fsck(run: RunGit): Promise<readonly string[]> {
  const lines: string[] = [];
  const answer = await run({
    args: ["fsck", "--full", "--no-dangling", "--no-progress"],
    access: "read",
    answers: Array.from({ length: 255 }, (_, code) => code + 1),
    onWarning: (warnings) => lines.push(...warnings),
    timeoutMs: FSCK_MS,
  });
  return [...answer.split("\n"), ...lines].filter((line) => /^(?:error|fatal|missing|broken|bad)/.test(line));
}

const FSCK_MS = 60 * 60_000;

/** Everything that Pawl's branches and the checkouts lead to. */
async function tips(run: RunGit): Promise<readonly string[]> {
  const answer = await run({
    args: ["for-each-ref", "--format=%(objectname)", "refs/heads"],
    access: "read",
  });
  return [...new Set(answer.split("\n").filter((line) => line !== ""))];
}

/** Of each commit only what it has itself: what lies below others is checked with those. */
async function areComplete(run: RunGit, commits: readonly string[]): Promise<boolean> {
  if (commits.length === 0) return true;
  let code = 0;
  await run({
    args: ["rev-list", "--objects", "--no-walk", "--quiet", "--stdin"],
    access: "read",
    input: commits.map((commit) => `${commit}\n`).join(""),
    answers: [1, 128],
    onExit: (exit) => {
      code = exit;
    },
  });
  return code === 0;
}

/** Files of worktrees that git cannot use now, or that lie aside since then. */
async function foldersOf(worktrees: () => Promise<Worktrees>): Promise<readonly string[]> {
  const all = await worktrees();
  const unlisted = (await all.unlisted()).filter(({ kind }) => kind !== "other-repository");
  return [...new Set([...all.unusable(), ...unlisted].map(({ path }) => path))];
}

async function checkoutsOf(
  commonDir: string,
  worktrees: () => Promise<Worktrees>,
): Promise<readonly CheckoutFolder[]> {
  const listed = await (await worktrees()).list();
  return listed
    .filter(({ isBare, isMissing }) => !isBare && !isMissing)
    .flatMap(({ path, isMain }) => {
      const gitDir = isMain ? commonDir : entryOf(commonDir, path)?.gitDir;
      return gitDir === undefined ? [] : [{ path, gitDir }];
    });
}
