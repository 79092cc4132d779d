import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRANCH_PREFIX } from "../../../domain/index.ts";
import type { Damage, DamagedBranch } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { planBranches, readMarks } from "../branches/plan-branches.ts";
import { packedRef } from "../refs/read-ref.ts";
import { readText } from "../repository/git-directory.ts";
import { isBlankFile } from "../worktrees/worktree-entry.ts";
import { asideFolder, presentObjects, setAsideIds } from "./restore-objects.ts";
import { loggedCommits } from "./reflogs.ts";

const HEADS = "refs/heads";

/** Pawl's branches that lead to something that is not there. */
export async function findDamagedBranches(
  run: RunGit,
  commonDir: string,
  extent: "tips" | "whole",
  knownOf: Parameters<Damage["branches"]>[1],
): Promise<readonly DamagedBranch[]> {
  const marks = readMarks(commonDir);
  const found: DamagedBranch[] = [];
  const aside = new Set(setAsideIds(commonDir));
  const note = async (name: string, at: string | undefined): Promise<void> => {
    const { plan, base, start } = marks.get(name) ?? {};
    const known = await knownOf({ name, plan });
    const good = await lastWhole(run, commonDir, { name, start, known });
    found.push({ name, plan, base, at, good, beyond: good ? await leaving(run, known, good, aside) : known });
  };
  for (const name of blankBranches(commonDir)) await note(name, undefined);
  const branches = await planBranches(run, commonDir);
  const present = await presentObjects(run, [...branches.map(({ commit }) => commit), ...aside]);
  const missing = [...aside].filter((id) => !present.has(id));
  const passed = unreachedIds(commonDir);
  const isDeep = extent === "whole" || missing.some((id) => !passed.has(id));
  for (const { name, commit, mark } of branches) {
    const isThere = present.has(commit);
    const isWhole = isThere && (!isDeep || (await isComplete(run, commit, mark?.start)));
    if (!isWhole) await note(name, commit);
  }
  if (isDeep && found.length === 0 && missing.some((id) => !passed.has(id)))
    noteUnreached(commonDir, missing);
  return found;
}

const unreachedFile = (commonDir: string): string => join(asideFolder(commonDir), "unreached");

/** Lost objects that no branch of Pawl's led to when all of them were walked: for these alone none is walked again. */
const unreachedIds = (commonDir: string): ReadonlySet<string> =>
  new Set(readText(unreachedFile(commonDir))?.split("\n"));

/** Lost with a power cut or not written at all, it only costs another walk. */
function noteUnreached(commonDir: string, ids: readonly string[]): void {
  try {
    writeFileSync(unreachedFile(commonDir), ids.map((id) => `${id}\n`).join(""));
  } catch {
    // A folder that cannot be written to.
  }
}

/** Branches whose file a power cut emptied: git passes over them as if they were not there. */
function blankBranches(commonDir: string): readonly string[] {
  const folder = join(commonDir, HEADS, BRANCH_PREFIX);
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      // No branch can end like that: it is a lock, and may be held.
      .filter((name) => !name.endsWith(".lock") && isBlankFile(join(folder, name)))
      .map((name) => `${BRANCH_PREFIX}${name}`)
  );
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
  const others = [packedCommit(commonDir, name), start].filter((commit) => commit !== undefined);
  const candidates = [...new Set([...loggedCommits(commonDir, name), ...known, ...others])];
  const present = await presentObjects(run, candidates);
  for (const commit of candidates)
    if (present.has(commit) && (await isComplete(run, commit, start))) return commit;
  return undefined;
}

function packedCommit(commonDir: string, name: string): string | undefined {
  try {
    return packedRef(commonDir, `${HEADS}/${name}`);
  } catch {
    return undefined;
  }
}

/** Whether a commit and everything that it has since `start` is there. What was before is none of Pawl's. */
async function isComplete(run: RunGit, commit: string, start: string | undefined): Promise<boolean> {
  const since =
    start !== undefined && (await presentObjects(run, [start])).has(start) ? ["--not", start] : [];
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

/** Which commits `good` does not have. One that git has cleaned away, as after a squash, is missed by nothing. */
async function leaving(
  run: RunGit,
  commits: readonly string[],
  good: string,
  aside: ReadonlySet<string>,
): Promise<readonly string[]> {
  const present = await presentObjects(run, commits);
  const left: string[] = [];
  for (const commit of new Set(commits))
    if (present.has(commit) ? !(await isAncestor(run, commit, good)) : aside.has(commit)) left.push(commit);
  return left;
}

/** Not so, either, where what lies between cannot be read. */
async function isAncestor(run: RunGit, older: string, newer: string): Promise<boolean> {
  let code = 0;
  await run({
    args: ["merge-base", "--is-ancestor", older, newer],
    access: "read",
    answers: [1, 128],
    onExit: (exit) => {
      code = exit;
    },
  });
  return code === 0;
}
