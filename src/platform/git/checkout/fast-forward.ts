import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { Files, Forward } from "../../ports/index.ts";
import { shown } from "../files/byte-path.ts";
import { nameCommits } from "../refs/name-commits.ts";
import { checkedOutCommit } from "../refs/checked-out-ref.ts";
import type { RunGit } from "../process/run-git.ts";
import { isLooseAncestor, looseCommit } from "../objects/loose-commit.ts";
import { flushCommits, flushObjects } from "../objects/flush-objects.ts";
import { diffTrees, diffWithFolders } from "../files/diff-trees.ts";
import { isAncestor } from "../merge/has-landed.ts";
import { type MoveSetting, moveCheckout, headRef, refuseObstacles } from "./move-checkout.ts";
import { HalfUndone, type NumberedChange } from "./change-files.ts";
import { mergeRefusal, unfinishedFailure, unreadableFailure } from "./checkout-failures.ts";
import {
  type CheckoutPaths,
  checkoutPaths,
  clearFolders,
  hasLeftovers,
  holdingRef,
  isUnfinished,
  makeCheckoutFolders,
} from "./checkout-paths.ts";
import { findObstacles } from "./find-obstacles.ts";
import { dropIndexLock, dropRefLocks } from "./index-lock.ts";
import { type Intent, readIntent, refMove, type WholeIntent, writeIntent } from "./intent.ts";
import { undoMove } from "./undo-move.ts";
import { type Rehearsal, writeNewFiles } from "./write-new-files.ts";

export interface ForwardSetting extends MoveSetting {
  readonly files: Files;
}

/**
 * Moves a checkout to a commit ahead of it: files, index and branch.
 *
 * Many files cannot change in one step, so everything that can fail comes first: the new files are written beside the
 * checkout, through all filters, and git holds the branch where it is. What is left are renames. They are written down
 * before the first of them, so that after a kill the next call continues with the rest; and when one of them fails, those
 * before it are taken back. No file of the checkout is ever half written.
 */
export async function fastForward(
  setting: ForwardSetting,
  checkout: { readonly path: string; readonly gitDir: string },
  { branch, to, from, head, isKept = false, isAddedNext }: Forward,
): Promise<boolean> {
  const place = checkoutPaths(checkout.path, checkout.gitDir);
  await finishForward(setting, checkout);
  const now = await intentFor(setting, place, branch, to);
  if (now === undefined) return false;
  if (now.from === (head?.to ?? to)) return true;
  const at = head?.from ?? from;
  if (!(at === undefined ? await leadsBack(setting, to, now.from) : now.from === at)) return false;
  const intent = head === undefined ? now : { ref: now.ref, from: from ?? head.from, to, head, isAddedNext };
  const { changes, objects } = await numberedChanges(setting.run, intent);
  const done = async () => (isKept ? clearFolders(place) : forget(setting, place));
  makeCheckoutFolders(place);
  try {
    const rehearsal = await rehearse(setting, place, intent, changes);
    await flushTarget(setting, intent, objects);
    if (!isKept)
      await setting.run({ args: ["update-ref", "--no-deref", holdingRef(place), to], access: "keep" });
    writeIntent(setting.files, place, intent, changes);
    const isMoved = await moveCheckout(setting, place, intent, changes, rehearsal);
    await done();
    return isMoved;
  } catch (error) {
    if (error instanceof HalfUndone) throw unfinishedFailure(place, error);
    if (error instanceof Failure && error.problem === "git/stopped")
      await dropRefLocks(place, setting.git.gitDir, intent);
    await done();
    throw mergeRefusal(error);
  }
}

/** Work that is not committed comes from files whose objects are on the disk, so only what is new to it is flushed. */
async function flushTarget(
  { run, git: { gitDir } }: ForwardSetting,
  { to, head }: Intent,
  objects: readonly string[],
): Promise<void> {
  const tree = head && looseCommit(gitDir, to)?.tree;
  await (tree === undefined ? flushCommits(run, gitDir, [to]) : flushObjects(gitDir, [to, tree, ...objects]));
}

async function leadsBack({ run, git }: ForwardSetting, newer: string, older: string): Promise<boolean> {
  return isLooseAncestor(git.gitDir, older, newer) || isAncestor(run, older, newer);
}

/** Where git refuses, what is in the way says why. */
async function rehearse(
  setting: ForwardSetting,
  place: CheckoutPaths,
  intent: Intent,
  changes: readonly NumberedChange[],
): Promise<Rehearsal> {
  try {
    return await writeNewFiles(setting.git, place, intent, changes);
  } catch (error) {
    await refuseObstacles(setting, place, changes, join(place.gitDir, "index"));
    throw error;
  }
}

/** What is in the way of a merge that ends in this tree, by name. */
export async function inTheWay(
  { run }: ForwardSetting,
  checkout: { readonly path: string; readonly gitDir: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const changes = await diffTrees(run, from, to);
  const index = join(checkout.gitDir, "index");
  const found = await findObstacles({ run, top: checkout.path, index, changes });
  return found.inTheWay.map(shown);
}

/**
 * Continues what a killed call left, and answers the commit that the checkout is at because of it.
 *
 * When the branch was moved meanwhile, a person has taken over: then what the merge has
 * changed is taken back, and files of theirs stay as they are.
 */
export async function finishForward(
  setting: ForwardSetting,
  checkout: { readonly path: string; readonly gitDir: string },
): Promise<string | undefined> {
  const place = checkoutPaths(checkout.path, checkout.gitDir);
  if (!hasLeftovers(checkout)) return undefined;
  if (!isUnfinished(checkout)) {
    dropIndexLock(place);
    await forget(setting, place);
    return undefined;
  }
  const intent = readIntent(place);
  if (intent === undefined) throw unreadableFailure(place);
  await dropRefLocks(place, setting.git.gitDir, intent);
  try {
    return (await goOn(setting, place, intent)) ? refMove(intent).to : await giveUp(setting, place, intent);
  } catch (error) {
    throw unfinishedFailure(place, error);
  }
}

/** False when the branch is elsewhere, or the commit is gone although it was held. */
async function goOn(setting: ForwardSetting, place: CheckoutPaths, intent: WholeIntent): Promise<boolean> {
  if (!(await nameCommits(setting.run, [intent.to])).has(intent.to)) return false;
  const now = await intentFor(setting, place, undefined, intent.to);
  const { ref, from, to } = refMove(intent);
  if (now?.ref !== ref) return false;
  if (now.from === to) dropIndexLock(place);
  else if (now.from !== from || !(await moveCheckout(setting, place, intent, intent.changes))) return false;
  await forget(setting, place);
  return true;
}

/** The folder goes last: as long as it is there, what is left of the rest is found. */
async function forget({ run }: ForwardSetting, place: CheckoutPaths): Promise<void> {
  const args = ["update-ref", "--no-deref", "-d", holdingRef(place)];
  // A ref too many holds a commit too many; nothing else depends on it.
  await run({ args, access: "keep" }).catch(() => undefined);
  clearFolders(place);
}

async function giveUp(
  setting: ForwardSetting,
  place: CheckoutPaths,
  intent: WholeIntent,
): Promise<undefined> {
  const { top } = place;
  const files = (await undoMove(setting.run, place, intent.changes)).map(shown);
  await forget(setting, place);
  if (files.length === 0) return;
  throw new Failure(
    "merge/taken-back",
    `A merge into ${top} was interrupted and could not continue. Pawl undid it, but these files changed since and stay as they are: ${files.join(", ")}.`,
    { worktree_path: top, files },
  );
}

/** What is checked out now and where it is to go; undefined where nothing is, or another branch. */
async function intentFor(
  { run, git }: ForwardSetting,
  place: CheckoutPaths,
  branch: string | undefined,
  to: string,
): Promise<Intent | undefined> {
  const { top: worktree, gitDir } = place;
  const ref = await headRef(run, place);
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const from =
    checkedOutCommit({ gitDir, commonDir: git.gitDir }) ??
    (await run({ args, access: "read", worktree, answers: [1] })).trim();
  if (from === "" || (branch !== undefined && ref !== `refs/heads/${branch}`)) return undefined;
  return { ref, from, to };
}

async function numberedChanges(
  run: RunGit,
  { from, to }: Intent,
): Promise<{ readonly changes: readonly NumberedChange[]; readonly objects: readonly string[] }> {
  const { changes, objects } = await diffWithFolders(run, from, to);
  return { changes: changes.map((change, number) => ({ change, number })), objects };
}
