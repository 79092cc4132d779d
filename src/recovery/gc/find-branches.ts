import { LOCK_REASON, shellWord } from "../../domain/index.ts";
import type { Branches, Database, ListedWorktree, PlanBranch, Ports } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { loadWorktreeRemove, reasonToStay, worktreeUse } from "../../worktrees/index.ts";
import { type Garbage, type Search, unreadable } from "./garbage.ts";

/**
 * Branches of finished plans whose commits their base has, with the worktree that Pawl made for each where that holds
 * nothing uncommitted.
 *
 * A worker's branch has the plan's as its base. It goes first, and the plan's stays for as long as one of them does.
 */
export async function findBranches(search: Search, database: Database): Promise<readonly Garbage[]> {
  const { ports, finished } = search;
  const branches = await ports.branches();
  const listed = await (await ports.worktrees()).list();
  const useOf = await worktreeUse(ports);
  const known = await branches.planBranches();
  const names = new Set(known.map(({ name }) => name));
  const workersFirst = known
    .filter(({ mark }) => mark !== undefined && finished.has(mark.plan))
    .toSorted((a, b) => Number(names.has(b.mark!.base)) - Number(names.has(a.mark!.base)));
  const staying = new Set(names);
  const found: Garbage[] = [];
  for (const branch of workersFirst) {
    const worktree = listed.find((one) => one.branch === branch.name);
    const isBase = known.some(({ name, mark }) => mark?.base === branch.name && staying.has(name));
    if (isBase) continue;
    const isMerged = await isIn(branches, branch).catch((error: unknown) => unreadable(branch.name, error));
    if (typeof isMerged === "object") found.push(isMerged);
    if (isMerged !== true) continue;
    if (worktree === undefined) found.push(garbageOf(branches, database, branch));
    else if (reasonToStay(worktree, listed, useOf) === undefined && (await isClean(ports, worktree)))
      found.push(withWorktree(ports, worktree, branch));
    else continue;
    staying.delete(branch.name);
  }
  return found;
}

/** A person's own worktree of the branch stays, and so does what holds anything that is not committed. */
async function isClean(ports: Ports, { path, lock, isMissing }: ListedWorktree): Promise<boolean> {
  if (lock !== LOCK_REASON || isMissing) return false;
  return (await (await ports.worktrees()).changes(ports.repository.worktree(path))).files.length === 0;
}

const withWorktree = (
  ports: Ports,
  worktree: ListedWorktree,
  { name, commit, mark }: PlanBranch,
): Garbage => {
  const because = `${mark!.base} has its commits`;
  return {
    kind: "worktree",
    name: worktree.path,
    bytes: 0,
    because,
    wayBack: `git branch ${shellWord(name)} ${commit}`,
    async remove() {
      if (!(await isClean(ports, worktree))) return false;
      const { removeWorktree } = await loadWorktreeRemove();
      await removeWorktree(ports, { target: worktree.path, deleteBranch: true, reason: because });
      return true;
    },
  };
};

/** Squashed and rebased work counts: the base has it, though not these commits. */
async function isIn(branches: Branches, { commit, mark }: PlanBranch): Promise<boolean> {
  const base = await baseCommit(branches, mark!.base);
  return base !== undefined && (base === commit || (await branches.landed(base, commit)) !== undefined);
}

const garbageOf = (branches: Branches, database: Database, { name, commit, mark }: PlanBranch): Garbage => ({
  kind: "branch",
  name,
  bytes: 0,
  because: `${mark!.base} has its commits`,
  wayBack: `git branch ${shellWord(name)} ${commit}`,
  async remove() {
    await database.write((sql) =>
      journal(sql, { event: "branch-removed", plan: mark!.plan, detail: { branch: name, commit } }),
    );
    await branches.remove(name, commit);
    return true;
  },
});
