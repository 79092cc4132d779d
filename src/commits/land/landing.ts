import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { clearLanding } from "../sql/clear-landing.ts";
import { closeIntent } from "../sql/close-intent.ts";
import { findPassedTree } from "../sql/find-passed-tree.ts";
import { findStep, lockedStep, planPathFromHere } from "../../plans/index.ts";
import { listOpenLandings } from "../sql/list-open-landings.ts";
import { noteUnverified } from "../note-unverified.ts";
import { noteLanded } from "../train/note-landed.ts";
import { markLanding } from "../sql/mark-landing.ts";
import type { IntentRow } from "../../platform/index.ts";
import { type Caller, complete, ownerParams } from "../../steps/index.ts";
import { journal, openIfThere } from "../../journal/index.ts";
import type { Move } from "../move-branch.ts";
import { storeIdOf } from "../../sessions/index.ts";

/** A step's commit on its way to the plan's branch. */
export interface StepLanding {
  readonly plan: string;
  readonly anchor: string;
  readonly caller: Caller;
  /** The number of the claim that it lands under. */
  readonly claim: number;
  readonly commit: string;
  readonly goal: Goal;
}

/** Where a commit goes, and the branch it comes from. */
export interface Goal {
  readonly branch: string;
  readonly from: string;
  /** Verifies the tree that a commit and what landed meanwhile make together; throws when it must not land. */
  readonly approve?:
    | ((merged: { readonly commit: string; readonly tree: string }) => Promise<void>)
    | undefined;
  /** Whether the caller builds its commit anew when others landed on a shared remote meanwhile; else it is merged. */
  readonly rebuilds?: boolean | undefined;
}

/** The claim is over. Thrown before anything about it is on record, so that the branches go back first. */
export class TooLate extends Error {
  /** Whether a remote has the commit: it stays there then. */
  readonly isPushed: boolean;

  constructor(isPushed = false) {
    super("the claim is over");
    this.isPushed = isPushed;
  }
}

/** A process that moves a plan's branch, or builds on where it is, holds this: in between a move may still be taken back. */
export const landingLock = (branch: string): string => `integrate ${branch}`;

/** Does something while no commit is landing, after moves that a crash left open were settled. */
export async function whileSettled<T>(ports: Ports, branch: string, work: () => Promise<T>): Promise<T> {
  const locks = await ports.locks();
  return locks.during(landingLock(branch), async () => {
    await settleLandings(ports, branch);
    return work();
  });
}

/**
 * Does something while a branch has a commit for good; false when it has it no more.
 *
 * What was read of the branch before may have been a landing that was taken back since.
 */
export const whileHas = (
  ports: Ports,
  { branch, commit }: { readonly branch: string; readonly commit: string },
  work: () => Promise<boolean>,
): Promise<boolean> =>
  whileSettled(ports, branch, async () => ((await isMade(ports, { branch, to: commit })) ? work() : false));

/**
 * Moves the plan's branch to a commit and completes the step with it: both, or neither.
 *
 * The claim is proven right before the move, in the transaction that writes the move down, and right after it, by the
 * completion itself. When the step went to another owner in between, the branch moves back while no other worker can land
 * anything. After a crash the next holder of the lock finds what was written down, and does the same.
 */
export async function land<T>(
  ports: Ports,
  landing: StepLanding,
  completeWith: (landed: string, from?: string) => Promise<T>,
): Promise<T> {
  const { plan, commit, goal } = landing;
  if (ports.settings.remote !== undefined)
    return (await import("../remote/land-by-push.ts")).landByPush(ports, landing, completeWith);
  const { aimAt, moveTo, ROUNDS } = await import("./integrate.ts");
  const settled = <R>(work: () => Promise<R>) => whileSettled(ports, goal.branch, work);
  const aim = () => aimAt(ports, { plan, commit, ...goal });
  for (let round = 0; round < ROUNDS; round += 1) {
    const aimed = await settled(aim);
    // Verifying takes its time, and others may land meanwhile.
    if (aimed?.isMerge) await approve(ports, landing, aimed);
    const done = await settled(async () => {
      const move = aimed?.isMerge && (await branchIsAt(ports, aimed)) ? aimed : await aim();
      if (move === undefined) return { value: await completeWith(commit) };
      if (move.isMerge && move !== aimed) return undefined;
      if (!(await mark(ports, landing, move))) throw new TooLate();
      if (!(await moveTo(ports, move))) return undefined;
      try {
        return { value: await completeWith(move.to, move.from) };
      } catch (error) {
        // Where that fails, too, the move stays written down, and the next landing settles it.
        await takeBack(ports, { ...landing, move }).catch(() => undefined);
        throw error;
      }
    });
    if (done) return done.value;
  }
  throw new Failure("worktree/busy", `${goal.branch} kept moving while it was being merged into.`, {
    branch: goal.branch,
  });
}

/** Whether the branch is still where a move starts. */
export async function branchIsAt(ports: Ports, { branch, from }: Move): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  return (await (await ports.branches()).commits([ref])).get(ref) === from;
}

/** A merge brings together what was never verified together. */
export async function approve(
  ports: Ports,
  { anchor, commit, goal }: StepLanding,
  { to }: Move,
): Promise<void> {
  if (goal.approve) return goal.approve({ commit: to, tree: await (await ports.branches()).treeOf(to) });
  if (!hasChecks(ports.settings)) return;
  throw new Failure(
    "landing/unverified",
    `Others landed on ${goal.branch} since ${anchor} was verified, and both together were never verified.`,
    { anchor, branch: goal.branch, commit },
  );
}

/** Whether the settings name anything that verifies steps. */
export const hasChecks = ({ tables }: Ports["settings"]): boolean => {
  const verify = tables?.verify;
  return typeof verify === "object" && verify !== null && CHECKS.some((name) => Object.hasOwn(verify, name));
};

const CHECKS = ["command", "agent", "run_checkpoints"] as const;

/**
 * Why a commit that a killed process left must be verified before it lands, by itself and not as part of a merge: a hook
 * may have changed what had passed, and the process that would have compared the two is gone.
 */
export async function whyUnverified(
  ports: Ports,
  { plan_path, anchor, claim, unverified }: IntentRow,
  commit: string,
): Promise<string | undefined> {
  if (unverified !== null || !hasChecks(ports.settings)) return undefined;
  const tree = await (await ports.branches()).treeOf(commit);
  const database = await ports.database();
  const passed = await database.read((sql) => sql.get(findPassedTree, { plan_path, anchor, claim, tree }));
  if (passed) return undefined;
  return `the files of its commit ${commit.slice(0, 12)} are not those that were verified; the next run verifies them`;
}

/** False when the claim is over. */
export async function mark(ports: Ports, landing: StepLanding, { branch, from, to }: Move): Promise<boolean> {
  const { plan, anchor, caller, claim, commit } = landing;
  const database = await ports.database();
  return database.write(async (sql) => {
    const step = await lockedStep(sql, plan, anchor);
    const marked = await sql.run(markLanding, {
      ...ownerParams(step, caller),
      number: claim,
      commit_hash: commit,
      branch,
      branch_from: from,
      branch_to: to,
      now: sql.now,
    });
    return marked > 0;
  });
}

export type OpenLanding = Pick<StepLanding, "plan" | "anchor" | "claim"> & { readonly move: Move };

/** What a crash left: a move that was made is completed, or taken back when its claim is over by now. */
async function settleLandings(ports: Ports, branch: string): Promise<void> {
  const database = await openIfThere(ports);
  const open = (await database?.read((sql) => sql.all(listOpenLandings, { branch }))) ?? [];
  const own = storeIdOf(ports, "");
  // On a server there are those of other clones, whose branches are not these.
  for (const intent of open) if (intent.worktree_id.startsWith(own)) await settle(ports, intent);
}

async function settle(ports: Ports, intent: IntentRow): Promise<void> {
  const {
    plan_path,
    anchor,
    claim,
    worktree: path,
    worktree_id: id,
    branch,
    branch_from,
    branch_to,
  } = intent;
  if (branch === null || branch_from === null || branch_to === null) return;
  const move = { branch, from: branch_from, to: branch_to };
  const landing = { plan: plan_path, anchor, claim, move };
  await finishHalf(ports, branch);
  const isShared = ports.settings.remote !== undefined;
  const isThere = isShared ? await isOnRemote(ports, landing) : await isMade(ports, move);
  if (isThere === undefined) return;
  if (!isThere) return clear(ports, landing);
  try {
    await complete(ports, {
      plan: planPathFromHere(ports, plan_path),
      step: anchor,
      caller: { worktree: { path, id }, claim },
      commit: move.to,
      commitIsKnown: true,
      async alongside(sql, answer) {
        if (answer === undefined) throw new TooLate();
        await noteLanded(sql, { plan: plan_path, anchor, claim, commit: move.to, move, worktree: path });
        await noteUnverified(sql, intent);
        await sql.run(closeIntent, {
          plan_path,
          anchor,
          claim,
          commit_hash: intent.commit_hash,
          now: sql.now,
        });
      },
    });
  } catch (error) {
    if (!(error instanceof TooLate || error instanceof Failure)) throw error;
    if (isShared)
      await (await import("../remote/settle-pushed.ts")).settlePushed(ports, { ...landing, worktree: path });
    else await takeBack(ports, landing);
  }
}

/** Whether a remote has what a crash left; undefined while the remote cannot be asked, and the move stays open. */
async function isOnRemote(ports: Ports, { plan, move }: OpenLanding): Promise<boolean | undefined> {
  const { followRemote, hasCommit, remoteTip } = await import("../remote/remote-tip.ts");
  try {
    const there = await remoteTip(ports, move.branch);
    if (there?.tip === undefined || !(await hasCommit(ports, there.tip, move.to))) return false;
    await followRemote(ports, { plan, branch: move.branch }, there);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "remote/unreachable") throw error;
    // The branch here moves after the push.
    return move.from !== move.to && (await isMade(ports, move)) ? true : undefined;
  }
}

/** A checkout that a crash left half moved goes to its end first: left so, the next look at it would move the branch. */
export async function finishHalf(ports: Ports, branch: string): Promise<void> {
  const worktrees = await ports.worktrees();
  for (const checkout of await worktrees.checkoutsOf(branch))
    if (worktrees.isHalfForward(checkout)) await worktrees.finishForward(checkout);
}

async function isMade(ports: Ports, { branch, to }: Pick<Move, "branch" | "to">): Promise<boolean> {
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  return tip !== undefined && (tip === to || (await branches.mergeBase(tip, to)) === to);
}

/**
 * Brings the branch back to where it was, unless the step is completed after all: its answer may have been lost.
 *
 * A person may have committed on top of it meanwhile. That stays, and the journal says so.
 */
async function takeBack(ports: Ports, landing: OpenLanding): Promise<void> {
  const { plan, anchor, claim, move } = landing;
  const database = await ports.database();
  const step = await database.read((sql) => sql.get(findStep, { plan_path: plan, anchor }));
  if (step?.status === "completed" && step.commit_hash === move.to) return clear(ports, landing);
  const { moveTo } = await import("./integrate.ts");
  const back = { branch: move.branch, from: move.to, to: move.from };
  const isBack = await moveTo(ports, back).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return false;
  });
  await database.write(async (sql) => {
    await sql.run(clearLanding, { plan_path: plan, anchor, claim });
    await journal(sql, {
      event: isBack ? "landing-taken-back" : "landing-not-taken-back",
      plan,
      anchor,
      claim,
      detail: { branch: move.branch, from: move.to, to: move.from },
    });
  });
}

export async function clear(ports: Ports, { plan, anchor, claim }: OpenLanding): Promise<void> {
  const database = await ports.database();
  await database.write((sql) => sql.run(clearLanding, { plan_path: plan, anchor, claim }));
}
