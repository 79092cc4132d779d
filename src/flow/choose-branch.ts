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

/** The branch for a plan's worktree. Git is asked only about those that it may be. */
export async function chooseBranch(
  ports: Ports,
  key: string,
  asked: string | undefined,
): Promise<ChosenBranch> {
  const branches = await ports.branches();
  const names = asked === undefined ? slugsFor(ports, key) : [asked];
  const found = await Promise.all(names.map((one) => branches.planBranch(`${BRANCH_PREFIX}${one}`)));
  const known = found.filter((one) => one !== undefined);
  const name = asked ?? nameFor(ports, key, known);
  const branch = `${BRANCH_PREFIX}${name}`;
  const existing = known.find((one) => one.name === branch);
  refuseOther(existing, key);
  return { name, branch, existing };
}

/** The plan's own branch if it has one already; else its name, or that and more where another plan took the name. */
export function nameFor(ports: Ports, key: string, known: readonly PlanBranch[]): string {
  const slugs = slugsFor(ports, key);
  const free = (slug: string) => {
    const mark = known.find(({ name }) => name === `${BRANCH_PREFIX}${slug}`)?.mark;
    return mark === undefined || mark.plan === key;
  };
  return slugs.find(free) ?? slugs[1];
}

const slugsFor = (ports: Ports, key: string): readonly [string, string] => [
  planSlug(key),
  distinctSlug(key, ports.sha256(key)),
];

function refuseOther(existing: PlanBranch | undefined, key: string): void {
  const plan = existing?.mark?.plan;
  if (plan === undefined || plan === key) return;
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
