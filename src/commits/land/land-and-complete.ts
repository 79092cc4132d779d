import { Failure } from "../../domain/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import { type Caller, complete, type CompleteAnswer, lateRef } from "../../steps/index.ts";
import { noteLanded } from "../train/note-landed.ts";
import { type Goal, land, TooLate } from "./landing.ts";

export interface LandableCommit {
  /** How the plan is called from where the caller is. */
  readonly operand: string;
  /** The plan's key. */
  readonly plan: string;
  readonly anchor: string;
  readonly caller: Caller;
  /** The number of the claim that it lands under. */
  readonly claim: number;
  readonly commit: string;
  /** Undefined where the commit is on its branch already. */
  readonly goal: Goal | undefined;
  /** Done in the transaction of the completion; without an answer the result came too late. */
  readonly alongside?: ((sql: Sql, answer: CompleteAnswer | undefined) => Promise<void>) | undefined;
}

/**
 * Brings a step's commit to where it belongs and completes the step with it.
 *
 * A commit that comes too late lands nowhere: it is kept under `refs/pawl/late/`, every branch of the plan that ends in
 * it goes back, and only then is the refusal on record. A crash in between leaves the intent open, and the next look
 * at it does the rest.
 */
export async function landAndComplete(
  ports: Ports,
  landable: LandableCommit,
): Promise<{ readonly answer: CompleteAnswer; readonly landed: string }> {
  const { operand, plan, anchor, caller, claim, commit, goal } = landable;
  const finish = async (landed: string, isLate: boolean, from?: string) => {
    const answer = await complete(ports, {
      plan: operand,
      step: anchor,
      caller,
      commit: landed,
      commitIsKnown: true,
      async alongside(sql, result) {
        if (result === undefined && !isLate) throw new TooLate();
        if (result !== undefined)
          await noteLanded(sql, {
            plan,
            anchor,
            claim,
            commit: landed,
            move: goal && { branch: goal.branch, from },
            worktree: caller.worktree.path,
            session: caller.session,
          });
        await landable.alongside?.(sql, result);
      },
    });
    return { answer, landed };
  };
  let isPushed = false;
  try {
    if (goal === undefined) return await finish(commit, false);
    return await land(ports, { plan, anchor, caller, claim, commit, goal }, (landed, from) =>
      finish(landed, false, from),
    );
  } catch (error) {
    if (!(error instanceof TooLate)) throw error;
    ({ isPushed } = error);
  }
  await ports.git.holdCommit(lateRef(plan, anchor, claim), commit);
  // Other clones build on what a remote has.
  if (!isPushed) await takeOff(ports, landable);
  await finish(commit, true);
  throw new Failure("internal/bug", `${anchor} was completed by a claim that is over.`, { plan, anchor });
}

/** Takes a commit off the branches of its plan that end in it; files and index stay. No other branch is touched. */
async function takeOff(ports: Ports, { plan, commit, caller }: LandableCommit): Promise<void> {
  const [branches, worktrees, commits] = await Promise.all([
    ports.branches(),
    ports.worktrees(),
    ports.commits(),
  ]);
  const parent = (await branches.commits([`${commit}^1`])).get(`${commit}^1`);
  for (const { name, commit: tip, mark } of await branches.planBranches()) {
    if (mark?.plan !== plan || tip !== commit || mark.start === commit) continue;
    const [checkout] = await worktrees.checkoutsOf(name);
    // In another checkout the files would stay behind, and look like changes of the worker there.
    if (checkout && checkout.path !== caller.worktree.path) continue;
    try {
      if (checkout) await commits.takeBack(ports.repository.worktree(checkout.path), commit, LATE);
      else if (parent !== undefined) await branches.advance(name, commit, parent, LATE);
    } catch (error) {
      // It moved on meanwhile. What is on record keeps the step from being completed with it.
      if (!(error instanceof Failure)) throw error;
    }
  }
}

const LATE = "taken back, it came too late";

/**
 * Where the commits of a worktree go, by the branch it has: a worker's to the plan's, any other stays where it is.
 *
 * With a remote the plan's own branch goes there, from whichever worktree has it.
 */
export async function goalOf(
  ports: Ports,
  plan: string,
  branch: string | undefined,
): Promise<Goal | undefined> {
  if (branch === undefined) return undefined;
  const branches = await ports.branches();
  const mark = (await branches.planBranch(branch))?.mark;
  if (mark?.plan !== plan || mark.base === branch) return undefined;
  const base = await branches.planBranch(mark.base);
  if (base?.mark?.plan === plan) return { branch: mark.base, from: branch };
  return ports.settings.remote === undefined ? undefined : { branch, from: branch };
}
