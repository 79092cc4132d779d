import { Failure, few } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Base } from "../branches/choose-base.ts";
import { type CompletedStep, completedSteps } from "./completed-steps.ts";

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
  const steps = await (await ports.database()).read((sql) => completedSteps(sql, [plan]));
  const here = await branches.commits(steps.map(({ commit }) => commit));
  const absent = steps.filter(({ commit }) => !here.has(commit));
  // Where machines share the state, others have done steps whose commits were never here.
  if (absent.length > 0 && !ports.storeIsShared) throw lost(branch, absent);
  const outside: CompletedStep[] = [];
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

async function firstOf<T>(all: readonly T[], isIt: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await isIt(one)) return one;
  return undefined;
}

function lost(branch: string, steps: readonly CompletedStep[]): Failure {
  const named = few(steps.map(({ anchor, commit }) => `${anchor} (${commit.slice(0, 12)})`));
  return new Failure(
    "run/branch-lost",
    `The branch ${branch} is gone, and with it the work of completed steps: ${named}.`,
    { branch_name: branch, steps: steps.map(({ anchor, commit }) => ({ anchor, commit })) },
  );
}
