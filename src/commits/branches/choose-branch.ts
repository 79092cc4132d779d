import { BRANCH_PREFIX, distinctSlug, Failure, planSlug } from "../../domain/index.ts";
import type { BranchMark, PlanBranch, Ports } from "../../platform/ports/index.ts";

interface ChosenBranch {
  /** What the branch is called after the part that all of them share; the worktree's folder is called so too. */
  readonly name: string;
  readonly branch: string;
  readonly existing: PlanBranch | undefined;
}

/** The branch for a plan's worktree. Git is asked only about those that it may be, one after the other. */
export async function chooseBranch(
  ports: Ports,
  key: string,
  asked: string | undefined,
): Promise<ChosenBranch> {
  const branches = await ports.branches();
  const named = async (name: string): Promise<ChosenBranch> => {
    const branch = `${BRANCH_PREFIX}${name}`;
    return { name, branch, existing: await branches.planBranch(branch) };
  };
  const first = await named(asked ?? planSlug(key));
  const marks = branches.marks();
  const isTaken = asked === undefined && otherPlanOf(marks, first.branch, key) !== undefined;
  const chosen = isTaken ? await named(slugsFor(ports, key)[1]) : first;
  refuseOther(marks, chosen.branch, key);
  return chosen;
}

type Marks = ReadonlyMap<string, BranchMark>;

/**
 * The other plan that has this branch, if one does.
 *
 * Names that differ only in case count as one: on some disks they are one file, and one plan's work would replace the
 * other's.
 */
export function otherPlanOf(marks: Marks, branch: string, key: string): string | undefined {
  const folded = branch.toLowerCase();
  for (const [name, { plan }] of marks) if (plan !== key && name.toLowerCase() === folded) return plan;
  return undefined;
}

/** What the plan's own branch is called: its name, or that and more where another plan took the name. */
export async function nameFor(ports: Ports, key: string): Promise<string> {
  const marks = (await ports.branches()).marks();
  const slugs = slugsFor(ports, key);
  const free = (slug: string) => otherPlanOf(marks, `${BRANCH_PREFIX}${slug}`, key) === undefined;
  return slugs.find(free) ?? slugs[1];
}

const slugsFor = (ports: Ports, key: string): readonly [string, string] => [
  planSlug(key),
  distinctSlug(key, ports.sha256(key)),
];

function refuseOther(marks: Marks, branch: string, key: string): void {
  const plan = otherPlanOf(marks, branch, key);
  if (plan === undefined) return;
  throw new Failure("worktree/in-the-way", `The branch ${branch} belongs to the plan ${plan}.`, {
    branch_name: branch,
    plan_path: plan,
  });
}

/** Where a branch has the name of the folder that all of them go to, git can make none below it. */
export async function refusePrefix(ports: Ports): Promise<void> {
  const name = BRANCH_PREFIX.replace(/\/$/, "");
  if (!(await (await ports.branches()).exists(name))) return;
  throw new Failure(
    "worktree/in-the-way",
    `There is a branch called ${name}, so git can make none whose name begins with ${BRANCH_PREFIX}.`,
    { branch_name: name },
    { hint: `Give it another name, such as: git branch -m ${name} ${name}-old` },
  );
}
