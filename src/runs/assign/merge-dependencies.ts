import { Failure, shellWord } from "../../domain/index.ts";
import {
  bringNeeded,
  lackingIn,
  listNeededCommits,
  type MissingWork,
  type NeededCommit,
  notCheckedOut,
} from "../../claims/index.ts";
import { type ClaimedStep, release } from "../../steps/index.ts";
import { integrate } from "../../commits/index.ts";
import { readyWorktree } from "./ready-worktree.ts";
import { mergeApproval } from "../verify/base-verifier.ts";
import { type TreeCheck, verifyTree } from "../verify/verify-tree.ts";
import { blockStep } from "../finish/block-step.ts";
import type { Blocked } from "../finish/step-end.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** Whether the agent can start, or what became of the step instead. */
export type StartingPoint = { readonly kind: "whole" } | { readonly kind: "given-back" } | Blocked;

interface Claimed {
  /** The worktree was brought forward for this step, and nothing of it is there yet. */
  readonly isFresh: boolean;
  /** What the claim could not bring into a worktree that a person named. */
  readonly missing: readonly MissingWork[];
}

const WHOLE: StartingPoint = { kind: "whole" };

/**
 * Sees to it, after the claim and before the agent, that the worktree contains the commits of all steps that this one
 * depends on: one may have landed after the worktree was brought forward. Then it is brought forward once more.
 *
 * A worktree that has to be made anew is no longer the one that holds the step, so the step is given back first, and
 * the next round claims it again.
 */
export async function mergeDependencies(
  worker: Worker,
  held: ClaimedStep,
  { isFresh, missing }: Claimed,
): Promise<StartingPoint> {
  const { ports, integration, session } = worker;
  if (integration === undefined) return inNamedWorktree(worker, held, missing);
  const database = await ports.database();
  const { plan, anchor } = held;
  const needed = await database.read((sql) => sql.all(listNeededCommits, { plan_path: plan, anchor }));
  const { worktree } = session;
  const caller = workerCaller(worker, held);
  const giveBack = async (): Promise<StartingPoint> => {
    await release(ports, { plan: worker.operand ?? plan, step: anchor, caller });
    return { kind: "given-back" };
  };
  let behind = await notCheckedOut(ports, { worktree, needed });
  if (behind.length > 0 && isFresh) {
    await readyWorktree(worker);
    if (session.worktree.id !== worktree.id) return giveBack();
    behind = await notCheckedOut(ports, { worktree, needed: behind });
  }
  if (behind.length === 0) return WHOLE;
  // Of what is checked out: the plan's branch may have moved on since, as another worker brings the same commits.
  const tip = (await (await ports.commits()).head(worktree))!;
  const { here, notHere } = await lackingIn(ports, { plan, needed: behind, tip });
  for (const one of notHere) worker.warn(anchor, notInRepository(one.anchor, one.commit_hash));
  const conflict = await mergeIntoPlan(worker, held, here);
  if (conflict) return conflict;
  if (isFresh) return here.length === 0 ? WHOLE : giveBack();
  const { missingWork } = await bringNeeded(ports, { plan, worktree, needed: behind });
  return missingWork.every(({ reason }) => reason === "not_here") ? WHOLE : giveBack();
}

const notInRepository = (anchor: string, commit: string): string =>
  `it builds on ${anchor}, whose commit ${commit.slice(0, 12)} is not in this repository`;

/** Commits that were made elsewhere, as by a person in a worktree of their own, come to the plan's branch first. */
async function mergeIntoPlan(
  worker: Worker,
  held: ClaimedStep,
  commits: readonly NeededCommit[],
): Promise<Blocked | undefined> {
  const { ports, integration } = worker;
  for (const { anchor, commit_hash: commit } of commits)
    try {
      const run = (check: TreeCheck) => verifyTree(worker, check);
      const landing = { plan: held.plan, branch: integration!, commit, from: anchor };
      await integrate(ports, landing, mergeApproval(ports, { run }));
    } catch (error) {
      if (error instanceof Failure && error.problem === "sync/rejected") {
        const note = `It builds on ${anchor}, whose commit ${commit.slice(0, 12)} is not in ${integration}: ${error.message} Make both work together by hand, then retry this step.`;
        return blockStep(worker, held, undefined, { reason: "landing_rejected", note });
      }
      if (!(error instanceof Failure) || error.problem !== "merge/conflicts") throw error;
      const note = `It builds on ${anchor}, whose commit ${commit.slice(0, 12)} is not in ${integration} and conflicts with it: ${error.message} Merge it by hand, then retry this step.`;
      return blockStep(worker, held, undefined, { reason: "merge_conflict", note });
    }
  return undefined;
}

/** The claim has brought what it could; a worktree that a person named is not made anew. */
async function inNamedWorktree(
  worker: Worker,
  held: ClaimedStep,
  missing: readonly MissingWork[],
): Promise<StartingPoint> {
  const stuck = missing.find(({ reason }) => reason !== "not_here");
  for (const { anchor, commit } of missing.filter(({ reason }) => reason === "not_here"))
    worker.warn(held.anchor, notInRepository(anchor, commit));
  if (stuck === undefined) return WHOLE;
  const { anchor, commit } = stuck;
  const { path } = worker.session.worktree;
  const note = `It builds on ${anchor}, whose commit ${commit.slice(0, 12)} is not in ${path}. Commit what is there, merge it with \`git -C ${shellWord(path)} merge ${commit}\`, then retry this step.`;
  return blockStep(worker, held, undefined, { reason: "merge_conflict", note });
}
