import type { Worktree } from "./repository.ts";

/**
 * Committing in a worktree, as its user would: with the user's hooks, signing and settings.
 *
 * Nothing here knows of steps. What a commit says about them goes in and comes out as trailers.
 */
export interface Commits {
  /** What is checked out. */
  readonly checkout: (worktree: Worktree) => Promise<Checkout>;
  /** `merge`, `rebase` … where git is in the middle of one. */
  readonly operation: (worktree: Worktree) => Promise<string | undefined>;
  /** What the newest commits say, from what is checked out back along its first parents. */
  readonly recent: (worktree: Worktree) => Promise<Recent>;
  /** One commit and what it changed: what is checked out, or another one by name. Fails when it cannot be read whole. */
  readonly read: (worktree: Worktree, commit?: string) => Promise<MadeCommit>;
  /** Paths with changes that are not committed, of all or of those below some paths. */
  readonly uncommitted: (worktree: Worktree, paths: Paths) => Promise<readonly string[]>;
  /** Whether exactly this commit is checked out: files and index are as it has them, and nothing else is there. */
  readonly isAt: (worktree: Worktree, commit: string) => Promise<boolean>;
  /** The commit that is checked out; undefined on a branch without commits. */
  readonly head: (worktree: Worktree) => Promise<string | undefined>;
  /** The commit that is checked out, with what it says; undefined where git's files leave a doubt. */
  readonly checkedOut: (worktree: Worktree) => Promise<CheckedOutCommit | undefined>;
  /** The branch that is checked out; undefined when none is. */
  readonly branch: (worktree: Worktree) => Promise<string | undefined>;
  /**
   * The tree that a commit of everything would have now, with some files as they are in the last commit. Neither index nor
   * files are touched.
   */
  readonly tree: (worktree: Worktree, without?: readonly string[]) => Promise<string>;
  /** What lies in the worktree, or seems to, although a commit of that tree would not hold it. */
  readonly beside: (
    worktree: Worktree,
    asked: { readonly tree: string; readonly sinceMs: number },
  ) => Promise<Beside>;
  /** The paths in which two trees differ. */
  readonly changed: (worktree: Worktree, before: string, after: string) => Promise<readonly string[]>;
  /** What was put aside with `git stash` from this branch, newest first. */
  readonly stashes: (worktree: Worktree, branch: string) => Promise<readonly Stash[]>;
  /** A message with these trailers as its last ones: those it had of the same names are gone, others stay. */
  readonly compose: (message: string, trailers: readonly Trailer[]) => Promise<string>;
  /** Puts everything, or exactly what is below some paths, into the index. */
  readonly stage: (worktree: Worktree, paths: Paths) => Promise<Unstage>;
  /** The tree that a commit of what is staged would have. */
  readonly staged: (worktree: Worktree) => Promise<string>;
  /** Commits what is staged or, with paths, exactly what is below them. */
  readonly make: (worktree: Worktree, request: MakeCommit) => Promise<Making>;
  /** Takes the commit that is checked out off its branch again; index and files stay. Fails when it is not the last one. */
  readonly takeBack: (worktree: Worktree, commit: string, why?: string) => Promise<void>;
  /** Moves the branch that is checked out from one commit to another; index and files stay. */
  readonly moveHead: (
    worktree: Worktree,
    move: { readonly from: string; readonly to: string; readonly why: string },
  ) => Promise<void>;
  /** A commit of a tree on top of what is checked out: unsigned, without hooks, and on no branch. */
  readonly keep: (worktree: Worktree, tree: string, message: string) => Promise<string>;
  /** Makes files and index of a worktree without changes those of another tree. Fails, and changes nothing, where one is in the way. */
  readonly put: (worktree: Worktree, tree: string) => Promise<void>;
  /** Brings what is checked out to the disk: every object of it, also those of an agent's git, and the names of refs. */
  readonly flush: (worktree: Worktree, made?: MadeCommit) => Promise<void>;
}

/** Puts back what was staged before. After a commit that would be the undoing of it. */
export type Unstage = () => Promise<void>;

/** Absolute, or relative to the top level of the worktree; undefined means everything. */
export type Paths = readonly string[] | undefined;

export interface Trailer {
  readonly key: string;
  readonly value: string;
}

export interface MakeCommit {
  readonly message: string;
  readonly paths: Paths;
  readonly allowEmpty: boolean;
}

export interface CheckedOutCommit {
  readonly head: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Undefined where it is not in UTF-8. */
  readonly message: string | undefined;
  readonly isSigned: boolean;
  /** `merge`, `rebase` … where git is in the middle of one. */
  readonly operation: string | undefined;
}

/** How the attempt ended. What git and the hooks said is cut to its last lines. */
export interface Making {
  readonly made: boolean;
  readonly said: string;
}

export interface Checkout {
  /** Undefined on a branch without commits. */
  readonly head: string | undefined;
  /** The branch; undefined when none is checked out. */
  readonly branch: string | undefined;
  /** True when no branch is checked out. */
  readonly isDetached: boolean;
  /** Paths in conflict, of a merge, a rebase or a stash. */
  readonly unmerged: readonly string[];
}

/** What programs see in a worktree and no commit holds. */
export interface Beside {
  /** How many files the worktree's index has. */
  readonly files: number;
  /** Files that git ignores, and whole folders, which end with a slash; `isNew` when they changed since the moment asked for. */
  readonly ignored: () => Promise<readonly { readonly path: string; readonly isNew: boolean }[]>;
  /** False where no folder of such a name lies there. */
  readonly mayHoldFolder: (names: ReadonlySet<string>) => Promise<boolean>;
  /** Files that git was asked not to look at. */
  readonly hidden: readonly string[];
  readonly hasSubmodules: boolean;
  /** Repositories inside of which the tree holds a name and no files; not those that `.gitmodules` declares. */
  readonly repositories: () => Promise<readonly string[]>;
}

export interface Stash {
  readonly commit: string;
  readonly madeMs: number;
}

export interface Recent {
  /** Newest first, and no more than a few hundred. */
  readonly notes: readonly CommitNote[];
  /** Whether one of them has trailers of the `Tug` family. */
  readonly usesTug: boolean;
}

/** A commit, and what its trailers say about steps. Evidence, not truth: any program can write a trailer. */
export interface CommitNote {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly plans: readonly string[];
  readonly steps: readonly string[];
  readonly claims: readonly number[];
  /** Hashes of what the steps said; none in commits from before trailers had them. */
  readonly contents: readonly string[];
  readonly signatures: readonly string[];
}

export interface MadeCommit extends CommitNote {
  readonly tree: string;
  /** A name for what it changes; see `Git.changes`. */
  readonly change: string;
  /** Repositories inside the worktree of which it holds a name and no files, and its first parent does not. */
  readonly repositories: readonly string[];
  /** Repositories inside that its first parent holds at another commit. */
  readonly moved: readonly string[];
  /** What differs from its first parent. */
  readonly files: readonly string[];
  /** The names of all objects that it has in other places than its first parent, its own and its tree's among them. */
  readonly objects: readonly string[];
}
