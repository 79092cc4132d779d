import { shellWord } from "../../domain/index.ts";
import type { Branches, Database, PlanBranch } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import type { Garbage, Search } from "./garbage.ts";

/**
 * Branches of finished plans that no worktree has checked out, and whose commits their base has.
 *
 * A worker's branch has the plan's as its base. It goes first, or it would seem to be based on nothing.
 */
export async function findBranches(search: Search, database: Database): Promise<readonly Garbage[]> {
  const { ports, finished } = search;
  const branches = await ports.branches();
  const checkedOut = new Set((await (await ports.worktrees()).list()).map(({ branch }) => branch));
  const known = await branches.planBranches();
  const names = new Set(known.map(({ name }) => name));
  const idle = known.filter(
    ({ name, mark }) => mark !== undefined && finished.has(mark.plan) && !checkedOut.has(name),
  );
  const workersFirst = idle.toSorted(
    (a, b) => Number(names.has(b.mark!.base)) - Number(names.has(a.mark!.base)),
  );
  const found: Garbage[] = [];
  for (const branch of workersFirst)
    if (await isIn(branches, branch)) found.push(garbageOf(branches, database, branch));
  return found;
}

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
