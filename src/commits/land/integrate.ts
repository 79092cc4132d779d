import { BRANCH_PREFIX, Failure } from "../../domain/index.ts";
import type { Branches, BranchMark, MergedTree, PlanBranch, Ports } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { chooseBase } from "../branches/choose-base.ts";
import { journal } from "../../journal/index.ts";
import { joinCommit, type Join } from "../join-commit.ts";
import { hasChecks, whileSettled } from "./landing.ts";
import { type Move, moveBranch } from "../move-branch.ts";
import { nameFor, refusePrefix } from "../branches/choose-branch.ts";
import { tipToRestore } from "./restore-branch.ts";

/** How often the branch may move under us before landing gives up. */
export const ROUNDS = 20;

export interface Integration {
  readonly plan: string;
  /** Where the work of all workers comes together. */
  readonly branch: string;
  readonly base: string;
  /** Where it was put back; undefined when it was there, or is new. */
  readonly restoredAt?: string | undefined;
}

/** The plan's own branch, made if it is not there. No worker has it checked out, so it can move at any time. */
export async function ensureIntegration(ports: Ports, plan: string): Promise<Integration> {
  const branches = await ports.branches();
  const locks = await ports.locks();
  return locks.during("worktrees", async () => {
    const known = await branches.planBranches();
    const branch = `${BRANCH_PREFIX}${await nameFor(ports, plan)}`;
    const existing = known.find(({ name }) => name === branch);
    if (existing?.mark) {
      await catchUp(ports, existing, existing.mark);
      return { plan, branch, base: existing.mark.base };
    }
    if (!existing) await refusePrefix(ports);
    const listed = await (await ports.worktrees()).list();
    const base = await chooseBase(ports, undefined, listed);
    const restoredAt = existing ? undefined : await tipToRestore(ports, { plan, branch, base });
    const start = restoredAt && (await branches.mergeBase(base.commit, restoredAt));
    await branches.mark(branch, { plan, base: base.name, start: existing?.commit ?? start ?? base.commit });
    if (!existing) await branches.advance(branch, NOT_THERE, restoredAt ?? base.commit);
    if (restoredAt !== undefined) await recordRestored(ports, { plan, branch, commit: restoredAt });
    return { plan, branch, base: base.name, restoredAt };
  });
}

/**
 * Brings the plan's branch to its base where that has all of it: after a merge, or before the first step.
 *
 * Otherwise agents would go on from an old state of everything else, and not see the plan as it was committed since.
 * One that is checked out stays: their files would have to move along.
 */
async function catchUp(ports: Ports, { name, commit }: PlanBranch, mark: BranchMark): Promise<void> {
  const branches = await ports.branches();
  const ahead = await baseCommit(branches, mark.base);
  if (ahead === undefined || ahead === commit) return;
  if ((await (await ports.worktrees()).list()).some(({ branch }) => branch === name)) return;
  const to = await caughtUp(branches, { branch: name, tip: commit, base: mark.base, commit: ahead });
  // Where it moved meanwhile another worker has work on it, and it has not all been merged.
  if (to === undefined || !(await moveBranch(ports, { branch: name, from: commit, to }))) return;
  // It starts here now. As before, it would pass for merged, and a worktree that is made of it be cleaned away.
  await branches.mark(name, { ...mark, start: to });
}

/** The base itself where it has the branch's commits; a merge of both where it has their work as a squash. */
async function caughtUp(branches: Branches, at: Join): Promise<string | undefined> {
  const common = await branches.mergeBase(at.tip, at.commit);
  if (common === at.tip) return at.commit;
  if (common === at.commit || (await branches.landed(at.commit, at.tip)) === undefined) return undefined;
  return joinCommit(branches, at);
}

export async function recordRestored(
  ports: Ports,
  { plan, branch, commit }: { readonly plan: string; readonly branch: string; readonly commit: string },
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) => journal(sql, { event: "branch-restored", plan, detail: { branch, commit } }));
}

/** For git: the ref must not exist. */
const NOT_THERE = "";

/** A commit on its way to the plan's branch. */
interface Landing {
  readonly plan: string;
  readonly branch: string;
  readonly commit: string;
  /** Whose it is, for people. */
  readonly from: string;
  /** Whether the commit is verified also where it needs no merge: no verdict about its files is on record. */
  readonly verifiesAll?: boolean | undefined;
}

/** A merge whose tree nothing has verified yet. */
export interface UnverifiedMerge {
  readonly plan: string;
  readonly branch: string;
  /** Where the branch is. */
  readonly tip: string;
  /** Whose work comes to it, for people. */
  readonly from: string;
  readonly tree: string;
}

/** Verifies it; throws when it must not land. The rooms above know the checks, and pass this in. */
export type ApproveMerge = (merge: UnverifiedMerge) => Promise<void>;

/**
 * Brings commits to the plan's branch that belong to no claim, and answers with the commit that they are there under.
 *
 * The merge is made in memory and the branch moves in one step, so a crash leaves it before or behind. What is there
 * already is left as it is. Where the settings name checks, a merge is verified first, while others may land.
 */
export async function integrate(
  ports: Ports,
  landing: Landing,
  approve: ApproveMerge = (merge) => refuseUnverified(ports, merge),
): Promise<string> {
  const { plan, branch, commit, from, verifiesAll = false } = landing;
  let approved: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const end = await whileSettled(ports, branch, async () => {
      const move = await aimAt(ports, landing);
      if (move === undefined) return { at: commit };
      const tree = move.isMerge || verifiesAll ? await (await ports.branches()).treeOf(move.to) : undefined;
      if (tree !== approved && tree !== undefined)
        return { toApprove: { plan, branch, tip: move.from, from, tree } };
      return { at: (await moveTo(ports, move)) ? move.to : undefined };
    });
    if (end.at !== undefined) return end.at;
    if (end.toApprove === undefined) continue;
    await approve(end.toApprove);
    approved = end.toApprove.tree;
  }
  throw new Failure("worktree/busy", `${branch} kept moving while it was being merged into.`, { branch });
}

async function refuseUnverified(ports: Ports, { branch, from }: UnverifiedMerge): Promise<void> {
  if (!hasChecks(ports.settings)) return;
  throw new Failure("landing/unverified", `${from} and ${branch} were not verified together.`, {
    branch,
    from,
  });
}

/**
 * The move that brings a commit to a branch; undefined when the branch has it.
 *
 * A worker that was alone gets no merge commit: its own commit becomes the branch.
 */
export async function aimAt(
  ports: Ports,
  { plan, branch, commit, from }: Landing,
): Promise<AimedMove | undefined> {
  const branches = await ports.branches();
  const tip = await planTip(ports, { plan, branch });
  const near = branches.nearBase(tip, commit);
  const merged = near === undefined ? await branches.mergedTree(tip, commit) : undefined;
  const common = near ?? (merged && isOfBoth(merged) ? undefined : await branches.mergeBase(tip, commit));
  if (common === commit) return undefined;
  const isMerge = common !== tip;
  const to = isMerge ? await mergeCommit(branches, { tip, commit, branch, from, merged }) : commit;
  return { branch, from: tip, to, isMerge };
}

export interface AimedMove extends Move {
  /** Whether it ends in a merge commit, whose tree is new. */
  readonly isMerge: boolean;
}

/** Whether a merge brings something to each side: then neither commit has the other. */
const isOfBoth = (merged: MergedTree): boolean =>
  merged.kind === "conflicts" || (merged.kind === "clean" && !merged.isOfBranch);

interface ToMerge {
  readonly tip: string;
  readonly commit: string;
  readonly branch: string;
  readonly from: string;
  /** What comes of it, where that is known. */
  readonly merged?: MergedTree | undefined;
}

/** Merges in memory, and refuses over conflicts; no branch moves. */
export async function mergeCommit(
  branches: Branches,
  { tip, commit, branch, from, merged }: ToMerge,
): Promise<string> {
  const preview = merged ?? (await branches.mergedTree(tip, commit));
  if (preview.kind === "conflicts")
    throw new Failure(
      "merge/conflicts",
      `${from} and ${branch} changed the same lines of ${preview.files.join(", ") || "some files"}.`,
      { branch_name: from, base_branch: branch, files: preview.files, commit },
      {
        hint: "For people: merge the plan's branch into the work by hand, or let the step be done again with `pawl state retry`.",
      },
    );
  return branches.commitMerge({
    base: tip,
    branch: commit,
    branchName: from,
    tree: preview.kind === "clean" ? preview.tree : `${tip}^{tree}`,
    squash: false,
    title: `Merge ${from} into ${branch}`,
  });
}

/** Moves a branch, with the files of the worktree that has it; false when it is elsewhere by now. */
export async function moveTo(ports: Ports, move: Move): Promise<boolean> {
  const { branch, from, to } = move;
  const worktrees = await ports.worktrees();
  const [checkout] = await worktrees.checkoutsOf(branch);
  if (checkout === undefined) return moveBranch(ports, move);
  return worktrees.fastForward(ports.repository.worktree(checkout.path), { branch, from, to });
}

/** Where the plan's branch is. One that was deleted in the middle of a run is put back first. */
export async function planTip(
  ports: Ports,
  { plan, branch }: { readonly plan: string; readonly branch: string },
): Promise<string> {
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  if (tip !== undefined) return tip;
  await ensureIntegration(ports, plan);
  return tipOf(branches, branch);
}

export async function tipOf(branches: Branches, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  if (tip !== undefined) return tip;
  throw new Failure("git/failed", `The branch ${branch} is gone.`, { branch });
}

/**
 * Where a commit of a step must go before the step counts as done: the plan's branch, for a commit that so far only a
 * worker's branch has. Undefined when it stays where it is.
 */
export async function integrationFor(
  ports: Ports,
  plan: string,
  commit: string,
): Promise<{ readonly branch: string; readonly from: string } | undefined> {
  const branches = await ports.branches();
  const known = (await branches.planBranches()).filter(({ mark }) => mark?.plan === plan);
  const names = new Set(known.map(({ name }) => name));
  for (const { name, commit: tip, mark } of known) {
    if (mark === undefined || mark.base === name || !names.has(mark.base)) continue;
    if ((await branches.mergeBase(tip, commit)) === commit) return { branch: mark.base, from: name };
  }
  return undefined;
}
