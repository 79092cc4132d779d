import { Failure } from "../domain/errors.ts";
import { BRANCH_PREFIX, distinctSlug, planSlug } from "../domain/plan-branch.ts";
import type { PlanBranch } from "../ports/branches.ts";
import type { Ports } from "../ports/index.ts";

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
  const isTaken = asked === undefined && !isFree(first.existing, key);
  const chosen = isTaken ? await named(slugsFor(ports, key)[1]) : first;
  refuseOther(chosen.existing, key);
  return chosen;
}

/** Whether a branch may be this plan's: there is none, nobody said what it is for, or it is. */
const isFree = (branch: PlanBranch | undefined, key: string): boolean =>
  branch?.mark === undefined || branch.mark.plan === key;

/** The plan's own branch if it has one already; else its name, or that and more where another plan took the name. */
export function nameFor(ports: Ports, key: string, known: readonly PlanBranch[]): string {
  const slugs = slugsFor(ports, key);
  const free = (slug: string) =>
    isFree(
      known.find(({ name }) => name === `${BRANCH_PREFIX}${slug}`),
      key,
    );
  return slugs.find(free) ?? slugs[1];
}

const slugsFor = (ports: Ports, key: string): readonly [string, string] => [
  planSlug(key),
  distinctSlug(key, ports.sha256(key)),
];

function refuseOther(existing: PlanBranch | undefined, key: string): void {
  const plan = existing?.mark?.plan;
  if (plan === undefined || isFree(existing, key)) return;
  throw new Failure("worktree/in-the-way", `The branch ${existing!.name} belongs to the plan ${plan}.`, {
    branch_name: existing!.name,
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
