import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BRANCH_PREFIX } from "../../../domain/index.ts";
import type { BranchMark, PlanBranch } from "../../ports/index.ts";
import { parseSettings } from "../repository/git-config.ts";
import { readRef } from "../refs/read-ref.ts";
import type { RunGit } from "../process/run-git.ts";
import { appendSetting } from "./append-setting.ts";

/** Branches under `pawl/`, with what Pawl noted about them in git's own section of each branch. */
export async function planBranches(run: RunGit, commonDir: string): Promise<readonly PlanBranch[]> {
  const answer = await run({
    args: ["for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", `refs/heads/${BRANCH_PREFIX}`],
    access: "read",
  });
  const lines = answer.split("\n").filter((line) => line !== "");
  const marks = lines.length === 0 ? undefined : readMarks(commonDir);
  return lines.map((line) => {
    const name = line.slice(line.indexOf(" ") + 1);
    return { name, commit: line.slice(0, line.indexOf(" ")), mark: marks?.get(name) };
  });
}

export async function planBranch(
  run: RunGit,
  commonDir: string,
  name: string,
): Promise<PlanBranch | undefined> {
  const seen = readRef(commonDir, `refs/heads/${name}`);
  if (seen === undefined) return (await planBranches(run, commonDir)).find((one) => one.name === name);
  const { commit } = seen;
  return commit === undefined ? undefined : { name, commit, mark: readMarks(commonDir).get(name) };
}

/** One value holds all of it, so that no crash can leave half of it. */
export async function markBranch(
  run: RunGit,
  commonDir: string,
  branch: string,
  { plan, base, start }: BranchMark,
): Promise<void> {
  const value = JSON.stringify({ plan, base, start });
  if (appendSetting(commonDir, { section: "branch", subsection: branch, name: MARK, value })) return;
  await run({ args: ["config", "--local", "--replace-all", keyOf(branch), value], access: "write" });
}

/**
 * The branch first: a mark without a branch means nothing. `free` sees to it that nothing of ours keeps git
 * from its configuration.
 */
export async function removeBranch(
  run: RunGit,
  branch: string,
  { commit, free }: { readonly commit: string; readonly free: () => Promise<unknown> },
): Promise<void> {
  await run({ args: ["update-ref", "--no-deref", "-d", `refs/heads/${branch}`, commit], access: "write" });
  await free();
  await run({
    args: ["config", "--local", "--remove-section", `branch.${branch}`],
    access: "write",
    answers: [NO_SECTION],
  });
}

const NO_SECTION = 128;

const MARK = "pawl";

const keyOf = (branch: string): string => `branch.${branch}.${MARK}`;

/** Read from the file that `git config --local` writes: starting git to ask for it takes longer. */
export function readMarks(commonDir: string): ReadonlyMap<string, BranchMark> {
  const marks = new Map<string, BranchMark>();
  for (const [key, value] of parseSettings(readFileSync(join(commonDir, "config"), "utf8"))) {
    const branch = /^branch\.(.*)\.pawl$/s.exec(key)?.[1];
    const mark = branch === undefined ? undefined : readMark(value);
    if (branch !== undefined && mark !== undefined) marks.set(branch, mark);
  }
  return marks;
}

/** Any program can write the configuration; what does not read as a mark is none. */
function readMark(text: string): BranchMark | undefined {
  try {
    const { plan, base, start } = JSON.parse(text) as Partial<Record<keyof BranchMark, unknown>>;
    if (typeof plan !== "string" || typeof base !== "string" || typeof start !== "string") return undefined;
    return { plan, base, start };
  } catch {
    return undefined;
  }
}
