import { fromInstant } from "../../domain/index.ts";
import type { Branches, Database, PlanBranch, Ports } from "../../platform/ports/index.ts";
import { lastPlanEvent } from "../../journal/index.ts";
import { listPlans, listSteps } from "../../plans/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { chooseBase } from "../../commits/index.ts";
import { type Garbage, unreadable } from "./garbage.ts";

/**
 * Plans of which every step is completed and in the base, and about which the journal says nothing since. What was kept
 * aside for them is needed by no later step.
 */
export async function finishedPlans(
  ports: Ports,
  database: Database,
  beforeMs: number,
): Promise<{ readonly finished: ReadonlySet<string>; readonly skipped: readonly Garbage[] }> {
  const branches = await ports.branches();
  const known = await branches.planBranches();
  const finished = new Set<string>();
  const skipped: Garbage[] = [];
  for (const { plan_path } of await database.read((sql) => sql.all(listPlans, {}))) {
    const steps = await database.read((sql) => sql.all(listSteps, { plan_path }));
    const isDone = steps.length > 0 && steps.every(({ status }) => status === "completed");
    const last = await database.read((sql) => sql.get(lastPlanEvent, { plan_path }));
    if (!isDone || (last?.at && fromInstant(last.at) > beforeMs)) continue;
    const own = known.filter(({ mark }) => mark?.plan === plan_path);
    const commits = steps.flatMap(({ commit_hash }) => commit_hash ?? []);
    try {
      if (await isMerged(ports, branches, own, commits)) finished.add(plan_path);
    } catch (error) {
      skipped.push(unreadable(plan_path, error));
    }
  }
  return { finished, skipped };
}

/** By its own branch while there is one, since a squash has none of its commits; else by the commits of its steps. */
async function isMerged(
  ports: Ports,
  branches: Branches,
  own: readonly PlanBranch[],
  commits: readonly string[],
): Promise<boolean> {
  const names = new Set(own.map(({ name }) => name));
  const main = own.find(({ mark }) => mark !== undefined && !names.has(mark.base));
  if (main?.mark !== undefined) {
    const base = await baseCommit(branches, main.mark.base);
    return base !== undefined && (await branches.landed(base, main.commit)) !== undefined;
  }
  if (commits.length === 0) return false;
  const base = await chooseBase(ports, undefined, await (await ports.worktrees()).list());
  for (const commit of new Set(commits))
    if ((await branches.mergeBase(base.commit, commit)) !== commit) return false;
  return true;
}
