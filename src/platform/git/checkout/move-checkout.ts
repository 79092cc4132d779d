import * as fs from "node:fs";
import { join } from "node:path";
import { type GitSetting, gitRunner, type RunGit } from "../process/run-git.ts";
import { mayRunHooks, readCommitSettings } from "../repository/commit-settings.ts";
import { readText } from "../repository/git-directory.ts";
import { flushRef } from "../refs/flush-ref.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { changeFiles, hasArrived, hasLeft, type NumberedChange, flushChanges, undo } from "./change-files.ts";
import { causeOf, renameFailure, obstacleFailure } from "./checkout-failures.ts";
import { type CheckoutPaths, oldIndex, ownIndex, rehearsedIndex } from "./checkout-paths.ts";
import { findObstacles } from "./find-obstacles.ts";
import { duringIndexLock, signRefLocks } from "./index-lock.ts";
import { type Intent, refMove } from "./intent.ts";
import { aroundRefUpdate } from "./ref-update.ts";
import { findSparse, fitsIndex, markPaths, type Rehearsal, rewriteMissing } from "./write-new-files.ts";

/** What renames need beside the checkout itself. */
export interface MoveSetting {
  readonly git: GitSetting;
  readonly run: RunGit;
}

/** Refuses what would overwrite a person's changes; answers what is still to be done, and how each file was found. */
export async function refuseObstacles(
  { run }: MoveSetting,
  place: CheckoutPaths,
  changes: readonly NumberedChange[],
  index: string,
): Promise<Map<NumberedChange, string>> {
  const { top } = place;
  const arrived = changes.filter((one) => hasArrived(place, one));
  const found = await findObstacles({
    run,
    top,
    index,
    changes: changes.map((one) => one.change),
    arrived: new Set(arrived.map(({ change }) => change.path)),
  });
  if (found.inTheWay.length > 0) throw obstacleFailure(top, found.inTheWay);
  const todo = new Map<NumberedChange, string>();
  for (const one of changes) {
    const mark = found.todo.get(one.change);
    if (mark !== undefined) todo.set(one, mark);
  }
  return todo;
}

/** From here on there are only renames, between git's lock of the index and its lock of the branch. */
export async function moveCheckout(
  setting: MoveSetting,
  place: CheckoutPaths,
  intent: Intent,
  changes: readonly NumberedChange[],
  rehearsal?: Rehearsal,
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
    const todo = await refuseObstacles(setting, place, wanted, own);
    await rewriteMissing(
      setting.git,
      place,
      [...todo.keys()].filter((one) => hasLeft(place, one)),
    );
    const onIndex = { access: "write", worktree: top, indexFile: own, timeoutMs: LONG_CALL_MS } as const;
    if (rehearsal !== undefined && fitsIndex(place, rehearsal, own))
      fs.copyFileSync(rehearsedIndex(place), own);
    else {
      await run({ ...onIndex, args: ["read-tree", "-i", "-m", intent.from, intent.to] });
      await markPaths(run, onIndex, "--skip-worktree", [...sparse]);
    }
    let made: readonly NumberedChange[] | undefined;
    try {
      return await aroundRefUpdate(gitRunner(setting.git), top, refMove(intent), async () => {
        signRefLocks(place, setting.git.gitDir, intent.ref);
        // Git holds HEAD too from here on, if it is on the branch; who left it before that keeps their files.
        if ((await headRef(run, place)) !== intent.ref) throw new Elsewhere();
        made = changeFiles(place, todo);
        if (intent.isAddedNext !== true)
          await run({ ...onIndex, args: ["update-index", "-q", "--refresh"], answers: [1, 128] });
        fs.rmSync(oldIndex(place), { force: true });
        fs.linkSync(index, oldIndex(place));
        fs.renameSync(own, index);
        await flushChanges(place, made);
      });
    } catch (error) {
      if (causeOf(error) instanceof Elsewhere) return false;
      if (made !== undefined && !(await isAt(run, top, intent))) takeBack(place, made);
      throw renameFailure(top, error);
    }
  });
  if (isMoved) await flushRef(setting.git.gitDir, intent.ref);
  if (isMoved) await runHook(setting, top);
  return isMoved;
}

/** What is checked out by now: a branch, or `HEAD` where it is none. By git's own file where that says it. */
export async function headRef(run: RunGit, { top, gitDir }: CheckoutPaths): Promise<string> {
  const [, plain] = /^ref:\s*(refs\/heads\/\S+)/.exec(readText(join(gitDir, "HEAD")) ?? "") ?? [];
  // A repository that keeps its refs otherwise names this one.
  if (plain !== undefined && plain !== "refs/heads/.invalid") return plain;
  const args = ["symbolic-ref", "--quiet", "HEAD"];
  return (await run({ args, access: "read", worktree: top, answers: [1] })).trim() || "HEAD";
}

/** Thrown when another branch was checked out meanwhile. */
class Elsewhere extends Error {}

async function isAt(run: RunGit, worktree: string, intent: Intent): Promise<boolean> {
  const { ref, to } = refMove(intent);
  return (await run({ args: ["rev-parse", "--verify", ref], access: "read", worktree })).trim() === to;
}

function takeBack(place: CheckoutPaths, made: readonly NumberedChange[]): void {
  if (fs.existsSync(oldIndex(place))) fs.renameSync(oldIndex(place), join(place.gitDir, "index"));
  undo(place, made);
}

/** As `git merge` does; what the hook says changes nothing any more. */
async function runHook({ run, git }: MoveSetting, worktree: string): Promise<void> {
  try {
    if (!mayRunHooks(await readCommitSettings(run, git), git.gitDir, ["post-merge"])) return;
    const args = ["hook", "run", "--ignore-missing", "post-merge", "--", "0"];
    await run({ args, access: "write", worktree, timeoutMs: LONG_CALL_MS });
  } catch {
    // The checkout is where it should be.
  }
}
