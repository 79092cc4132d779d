import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BRANCH_PREFIX } from "../../domain/plan-branch.ts";
import type { Damage, DamagedBranch } from "../../ports/damage.ts";
import type { RunGit } from "../run-git.ts";
import { planBranches, readMarks } from "../worktrees/plan-branches.ts";
import { isBlank } from "../worktrees/worktree-entry.ts";
import { idsAside } from "./aside.ts";
import { loggedCommits } from "./branch-logs.ts";
import { presentOf } from "./write-again.ts";

const HEADS = "refs/heads";

/** Pawl's branches that lead to something that is not there. */
export async function damagedBranches(
  run: RunGit,
  commonDir: string,
  extent: "tips" | "whole",
  known: Parameters<Damage["branches"]>[1],
): Promise<readonly DamagedBranch[]> {
  const marks = readMarks(commonDir);
  const found: DamagedBranch[] = [];
  const note = async (name: string, at: string | undefined, isThere: boolean): Promise<void> => {
    const { plan, start } = marks.get(name) ?? {};
    const search = { name, start, known: await known({ name, plan }) };
    const good = await lastWhole(run, commonDir, search);
    const beyond = isThere && good !== undefined ? await between(run, good, at!) : [];
    found.push({ name, plan, at, good, beyond });
  };
  for (const name of blankBranches(commonDir)) await note(name, undefined, false);
  const branches = await planBranches(run, commonDir);
  const aside = idsAside(commonDir);
  const present = await presentOf(run, [...branches.map(({ commit }) => commit), ...aside]);
  const isDeep = extent === "whole" || aside.some((id) => !present.has(id));
  for (const { name, commit, mark } of branches) {
    const isThere = present.has(commit);
    const isWhole = isThere && (!isDeep || (await isComplete(run, commit, mark?.start)));
    if (!isWhole) await note(name, commit, isThere);
  }
  return found;
}

/** Branches whose file a power cut emptied: git passes over them as if they were not there. */
function blankBranches(commonDir: string): readonly string[] {
  const folder = join(commonDir, HEADS, BRANCH_PREFIX);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => isBlank(join(folder, name)))
    .map((name) => `${BRANCH_PREFIX}${name}`);
}

interface Search {
  readonly name: string;
  readonly start: string | undefined;
  readonly known: readonly string[];
}

/** Where the branch was last, by its log, then by what else is known of it; where it began, if nothing later is whole. */
async function lastWhole(
  run: RunGit,
  commonDir: string,
  { name, start, known }: Search,
): Promise<string | undefined> {
  const candidates = [...new Set([...loggedCommits(commonDir, name), ...known, ...(start ? [start] : [])])];
  const present = await presentOf(run, candidates);
  for (const commit of candidates)
    if (present.has(commit) && (await isComplete(run, commit, start))) return commit;
  return undefined;
}

/** Whether a commit and everything that it has since `start` is there. What was before is none of Pawl's. */
export async function isComplete(run: RunGit, commit: string, start: string | undefined): Promise<boolean> {
  const since = start !== undefined && (await presentOf(run, [start])).has(start) ? ["--not", start] : [];
  let code = 0;
  await run({
    args: ["rev-list", "--objects", "--quiet", commit, ...since, "--"],
    access: "read",
    answers: [1, 128],
    onExit: (exit) => {
      code = exit;
    },
  });
  return code === 0;
}

async function between(run: RunGit, good: string, commit: string): Promise<readonly string[]> {
  const answer = await run({
    args: ["rev-list", `${good}..${commit}`, "--"],
    access: "read",
    answers: [128],
  });
  return answer.split("\n").filter((line) => line !== "");
}
