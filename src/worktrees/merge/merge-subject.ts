import {
  BRANCH_PREFIX,
  Failure,
  few,
  orNothing,
  planSlug,
  shellWord,
  SPEC_BRANCH_PREFIX,
} from "../../domain/index.ts";
import { completedSteps, findStepsOffBranch } from "../../commits/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { findSpec } from "../../plans/index.ts";
import { baseCommit } from "../../platform/index.ts";
import type { Branches, Ports } from "../../platform/ports/index.ts";

/** A plan's branch and its base, and where both are. */
export interface MergeSubject {
  readonly branch: string;
  readonly tip: string;
  readonly base: string;
  readonly baseTip: string;
  readonly plan: string | undefined;
}

export async function mergeSubject(
  ports: Ports,
  branches: Branches,
  { target, into }: { readonly target: string; readonly into?: string | undefined },
): Promise<MergeSubject> {
  const known = await branches.planBranches();
  const branch = await branchOf(ports, branches, target, known);
  const mark = known.find(({ name }) => name === branch)?.mark;
  const base = into ?? mark?.base ?? ports.settings.base_branch ?? (await branches.current());
  if (base === undefined) {
    throw new Failure(
      "worktree/no-base",
      `Pawl has no record of the branch that ${branch} should be merged into.`,
      { branch_name: branch },
      { hint: "Name the branch with --into." },
    );
  }
  const [ref, baseRef] = [`refs/heads/${branch}`, `refs/heads/${base}`];
  const commits = await branches.commits([ref, baseRef]);
  const [tip, baseTip] = [commits.get(ref), commits.get(baseRef)];
  if (base === branch || baseTip === undefined || tip === undefined) {
    const other = await baseCommit(branches, base);
    const why =
      base === branch
        ? "it is the branch itself"
        : other === undefined
          ? `there is no branch ${base} with a commit here`
          : `it is no branch but the commit ${other.slice(0, 12)}, which cannot move`;
    throw new Failure(
      "worktree/no-base",
      `${branch} cannot be merged into ${base}: ${why}.`,
      { branch_name: branch, base_branch: base },
      { hint: "Name a branch of this repository with --into." },
    );
  }
  return { branch, tip, base, baseTip, plan: mark?.plan };
}

/** How a person makes a plan's branch and its base work together; the general words for a branch without a plan. */
export function solvingHint(
  plan: string | undefined,
  base: string,
  { solve = "resolve the conflicts", after }: { readonly solve?: string; readonly after: string },
): { readonly hint?: string } {
  if (plan === undefined) return {};
  const name = shellWord(plan);
  return {
    hint: `Nothing was merged. A person merges the base into the plan's branch: \`pawl worktree create ${name}\`, in that worktree \`git merge ${shellWord(base)}\`, ${solve}, commit. ${after}`,
  };
}

type Known = Awaited<ReturnType<Branches["planBranches"]>>;

/** A branch by its full name, else the branch of a plan. */
export async function branchOf(
  ports: Ports,
  branches: Branches,
  target: string,
  known: Known,
): Promise<string> {
  const ref = `refs/heads/${target}`;
  if (!target.startsWith("-") && (await branches.commits([ref])).has(ref)) return target;
  const { key } = ports.plans.locate(target);
  const own = known.filter(({ mark }) => mark?.plan === key);
  const byName = `${BRANCH_PREFIX}${planSlug(key)}`;
  const usual = own.find(({ name }) => name === byName);
  // A worker's branch must not stand in for the plan's that is gone.
  if (usual === undefined) await refuseLacking(ports, key);
  const found = usual ?? own[0] ?? known.find(({ name, mark }) => name === byName && !mark);
  if (found !== undefined) return found.name;
  const ofSpec = `${SPEC_BRANCH_PREFIX}${key.split("/").at(-1)}`;
  if (findSpec(ports, target) && (await branches.exists(ofSpec))) return ofSpec;
  throw new Failure(
    "worktree/not-found",
    `${target} is no branch, and no plan that has one.`,
    { target },
    { hint: "Run `pawl worktree list` to see the branches of plans." },
  );
}

/** Refuses to merge what a plan calls completed without the work of all of it. */
export async function refuseLacking(ports: Ports, plan: string, merged?: string): Promise<void> {
  const database = await openIfThere(ports).catch(orNothing);
  const completed = await database?.read((sql) => completedSteps(sql, [plan]));
  for (const { branch, tip, steps } of await findStepsOffBranch(ports, completed ?? [])) {
    if (merged !== undefined && branch !== merged) continue;
    const anchors = steps.map(({ anchor }) => anchor).toReversed();
    const what = tip === undefined ? "is gone, and with it" : "lacks";
    throw new Failure(
      "branch/steps-missing",
      `The branch ${branch} ${what} completed work: ${few(anchors)}.`,
      {
        branch_name: branch,
        steps: anchors,
      },
    );
  }
}
