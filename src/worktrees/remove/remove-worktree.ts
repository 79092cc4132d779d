import { entryName, Failure, LOCK_REASON, plural, shellWord } from "../../domain/index.ts";
import type { FileList, ListedWorktree, Ports, Snapshot } from "../../platform/ports/index.ts";
import { removeMissing, WRITTEN_SINCE } from "./remove-missing.ts";
import { openIfThere } from "../../journal/index.ts";
import { enter, storeIdOf } from "../../sessions/index.ts";
import { noteSaving, type Saved, removedBefore } from "../saved.ts";
import { type HeldStep, type UseOf, worktreeUse } from "../worktree-use.ts";

export interface RemovedWorktree {
  readonly worktreePath: string | null;
  readonly branchName: string | null;
  readonly branchDeleted: boolean;
  /** Files that git ignores, which went with the worktree and were not saved. */
  readonly ignoredFiles: number;
  readonly saved: readonly Saved[];
  /** Steps that a worker claimed there between the last look and the removal; no worker is there to hold their claims. */
  readonly claimedMeanwhile: readonly HeldStep[];
}

/** How many files go without being saved: those git ignores, unless snapshots hold them too. */
export async function filesLost(ports: Ports, { path, isMissing }: ListedWorktree): Promise<number> {
  if (isMissing || ports.settings.snapshot_ignored === true) return 0;
  return (await ports.worktrees()).ignoredFiles(ports.repository.worktree(path));
}

/** Why a worktree must stay, undefined when it may go. A session may take down the one that it works in. */
export function reasonToStay(
  worktree: ListedWorktree,
  listed: readonly ListedWorktree[],
  useOf: UseOf,
  ownSession?: string,
): Failure | undefined {
  const details = { worktree_path: worktree.path, branch_name: worktree.branch ?? null };
  if (worktree.isMain) {
    return new Failure("worktree/not-found", `${worktree.path} is the main checkout, which stays.`, details);
  }
  const { held, session, state } = useOf(worktree);
  if (state === "running" && session!.id !== ownSession) {
    return new Failure("worktree/in-use", `Session ${session!.id} is running in ${worktree.path}.`, {
      ...details,
      session_id: session!.id,
    });
  }
  if (held.length > 0) {
    const steps = held.map(({ planPath, anchor }) => `${anchor} of ${planPath}`).join(", ");
    return new Failure("worktree/in-use", `${worktree.path} holds ${steps}.`, { ...details, held });
  }
  if (worktree.lock !== undefined && worktree.lock !== LOCK_REASON) {
    const why = worktree.lock === "" ? "without a reason" : `because: ${worktree.lock}`;
    return new Failure("worktree/locked", `${worktree.path} was locked ${why}.`, {
      ...details,
      reason: worktree.lock,
    });
  }
  const inside = listed.find(({ path }) => path.startsWith(`${worktree.path}/`));
  if (inside !== undefined) {
    return new Failure("worktree/not-savable", `The worktree ${inside.path} lies inside ${worktree.path}.`, {
      ...details,
      inside: inside.path,
    });
  }
  return undefined;
}

export interface RemoveOptions {
  readonly deleteBranch: boolean;
  readonly because: string;
  /** The session that asks for it, when it works there itself. */
  readonly ownSession?: string | undefined;
}

/**
 * Takes a worktree down, and its branch if that is wanted. Whatever git would lose with it is kept first, but for files
 * that git ignores: those are kept only with `snapshot_ignored`, and otherwise counted.
 *
 * The caller holds the worktree's lock and knows that no worker is there. Saving takes a while, so both that and the
 * files are checked once more right before anything is removed; what is written even later stays, and is reported.
 */
export async function saveAndRemove(
  ports: Ports,
  listed: ListedWorktree,
  { deleteBranch, because, ownSession }: RemoveOptions,
): Promise<RemovedWorktree> {
  const worktrees = await ports.worktrees();
  // A call that died half way has saved what is gone since, and only the journal knows where.
  const mayBeHalf = listed.isMissing || !listed.isReady;
  const before = mayBeHalf ? ((await removedBefore(ports, listed.path))?.saved ?? []) : [];
  const isBack = listed.isMissing && worktrees.reattach(listed);
  const worktree = isBack ? { ...listed, isMissing: false } : listed;
  await stopAgents(ports, worktree);
  const kept = worktree.isMissing ? undefined : await keepFiles(ports, worktree, because);
  const snapshot = kept?.snapshot;
  const ignoredFiles = await filesLost(ports, worktree);
  const saved = [...(snapshot ? [snapshotSaved(snapshot)] : []), ...(await keepLoneCommits(ports, worktree))];
  const branch = deleteBranch && worktree.branch !== undefined ? worktree.branch : undefined;
  if (branch !== undefined) saved.push(...(await keepBranch(ports, branch)));
  if (saved.length > 0 || branch !== undefined)
    await noteSaving(ports, "worktree-saved", worktree.path, { saved, branchToGo: branch ?? null });
  if (kept === undefined) {
    await refuseNews(ports, worktree, { ownSession });
    saved.push(...(await removeMissing(ports, worktree)));
  } else {
    if (worktree.lock !== undefined) await worktrees.unlock(worktree);
    try {
      await refuseNews(ports, worktree, { ownSession, fingerprint: kept.fingerprint });
    } catch (error) {
      if (worktree.lock !== undefined) await worktrees.lock(worktree, worktree.lock);
      throw error;
    }
    worktrees.unmark(worktree);
    saved.push(...(await detach(ports, worktree, kept.fileList)));
  }
  // A claim is a transaction of its own, and no lock of git's or ours keeps it out of the moment that git takes.
  const claimedMeanwhile = (await worktreeUse(ports, { removed: true }))(worktree).held;
  await noteSaving(ports, "worktree-removed", worktree.path, {
    branch: worktree.branch ?? null,
    deleteBranch,
    because,
    ignoredFiles,
    ...(claimedMeanwhile.length > 0 ? { claimedMeanwhile } : {}),
  });
  const branchDeleted = branch !== undefined && (await deleteSaved(ports, branch));
  const branchName = worktree.branch ?? null;
  const all = [...before.filter(({ ref }) => !saved.some((one) => one.ref === ref)), ...saved];
  return {
    worktreePath: worktree.path,
    branchName,
    branchDeleted,
    ignoredFiles,
    saved: all,
    claimedMeanwhile,
  };
}

/** Removes what was saved, and answers where that is which was written since. */
async function detach(ports: Ports, worktree: ListedWorktree, fileList: FileList): Promise<readonly Saved[]> {
  const became = await (await ports.worktrees()).detach(worktree, fileList);
  const missing = { ...worktree, isMissing: true, lock: undefined };
  return became === "gone" ? [] : removeMissing(ports, missing, WRITTEN_SINCE);
}

/** What a dead session left running there would write to files that are being saved, or to none. */
async function stopAgents(ports: Ports, { id }: ListedWorktree): Promise<void> {
  if ((await openIfThere(ports)) === undefined) return;
  await enter(ports, { stop: [{ worktreeId: storeIdOf(ports, id) }] });
}

/**
 * Saves until what was saved is what is there: git may remove uncommitted files only when every one of them is kept that
 * it does not ignore.
 */
async function keepFiles(
  ports: Ports,
  listed: ListedWorktree,
  because: string,
): Promise<{
  readonly snapshot: Snapshot | undefined;
  readonly fingerprint: string;
  /** From before the snapshot: what is as it says was saved as it is. */
  readonly fileList: FileList;
}> {
  const [worktrees, snapshots] = await Promise.all([ports.worktrees(), ports.snapshots()]);
  const worktree = ports.repository.worktree(listed.path);
  for (let round = 0; round < 3; round += 1) {
    const fileList = worktrees.listFiles({ path: listed.path, id: listed.id });
    refuseRepositories(listed, fileList);
    const before = await worktrees.changes(worktree);
    const snapshot = await snapshots.take(worktree, because);
    const after = await worktrees.changes(worktree);
    if (before.fingerprint === after.fingerprint)
      return { snapshot, fingerprint: after.fingerprint, fileList };
  }
  throw changing(listed);
}

function refuseRepositories({ path }: ListedWorktree, { repositories }: FileList): void {
  if (repositories.length === 0) return;
  const what = repositories.length === 1 ? "another repository" : "other repositories";
  throw new Failure(
    "worktree/not-savable",
    `${path} holds ${what}, whose commits cannot be saved: ${repositories.join(", ")}.`,
    { worktree_path: path, repositories },
  );
}

const changing = ({ path }: ListedWorktree): Failure =>
  new Failure("worktree/changing", `Something writes to ${path} while it is being saved.`, {
    worktree_path: path,
  });

/** Workers that came, or files that were written, since it was decided that the worktree may go. */
async function refuseNews(
  ports: Ports,
  worktree: ListedWorktree,
  {
    ownSession,
    fingerprint,
  }: { readonly ownSession: string | undefined; readonly fingerprint?: string | undefined },
): Promise<void> {
  const worktrees = await ports.worktrees();
  const listed = await worktrees.list();
  const now = listed.find(({ path }) => path === worktree.path) ?? worktree;
  const reason = reasonToStay(now, listed, await worktreeUse(ports), ownSession);
  if (reason !== undefined) throw reason;
  if (fingerprint === undefined) return;
  const changes = await worktrees.changes(ports.repository.worktree(worktree.path));
  if (changes.fingerprint !== fingerprint) throw changing(worktree);
}

export async function keepLoneCommits(ports: Ports, worktree: ListedWorktree): Promise<readonly Saved[]> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const saved: Saved[] = [];
  for (const { commit, what } of await worktrees.loneCommits(worktree)) {
    const name = entryName(worktree.id) ?? worktree.id;
    // The branch of that name is still there, as a rule.
    const branch = `rescued/${name}-${commit.slice(0, 8)}`;
    saved.push(rescued(await branches.rescue(name, commit), `${what} of ${worktree.path}`, branch));
  }
  return saved;
}

/** The commits of a branch are kept unless another branch or tag has all of them: a squash has their work, not them. */
export async function keepBranch(ports: Ports, branch: string): Promise<readonly Saved[]> {
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const commit = (await branches.commits([ref])).get(ref);
  if (commit === undefined || (await branches.isHeldElsewhere(commit, branch))) return [];
  return [rescued(await branches.rescue(branch, commit), `the commits of ${branch}`, branch)];
}

/** Removes the branch where it was kept: one that moved since is kept anew first. */
export async function deleteSaved(ports: Ports, branch: string): Promise<boolean> {
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const commit = (await branches.commits([ref])).get(ref);
  if (commit === undefined) return false;
  await keepBranch(ports, branch);
  await branches.remove(branch, commit);
  return true;
}

const snapshotSaved = ({ ref, files, worktree }: Snapshot): Saved => ({
  kind: "snapshot",
  ref,
  what: `${plural(files, "uncommitted file")} of ${worktree}`,
  // Into a folder of its own: the worktree is gone, and a new one of the same name may hold other work.
  bringBack: `pawl snapshot restore ${ref} --to ${shellWord(`${worktree}-restored`)}`,
});

const rescued = (ref: string, what: string, branch: string): Saved => ({
  kind: "rescue",
  ref,
  what,
  bringBack: `git branch ${shellWord(branch)} ${ref}`,
});
