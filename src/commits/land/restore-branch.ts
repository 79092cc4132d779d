import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { listSteps } from "../../plans/index.ts";
import type { Base } from "../branches/choose-base.ts";

/**
 * Where a plan's branch was that is gone; undefined when nothing is missing at its base.
 *
 * The store knows the commit of every completed step, and git keeps commits for weeks after their last branch is gone.
 * A branch begun anew at its base would lack the work of steps that are called completed.
 */
export async function tipToRestore(
  ports: Ports,
  { plan, branch, base }: { readonly plan: string; readonly branch: string; readonly base: Base },
): Promise<string | undefined> {
  const branches = await ports.branches();
  const steps = await recorded(ports, plan);
  const here = await branches.commits(steps.map(({ commit }) => commit));
  const absent = steps.filter(({ commit }) => !here.has(commit));
  // Where machines share the state, others have done steps whose commits were never here.
  if (absent.length > 0 && !ports.storeIsShared) throw lost(branch, absent);
  const outside: Recorded[] = [];
  for (const step of steps)
    if (here.has(step.commit) && !(await contains(base.commit, step.commit))) outside.push(step);
  if (outside.length === 0) return undefined;
  // As a rule the step that was completed last has all the others below it.
  for (const { commit: tip } of outside) {
    const lacks = await firstOf(outside, async ({ commit }) => !(await contains(tip, commit)));
    if (lacks === undefined) return (await branches.landed(base.commit, tip)) === undefined ? tip : undefined;
  }
  throw lost(branch, outside);

  async function contains(tip: string, commit: string): Promise<boolean> {
    return tip === commit || (await branches.mergeBase(tip, commit)) === commit;
  }
}

interface Recorded {
  readonly anchor: string;
  readonly commit: string;
}

/** The commits of completed steps, the last one first. */
async function recorded(ports: Ports, plan: string): Promise<readonly Recorded[]> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listSteps, { plan_path: plan }));
  return rows
    .filter(({ status, commit_hash }) => status === "completed" && commit_hash !== null)
    .toSorted((a, b) => ((a.completed_at ?? "") < (b.completed_at ?? "") ? 1 : -1))
    .map(({ anchor, commit_hash }) => ({ anchor, commit: commit_hash! }));
}

async function firstOf<T>(all: readonly T[], isIt: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await isIt(one)) return one;
  return undefined;
}

function lost(branch: string, steps: readonly Recorded[]): Failure {
  const named = steps.slice(0, 5).map(({ anchor, commit }) => `${anchor} (${commit.slice(0, 12)})`);
  const more = steps.length > 5 ? ` and ${steps.length - 5} more` : "";
  return new Failure(
    "run/branch-lost",
    `The branch ${branch} is gone, and with it the work of completed steps: ${named.join(", ")}${more}.`,
    { branch_name: branch, steps: steps.map(({ anchor, commit }) => ({ anchor, commit })) },
  );
}
