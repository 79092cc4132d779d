import { BRANCH_PREFIX, orNothing } from "../../domain/index.ts";
import type { BranchMark, Ports } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { nameFor } from "../branches/choose-branch.ts";
import { hasCommit } from "../remote/remote-tip.ts";
import type { CompletedStep } from "./completed-steps.ts";

/** A plan's branch that lacks completed steps. */
export interface StepsOffBranch {
  readonly plan: string;
  readonly branch: string;
  readonly base: string;
  /** Where the branch is; undefined where it is gone. */
  readonly tip: string | undefined;
  /** The steps that it lacks, the last one first. */
  readonly steps: readonly CompletedStep[];
  /** The commit that has all of them and all that the branch has; undefined where there is none. */
  readonly forward: string | undefined;
}

type Marks = ReadonlyMap<string, BranchMark>;

/**
 * Plans whose branch lacks the commits of completed steps, given the last one first.
 *
 * One question to git where nothing is missing. A commit that any branch but a worker's has is in its place: people work
 * and merge as they like. So is work that the branch or its base has under other names, after a squash, a rebase or a
 * change by hand.
 */
export async function findStepsOffBranch(
  ports: Ports,
  completed: readonly CompletedStep[],
): Promise<readonly StepsOffBranch[]> {
  const branches = await ports.branches();
  const marks = branches.marks();
  const workers = [...marks].filter(([, mark]) => isWorker(marks, mark)).map(([name]) => name);
  const marked = new Set([...marks.values()].map(({ plan }) => plan));
  const asked = completed.filter(({ plan }) => marked.has(plan));
  const absent = new Set(await branches.onNoBranch([...new Set(asked.map(({ commit }) => commit))], workers));
  const suspects = asked.filter(({ commit }) => absent.has(commit));
  const found: StepsOffBranch[] = [];
  for (const plan of new Set(suspects.map((step) => step.plan))) {
    const own = suspects.filter((step) => step.plan === plan);
    // What git cannot read is for the rules about damage.
    const one = await lacking(ports, plan, own, workers).catch(orNothing);
    if (one !== undefined) found.push(one);
  }
  return found;
}

const isWorker = (marks: Marks, { plan, base }: BranchMark): boolean => marks.get(base)?.plan === plan;

async function lacking(
  ports: Ports,
  plan: string,
  suspects: readonly CompletedStep[],
  workers: readonly string[],
): Promise<StepsOffBranch | undefined> {
  const branches = await ports.branches();
  const own = [...branches.marks()].filter(([name, mark]) => mark.plan === plan && !workers.includes(name));
  const usual = `${BRANCH_PREFIX}${await nameFor(ports, plan)}`;
  const [branch, mark] = own.find(([name]) => name === usual) ?? own[0] ?? [];
  if (branch === undefined || mark === undefined) return undefined;
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  const base = await baseCommit(branches, mark.base);
  const places = [tip, base, ...(await headsBeside(ports, workers))].filter((one) => one !== undefined);
  const steps = await withoutThose(ports, suspects, places);
  if (steps.length === 0) return undefined;
  return { plan, branch, base: mark.base, tip, steps, forward: await forwardOf(ports, steps, tip) };
}

/** What is checked out, but for workers' branches: a person may work without a branch. */
async function headsBeside(ports: Ports, workers: readonly string[]): Promise<readonly string[]> {
  const listed = await (await ports.worktrees()).list();
  return listed.flatMap(({ head, branch }) =>
    head === undefined || (branch !== undefined && workers.includes(branch)) ? [] : [head],
  );
}

/** The steps whose work none of the places has, neither as it was committed nor under another name. */
async function withoutThose(
  ports: Ports,
  steps: readonly CompletedStep[],
  places: readonly string[],
): Promise<readonly CompletedStep[]> {
  const branches = await ports.branches();
  const entries = await ports.git.planCommits({ refs: [...new Set(places)] });
  const named = new Set(
    entries.flatMap(({ plans, steps: anchors, revertedBy }) =>
      revertedBy === undefined ? plans.flatMap((plan) => anchors.map((anchor) => `${plan}#${anchor}`)) : [],
    ),
  );
  const left: CompletedStep[] = [];
  for (const step of steps) {
    let isThere = named.has(`${step.plan}#${step.anchor}`);
    for (const place of new Set(places))
      isThere ||= (await branches.landed(place, step.commit)) !== undefined;
    if (!isThere) left.push(step);
  }
  return left;
}

/** As a rule the step that was completed last has all the others, and the branch, below it. */
async function forwardOf(
  ports: Ports,
  steps: readonly CompletedStep[],
  tip: string | undefined,
): Promise<string | undefined> {
  const all = [...steps.map(({ commit }) => commit), ...(tip === undefined ? [] : [tip])];
  for (const { commit } of steps) {
    let hasAll = true;
    for (const one of all) hasAll &&= await hasCommit(ports, commit, one);
    if (hasAll) return commit;
  }
  return undefined;
}
