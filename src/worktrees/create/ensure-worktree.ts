import { Failure, LOCK_REASON } from "../../domain/index.ts";
import type {
  CheckedOut,
  ListedWorktree,
  PlanBranch,
  Ports,
  Wanted,
  Worktrees,
} from "../../platform/ports/index.ts";
import { type Base, chooseBase, chooseBranch, refusePrefix } from "../../commits/index.ts";
import type { OpenedPlan } from "../../plans/index.ts";
import { savedLines } from "../saved.ts";
import type { NewWorktree } from "./prepare-worktree.ts";

export interface Ensured extends NewWorktree {
  readonly base: string;
  readonly warnings: readonly string[];
}

/** What is asked of a worktree that is to be there. */
export interface EnsureRequest {
  readonly base?: string | undefined;
  readonly name?: string | undefined;
}

/** Finds the plan's worktree, or makes it, with its branch if that is not there either. Under the lock `worktrees`. */
export async function ensureWorktree(
  ports: Ports,
  plan: OpenedPlan,
  request: EnsureRequest,
): Promise<Ensured> {
  const worktrees = await ports.worktrees();
  const cleared = await worktrees.clearHalfMade();
  const { name, branch, existing } = await chooseBranch(ports, plan.key, request.name);
  const path = worktrees.pathFor(name);
  const { listed, present } = await whereabouts(worktrees, { branch, path });
  if (present !== undefined && !present.isMissing) {
    refuseMain(present);
    ports.repository.worktree(present.path);
    if (present.lock === undefined) await worktrees.lock(present, LOCK_REASON);
    const base = existing?.mark?.base ?? (await chooseBase(ports, request.base, listed)).name;
    return {
      worktree: { ...present, lock: present.lock ?? LOCK_REASON },
      branch,
      base,
      isNew: false,
      newBranchAt: undefined,
      warnings: [...cleared, ...otherBase(base, request)],
    };
  }
  if (existing === undefined) await refusePrefix(ports);
  const warnings = present === undefined ? [] : await forget(ports, present);
  refuseOccupied(worktrees, listed, path, branch);
  const start = await markFor(ports, { plan: plan.key, request, branch, existing, listed });
  const [{ worktree, hookFailure }] = await Promise.all([
    worktrees.add({
      path,
      branch,
      commit: existing?.commit ?? start.commit,
      isNewBranch: existing === undefined,
      lockReason: LOCK_REASON,
    }),
    // While git works. What cannot be read is reported by the command that needs it.
    plan.totalSteps().catch(() => undefined),
  ]);
  if (hookFailure !== undefined) warnings.push(`the post-checkout hook failed: ${hookFailure}`);
  return {
    worktree,
    branch,
    base: start.name,
    isNew: true,
    newBranchAt: existing === undefined ? start.commit : undefined,
    warnings: [...cleared, ...warnings, ...otherBase(start.name, request)],
  };
}

interface Whereabouts {
  readonly listed: readonly CheckedOut[];
  /** The worktree that has the branch already. */
  readonly present: ListedWorktree | undefined;
}

/** Of a branch that is nowhere yet, as a new one is, git's files tell that; about all others git is asked. */
async function whereabouts(worktrees: Worktrees, wanted: Wanted): Promise<Whereabouts> {
  const main = worktrees.mainIfFree(wanted);
  if (main !== undefined) return { listed: [main], present: undefined };
  const listed = await worktrees.list();
  return { listed, present: listed.find(({ branch }) => branch === wanted.branch) };
}

/** Handing out the main checkout as the plan's worktree would send the agent into the user's files. */
function refuseMain({ isMain, branch, path }: ListedWorktree): void {
  if (!isMain) return;
  throw new Failure(
    "worktree/in-the-way",
    `${branch} is checked out in the main checkout ${path}, so it cannot have a worktree of its own.`,
    { branch_name: branch, worktree_path: path },
    { hint: "Switch the main checkout to another branch." },
  );
}

function refuseOccupied(
  worktrees: Worktrees,
  listed: readonly CheckedOut[],
  path: string,
  branch: string,
): void {
  const other = listed.find((worktree) => worktree.path === path && worktree.branch !== branch);
  const what =
    other === undefined
      ? "is there and is no worktree"
      : `has ${other.branch ?? "a detached HEAD"} checked out`;
  if (other === undefined && worktrees.occupantOf(path) !== "something") return;
  throw new Failure("worktree/in-the-way", `${path} ${what}.`, { path, branch_name: other?.branch ?? null });
}

interface Marking {
  readonly plan: string;
  readonly request: EnsureRequest;
  readonly branch: string;
  readonly existing: PlanBranch | undefined;
  readonly listed: readonly CheckedOut[];
}

/** Written before the branch: a branch of an unknown plan could be taken for another plan's. */
async function markFor(ports: Ports, { plan, request, branch, existing, listed }: Marking): Promise<Base> {
  if (existing?.mark !== undefined) return { name: existing.mark.base, commit: existing.mark.start };
  const branches = await ports.branches();
  const base = await chooseBase(ports, request.base, listed);
  const fork = existing && (await branches.mergeBase(base.commit, existing.commit));
  const start = fork ?? base.commit;
  await branches.mark(branch, { plan, base: base.name, start });
  return { name: base.name, commit: start };
}

const otherBase = (base: string, request: EnsureRequest): readonly string[] =>
  request.base === undefined || request.base === base
    ? []
    : [`the branch was made from ${base}, so --base ${request.base} has no effect`];

async function forget(ports: Ports, missing: ListedWorktree): Promise<string[]> {
  const { pruneMissing: forgetWorktree } = await import("../remove/prune-missing.ts");
  const { saved, hadFiles } = await forgetWorktree(ports, missing);
  const what = hadFiles ? ".git in" : "the folder";
  return [
    `${what} ${missing.path} was gone; the worktree was made again from its branch`,
    ...savedLines(saved),
  ];
}
