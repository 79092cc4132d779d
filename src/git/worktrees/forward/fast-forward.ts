import * as fs from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/errors.ts";
import type { Files } from "../../../ports/files.ts";
import type { Forward } from "../../../ports/worktrees.ts";
import { type BytePath, shown } from "../../byte-path.ts";
import { heldLock, lockLineOf } from "../../held-lock.ts";
import { nameCommits } from "../../name-commits.ts";
import { type GitSetting, gitRunner, type RunGit } from "../../run-git.ts";
import { diffTrees } from "../../snapshots/raw-diff.ts";
import { isAncestor } from "../has-landed.ts";
import { LONG_MS } from "../long-call.ts";
import {
  CannotMove,
  ChangedMeanwhile,
  changeFiles,
  HalfUndone,
  hasArrived,
  hasLeft,
  type Numbered,
  undo,
} from "./change-files.ts";
import {
  clearPlace,
  type ForwardPlace,
  forwardPlace,
  hasPlace,
  holdingRef,
  intentFile,
  makePlace,
  oldIndex,
  ownIndex,
} from "./forward-place.ts";
import { dropIndexLock, duringIndexLock } from "./index-lock.ts";
import { findInTheWay } from "./in-the-way.ts";
import { findSparse, markPaths, writeAgain, writeNewFiles } from "./write-new-files.ts";
import { type Intent, readIntent, type WholeIntent, writeIntent } from "./intent.ts";
import { dropRefLocks, signRefLocks } from "./ref-locks.ts";
import { aroundRefUpdate } from "./ref-update.ts";
import { takeBackMade } from "./take-back.ts";

export interface ForwardSetting {
  readonly git: GitSetting;
  readonly files: Files;
  readonly run: RunGit;
}

/**
 * Moves a checkout to a commit ahead of it: files, index and branch.
 *
 * Many files cannot change in one step, so everything that can fail comes first: the new files are written beside the
 * checkout, through all filters, and git holds the branch where it is. What is left are renames. They are written down
 * before the first of them, so that after a kill the next call goes on with the rest; and when one of them fails, those
 * before it are taken back. No file of the checkout is ever half written.
 */
export async function fastForward(
  setting: ForwardSetting,
  checkout: { readonly path: string; readonly gitDir: string },
  { branch, to }: Forward,
): Promise<boolean> {
  const place = forwardPlace(checkout.path, checkout.gitDir);
  await finishForward(setting, checkout);
  const intent = await intentFor(setting.run, place, branch, to);
  if (intent === undefined) return false;
  if (intent.from === to) return true;
  const changes = await numberedChanges(setting.run, intent);
  makePlace(place);
  try {
    await refuseInTheWay(setting, place, intent, changes, join(place.gitDir, "index"));
    await writeNewFiles(setting.git, place, intent, changes);
    await setting.run({ args: ["update-ref", "--no-deref", holdingRef(place), to], access: "keep" });
    writeIntent(setting.files, place, intent, changes);
    const isMoved = await carryOut(setting, place, intent, changes);
    await forget(setting, place);
    return isMoved;
  } catch (error) {
    if (error instanceof HalfUndone) throw unfinished(place, error);
    await forget(setting, place);
    throw refused(error);
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
  const found = await findInTheWay({ run, top: checkout.path, index, from, to, changes });
  return found.inTheWay.map(shown);
}

/**
 * Goes on with what a killed call left, and answers the commit that the checkout is at because of it.
 *
 * When the branch went elsewhere meanwhile, somebody has taken the matter into their own hands: then what the merge has
 * changed is taken back, and files of theirs stay as they are.
 */
export async function finishForward(
  setting: ForwardSetting,
  checkout: { readonly path: string; readonly gitDir: string },
): Promise<string | undefined> {
  const place = forwardPlace(checkout.path, checkout.gitDir);
  if (!hasRemains(checkout)) return undefined;
  if (!isUnfinished(checkout)) {
    dropIndexLock(place);
    await forget(setting, place);
    return undefined;
  }
  const intent = readIntent(place);
  if (intent === undefined) throw unreadable(place);
  dropRefLocks(place, setting.git.gitDir, intent.ref);
  try {
    return (await goOn(setting, place, intent)) ? intent.to : await giveUp(setting, place, intent);
  } catch (error) {
    throw unfinished(place, error);
  }
}

/** False when the branch is elsewhere, or the commit is gone although it was held. */
async function goOn(setting: ForwardSetting, place: ForwardPlace, intent: WholeIntent): Promise<boolean> {
  if (!(await nameCommits(setting.run, [intent.to])).has(intent.to)) return false;
  const now = await intentFor(setting.run, place, undefined, intent.to);
  if (now?.ref !== intent.ref) return false;
  if (now.from === intent.to) dropIndexLock(place);
  else if (now.from !== intent.from || !(await carryOut(setting, place, intent, intent.changes)))
    return false;
  await forget(setting, place);
  return true;
}

/** The folder goes last: as long as it is there, what is left of the rest is found. */
async function forget({ run }: ForwardSetting, place: ForwardPlace): Promise<void> {
  const args = ["update-ref", "--no-deref", "-d", holdingRef(place)];
  // A ref too many holds a commit too many; nothing else depends on it.
  await run({ args, access: "keep" }).catch(() => undefined);
  clearPlace(place);
}

async function giveUp(setting: ForwardSetting, place: ForwardPlace, intent: WholeIntent): Promise<undefined> {
  const { top } = place;
  const files = (await takeBackMade(setting.run, place, intent.changes)).map(shown);
  await forget(setting, place);
  if (files.length === 0) return;
  throw new Failure(
    "merge/taken-back",
    `A merge into ${top} was interrupted and could not go on. It was taken back, but these were changed since and stay as they are: ${files.join(", ")}.`,
    { worktree_path: top, files },
  );
}

/** Whether a call left anything at all: one that was killed before it began, or after it was done, or that still runs. */
export const hasRemains = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  fs.existsSync(path) && hasPlace(forwardPlace(path, gitDir));

/** Whether a killed call left something to go on with. */
export const isUnfinished = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  fs.existsSync(path) && fs.existsSync(intentFile(forwardPlace(path, gitDir)));

/** What is checked out now and where it is to go; undefined where the way there is not straight on. */
async function intentFor(
  run: RunGit,
  { top }: ForwardPlace,
  branch: string | undefined,
  to: string,
): Promise<Intent | undefined> {
  const ask = (...args: readonly string[]) => run({ args, access: "read", worktree: top, answers: [1] });
  const ref = (await ask("symbolic-ref", "--quiet", "HEAD")).trim() || "HEAD";
  const from = (await ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")).trim();
  if (from === "" || (branch !== undefined && ref !== `refs/heads/${branch}`)) return undefined;
  return (await isAncestor(run, from, to)) ? { ref, from, to } : undefined;
}

async function numberedChanges(run: RunGit, { from, to }: Intent): Promise<readonly Numbered[]> {
  return (await diffTrees(run, from, to)).map((change, number) => ({ change, number }));
}

async function refuseInTheWay(
  { run }: ForwardSetting,
  place: ForwardPlace,
  { from, to }: Intent,
  changes: readonly Numbered[],
  index: string,
): Promise<Map<Numbered, string>> {
  const { top } = place;
  const arrived = changes.filter((one) => hasArrived(place, one));
  const found = await findInTheWay({
    run,
    top,
    index,
    from,
    to,
    changes: changes.map((one) => one.change),
    arrived: new Set(arrived.map(({ change }) => change.path)),
  });
  if (found.inTheWay.length > 0) throw isInTheWay(top, found.inTheWay);
  const todo = new Map<Numbered, string>();
  for (const one of changes) {
    const mark = found.todo.get(one.change);
    if (mark !== undefined) todo.set(one, mark);
  }
  return todo;
}

/** From here on there are only renames, between git's lock of the index and its lock of the branch. */
async function carryOut(
  setting: ForwardSetting,
  place: ForwardPlace,
  intent: Intent,
  changes: readonly Numbered[],
): Promise<boolean> {
  const { run } = setting;
  const { top, gitDir } = place;
  const index = join(gitDir, "index");
  const isMoved = await duringIndexLock(place, async () => {
    const own = ownIndex(place);
    fs.rmSync(`${own}.lock`, { force: true });
    fs.copyFileSync(index, own);
    const sparse = new Set(await findSparse((call) => run({ ...call, worktree: top }), place, changes));
    const wanted = changes.filter((one) => !sparse.has(one));
    const todo = await refuseInTheWay(setting, place, intent, wanted, own);
    await writeAgain(
      setting.git,
      place,
      [...todo.keys()].filter((one) => hasLeft(place, one)),
    );
    const onIndex = { access: "write", worktree: top, indexFile: own, timeoutMs: LONG_MS } as const;
    await run({ ...onIndex, args: ["read-tree", "-i", "-m", intent.from, intent.to] });
    await markPaths(run, onIndex, "--skip-worktree", [...sparse]);
    let made: readonly Numbered[] | undefined;
    try {
      return await aroundRefUpdate(gitRunner(setting.git), top, intent, async () => {
        signRefLocks(place, setting.git.gitDir, intent.ref);
        made = changeFiles(place, todo);
        await run({ ...onIndex, args: ["update-index", "-q", "--refresh"], answers: [1, 128] });
        fs.rmSync(oldIndex(place), { force: true });
        fs.linkSync(index, oldIndex(place));
        fs.renameSync(own, index);
      });
    } catch (error) {
      if (made !== undefined && !(await isAt(run, top, intent))) takeBack(place, made);
      throw inWords(top, error);
    }
  });
  // As `git merge` does; what the hook says changes nothing any more.
  if (isMoved) await runHook(run, top);
  return isMoved;
}

const isAt = async (run: RunGit, worktree: string, { ref, to }: Intent): Promise<boolean> =>
  (await run({ args: ["rev-parse", "--verify", ref], access: "read", worktree })).trim() === to;

function takeBack(place: ForwardPlace, made: readonly Numbered[]): void {
  if (fs.existsSync(oldIndex(place))) fs.renameSync(oldIndex(place), join(place.gitDir, "index"));
  undo(place, made);
}

async function runHook(run: RunGit, worktree: string): Promise<void> {
  const args = ["hook", "run", "--ignore-missing", "post-merge", "--", "0"];
  await run({ args, access: "write", worktree, timeoutMs: LONG_MS }).catch(() => undefined);
}

function inWords(top: string, error: unknown): unknown {
  const cause = error instanceof Failure && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ChangedMeanwhile) return isInTheWay(top, [cause.path]);
  if (cause instanceof CannotMove)
    return new Failure(
      "merge/refused",
      `${cause.message}, in ${top}.`,
      { worktree_path: top, files: [shown(cause.path)] },
      { cause },
    );
  return cause instanceof HalfUndone ? cause : error;
}

const isInTheWay = (top: string, paths: readonly BytePath[]): Failure => {
  const files = paths.map(shown);
  return new Failure(
    "merge/in-the-way",
    `The merge would write over uncommitted changes in ${top}: ${files.join(", ")}.`,
    { worktree_path: top, files },
  );
};

/** Everything is as it was before. */
const refused = (error: unknown): unknown => {
  const lock = lockLineOf(error);
  if (lock !== undefined) return heldLock(lock, error);
  return error instanceof Failure && error.problem === "git/failed"
    ? new Failure("merge/refused", `Nothing was merged: ${error.message}`, error.details, { cause: error })
    : error;
};

function unfinished({ top }: ForwardPlace, cause: unknown): Failure {
  if (cause instanceof Failure && cause.problem === "merge/taken-back") return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Failure(
    "merge/unfinished",
    `A merge into ${top} was interrupted and cannot be finished yet: ${why}`,
    { worktree_path: top, ...(cause instanceof Failure ? cause.details : {}) },
    { cause },
  );
}

/** What it says cannot be made up for: which file is which is told there alone. */
const unreadable = ({ top, folder }: ForwardPlace): Failure =>
  new Failure("merge/unreadable", `A merge into ${top} was interrupted, and ${folder} cannot be read.`, {
    worktree_path: top,
    folder,
  });
