import type { Instant } from "../../domain/index.ts";
import type { Worktree } from "./repository.ts";

/** The worktrees of the repository, by git, and by deleting no file but those that were listed. Each call that writes is one effect. */
export interface Worktrees {
  /** The worktrees that git lists, the main one first. */
  readonly list: () => Promise<readonly ListedWorktree[]>;
  /** The main checkout, if no worktree has the branch or lies at the path; undefined where git must be asked. */
  readonly mainIfFree: (wanted: Wanted) => CheckedOut | undefined;
  /** Those that have a branch checked out and are there; asks git only where its files leave a doubt. */
  readonly checkoutsOf: (branch: string) => Promise<readonly ListedWorktree[]>;
  /** Pawl's worktrees that git cannot use: a killed git or a power cut left them so. Looks at files only. */
  readonly unusable: () => readonly { readonly entry: string; readonly path: string }[];
  /** Clears entries away that are not whole, with the files of their folders kept aside, and says what became of each. */
  readonly clearHalfMade: () => Promise<readonly string[]>;
  /** Where a new worktree of this name goes. */
  readonly pathFor: (name: string) => string;
  /** The name of the worktree at a path that `pathFor` could have given; undefined for other paths. */
  readonly nameAt: (path: string) => string | undefined;
  /** The same path for every way to write it, whether or not anything is there. */
  readonly canonical: (path: string) => string;
  /** What stands at a path where a worktree is to go. */
  readonly occupantOf: (path: string) => "nothing" | "empty-folder" | "something";
  /** Adds a worktree, locked from its first moment on. A hook that failed after that is reported, not thrown. */
  readonly add: (request: AddRequest) => Promise<AddedWorktree>;
  /** Whether a worktree is still there, and finished by now; asks the files, not git. */
  readonly state: (worktree: ListedWorktree) => "gone" | "unfinished" | "ready";
  /** Whether no committed file is missing, as after a git that died while it made or removed the worktree. */
  readonly hasAllFiles: (worktree: ListedWorktree) => Promise<boolean>;
  readonly lock: (worktree: ListedWorktree, reason: string) => Promise<void>;
  readonly unlock: (worktree: ListedWorktree) => Promise<void>;
  /**
   * Removes a worktree that is missing, or with `evenDirty` one that was made a moment ago: git then deletes whatever
   * it finds there. Like the other ways to remove one, not while it is locked.
   */
  readonly remove: (worktree: ListedWorktree, options: { readonly evenDirty: boolean }) => Promise<void>;
  /**
   * Removes the files that were listed before they were saved. What is new or changed since stays, aside, for `moveAside` to
   * tell. When the answer is `aside`, the worktree is missing then and git still has its entry.
   */
  readonly detach: (worktree: ListedWorktree, files: FileList) => Promise<"aside" | "gone">;
  /** Puts a missing worktree back in its place when `detach` was cut off; false when it was not. */
  readonly reattach: (missing: ListedWorktree) => boolean;
  /** Clears the place of a missing worktree. Files that are left there move, and the answer says where all of them are. */
  readonly moveAside: (missing: ListedWorktree) => readonly string[];
  /**
   * Says that everything after `add` was done too; `isReady` tells it from then on. All of it is on the disk first:
   * a mark that outlives a power cut must not vouch for empty files.
   *
   * `once` waits for the disk with the mark too: for what must not be done again when the machine goes down. The rest
   * is checked again, and found to be there.
   */
  readonly markReady: (worktree: ListedWorktree, options: { readonly once: boolean }) => Promise<void>;
  /** Takes that back, before anything is taken away: what is left by a crash then counts as unfinished. */
  readonly unmark: (worktree: ListedWorktree) => void;
  /** Copies ignored files that `.worktreeinclude` names from the main checkout. What is there already stays. */
  readonly copyIncluded: (worktree: ListedWorktree) => Promise<IncludedFiles>;
  /** Brings the folders that `[worktree] share` names from the main checkout. What is there already stays. */
  readonly shareFolders: (worktree: ListedWorktree) => Promise<IncludedFiles>;
  /**
   * A folder that holds exactly one tree and what `.worktreeinclude` names, for checks; the next call for the same
   * worktree brings it to another tree. With `keepsIgnored` what set-up and earlier checks left there and git ignores stays.
   * `name` is for a folder that belongs to no worktree.
   */
  readonly cleanCheckout: (
    worktree: Worktree,
    asked: {
      readonly tree: string;
      readonly head: string | undefined;
      readonly keepsIgnored: boolean;
      readonly name?: string | undefined;
    },
  ) => Promise<string>;
  /** What is not committed, ignored files aside. */
  readonly changes: (worktree: Worktree) => Promise<Changes>;
  /** How many files git ignores there; `changes` tells nothing of them. */
  readonly ignoredFiles: (worktree: Worktree) => Promise<number>;
  /** A walk through all files that adds up their sizes. */
  readonly bytes: (worktree: Worktree) => number;
  /** A walk through all files that notes what each is like, and which folders are repositories of their own. */
  readonly listFiles: (worktree: Worktree) => FileList;
  /** Commits that only this worktree holds on to: a detached HEAD, a half-done rebase, what is staged in a lost folder. */
  readonly loneCommits: (worktree: ListedWorktree) => Promise<readonly LoneCommit[]>;
  /** Files of a checkout that a merge from one commit to another, or to a tree, would write over. */
  readonly inTheWay: (
    worktree: Worktree,
    forward: { from: string; to: string },
  ) => Promise<readonly string[]>;
  /** Whether the index of a checkout is still that of the commit from which its branch moved under it. */
  readonly isBehind: (worktree: Worktree, move: { from: string; to: string }) => Promise<boolean>;
  /**
   * Brings a checkout from where it is to a commit ahead of it, all of it or nothing.
   *
   * False when another branch is checked out, or the way there is not straight on. What a killed call left is finished
   * first.
   */
  readonly fastForward: (worktree: Worktree, forward: Forward) => Promise<boolean>;
  /** Finishes what a killed `fastForward` left there, and answers the commit it led to; undefined when there is nothing. */
  readonly finishForward: (worktree: Worktree) => Promise<string | undefined>;
  /** Whether a killed `fastForward` left something to finish. */
  readonly isHalfForward: (worktree: ListedWorktree) => boolean;
  /** Folders among Pawl's worktrees that git does not list, each with what it is. */
  readonly unlisted: () => Promise<readonly UnlistedFolder[]>;
  /** Lock files of git that lie around, with their age. */
  readonly lockFiles: () => readonly { readonly path: string; readonly ageMs: number }[];
}

export interface ListedWorktree {
  readonly path: string;
  /** As in `Worktree`, without what a shared store puts before it. */
  readonly id: string;
  readonly isMain: boolean;
  readonly isBare: boolean;
  /** The branch, also while it is being rebased; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined on an unborn branch. */
  readonly head: string | undefined;
  /** The reason for the lock; undefined when it is not locked. */
  readonly lock: string | undefined;
  /** Its folder is gone, or has no `.git` any more: then it is no worktree, whatever else is left in it. */
  readonly isMissing: boolean;
  /** Why git would forget it at the next occasion. */
  readonly prunable: string | undefined;
  /** Included files were copied and the set-up command ran. */
  readonly isReady: boolean;
  /** `merge`, `rebase` … when one is going on there. */
  readonly operation: string | undefined;
  readonly createdAt: Instant | undefined;
  /** When HEAD or the index last changed. */
  readonly touchedAt: Instant | undefined;
}

export type Wanted = Pick<AddRequest, "branch" | "path">;

/** As much of a worktree as can be seen at a glance. */
export type CheckedOut = Pick<ListedWorktree, "path" | "isMain" | "isBare" | "branch" | "head">;

export interface Forward {
  /** The branch that must be checked out; whatever is, when it is left out. */
  readonly branch?: string;
  readonly to: string;
  /** Exactly where it must be now: then the way may also lead back, to take a move back. */
  readonly from?: string;
  /** A branch has the commit that Pawl only moves ahead, so nothing else must keep it until the move is done. */
  readonly isKept?: boolean;
  /**
   * Where the branch goes from and to, where that is not what lies in the files before and after: work that is not
   * committed comes along.
   */
  readonly head?: { readonly from: string; readonly to: string };
  /** Everything is added to the index right after, so that the index need not know the new files' times before. */
  readonly isAddedNext?: boolean;
}

export interface AddRequest {
  readonly path: string;
  readonly branch: string;
  /** Where the branch is, or where a new one starts. */
  readonly commit: string;
  readonly isNewBranch: boolean;
  readonly lockReason: string;
}

export interface AddedWorktree {
  readonly worktree: ListedWorktree;
  readonly hookFailure: string | undefined;
}

export interface IncludedFiles {
  readonly copied: readonly string[];
  /** What was named but not copied, each with the reason. */
  readonly skipped: readonly string[];
}

export interface Changes {
  readonly files: readonly string[];
  /** Differs whenever anything in the files, the index or HEAD differs. */
  readonly fingerprint: string;
  readonly newestAt: Instant | undefined;
}

/** The files of a worktree at one moment. */
export interface FileList {
  /**
   * Submodules and clones inside, also among ignored files.
   *
   * Their commits are in no snapshot, so a worktree that holds one cannot be removed without losing them.
   */
  readonly repositories: readonly string[];
  /** Each after the folder it lies in. */
  readonly folders: readonly FileListFolder[];
}

/** Names are bytes, one character each. */
export interface FileListFolder {
  readonly path: string;
  readonly files: ReadonlyMap<string, FileListEntry>;
}

export interface FileListEntry {
  /** Differs when the file is another, or has another size, mode or time. */
  readonly stamp: string;
  /** Undefined where it says nothing about the content. */
  readonly changedAtNs: bigint | undefined;
}

export interface LoneCommit {
  readonly commit: string;
  /** What it is, for people: `the detached HEAD`. */
  readonly what: string;
}

export interface UnlistedFolder {
  readonly path: string;
  readonly kind: "plain-folder" | "rescued" | "other-repository" | "unlisted";
}
