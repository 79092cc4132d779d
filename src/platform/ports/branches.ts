/** Branches that plans are worked on, and how they get back to their base. */
export interface Branches {
  /** The branch of the main checkout, or of a bare repository; undefined when HEAD is detached. It may be unborn. */
  readonly current: () => Promise<string | undefined>;
  /** The branch that the remote calls its main one, such as `origin/main`. */
  readonly remoteHead: (remote: string) => Promise<string | undefined>;
  /** Hears what a remote has; a failure says why it could not be asked. */
  readonly fetch: (remote: string) => Promise<void>;
  /** The address of a remote; undefined where there is no such remote. */
  readonly remoteUrl: (remote: string) => Promise<string | undefined>;
  /** Asks a remote where one branch is; undefined where the remote does not have it. Fails with `remote/unreachable`. */
  readonly fetchBranch: (remote: string, branch: string) => Promise<string | undefined>;
  /** Brings a commit to a branch of a remote by compare-and-swap. A failure leaves open whether it arrived. */
  readonly push: (push: BranchPush) => Promise<PushOutcome>;
  /** The commits of those branches, tags or other names that exist. */
  readonly commits: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly exists: (branch: string) => Promise<boolean>;
  /** Every branch that Pawl made or that is named like one. */
  readonly planBranches: () => Promise<readonly PlanBranch[]>;
  /** One of them, by its full name. */
  readonly planBranch: (name: string) => Promise<PlanBranch | undefined>;
  /** Those of the commits that are there, and that no branch has, here or as known of a remote; `except` are left out. */
  readonly onNoBranch: (commits: readonly string[], except: readonly string[]) => Promise<readonly string[]>;
  /** What Pawl noted about branches, by their full names; one that is only about to be made counts. */
  readonly marks: () => ReadonlyMap<string, BranchMark>;
  /**
   * Notes what a branch is for, where git keeps what it knows of branches; before the branch is made.
   *
   * The caller holds the lock `worktrees`, so whatever a killed call left of this is known to have no owner.
   */
  readonly mark: (branch: string, mark: BranchMark) => Promise<void>;
  /** Frees git's lock of the configuration when a killed `mark` left it; false when there is none of ours. */
  readonly finishMark: () => Promise<boolean>;
  /** Keeps a commit under `refs/pawl/rescue/` and says under which ref; asking again gives the same. */
  readonly rescue: (name: string, commit: string) => Promise<string>;
  /** Every ref under `refs/pawl/`. */
  readonly listKept: () => Promise<readonly KeptRef[]>;
  /** Removes one of them while it still holds the same commit; true when it is gone. */
  readonly dropKept: (kept: KeptRef) => Promise<boolean>;
  /** How many refs there are under `refs/pawl/`, by kind, and how much they keep that no branch or tag does. */
  readonly keptRefs: () => Promise<{
    readonly counts: Readonly<Record<string, number>>;
    readonly bytes: number;
  }>;
  /** Whether any branch, tag or remote branch, other than the named branch, holds the commit. */
  readonly isHeldElsewhere: (commit: string, except: string | undefined) => Promise<boolean>;
  /** Removes a branch that still is where it was seen; refuses one that moved. */
  readonly remove: (branch: string, commit: string) => Promise<void>;
  readonly divergence: (base: string, branch: string) => Promise<Divergence>;
  /** The one of two commits that the other leads back to, as far as git's files prove it; undefined is no answer. */
  readonly nearBase: (one: string, other: string) => string | undefined;
  readonly mergeBase: (one: string, other: string) => Promise<string | undefined>;
  /** How the work of a branch got into its base, if it did; squashed and rebased work counts. */
  readonly landed: (base: string, branch: string) => Promise<Landing | undefined>;
  /** Merges in memory and touches nothing. */
  readonly preview: (base: string, branch: string) => Promise<MergePreview>;
  /** The same for two commits, without the names of the files. */
  readonly mergedTree: (base: string, branch: string) => Promise<MergedTree>;
  /** The tree of a commit. */
  readonly treeOf: (commit: string) => Promise<string>;
  /** A commit of a tree on top of another commit: unsigned, without hooks, on no branch, and made under Pawl's own name. */
  readonly commitTree: (made: {
    readonly tree: string;
    readonly parent: string;
    readonly message: string;
  }) => Promise<string>;
  /** The messages of commits that a base does not have, oldest first; not of those that Pawl made for itself. */
  readonly messages: (base: string, tip: string) => Promise<readonly string[]>;
  /** What changed from one commit to another, as a patch of at most so many characters. */
  readonly patch: (from: string, to: string, most: number) => Promise<string>;
  /** The commits that a branch was at, one after the other, oldest first; without those that `from` has. */
  readonly firstParents: (asked: {
    readonly from: string | undefined;
    readonly tip: string;
    readonly most: number;
  }) => Promise<readonly LandedCommit[]>;
  /** The files in which two trees differ; the text only of those that are asked for. */
  readonly changedFiles: (asked: {
    readonly from: string;
    readonly to: string;
    readonly reads: (path: string) => boolean;
  }) => Promise<readonly TreeFile[]>;
  /** A tree with those changes of another one that are taken. */
  readonly overlayTree: (asked: {
    readonly from: string;
    readonly to: string;
    readonly takes: (path: string) => boolean;
  }) => Promise<string>;
  /** What a branch changed since it left its base. */
  readonly diffStat: (base: string, branch: string) => Promise<DiffStat>;
  /** What the commits of a branch that its base does not have say about steps, oldest first. */
  readonly stepsOf: (base: string, branch: string) => Promise<readonly StepOnBranch[]>;
  /** Makes the commit that a merge ends in, with hooks and signing as the user set them up; moves no branch. */
  readonly commitMerge: (request: BranchMerge) => Promise<string>;
  /** Moves a branch that no worktree has checked out; false when it is no longer where it was. */
  readonly advance: (branch: string, from: string, to: string, why?: string) => Promise<boolean>;
}

export interface BranchPush {
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
  /** Where the remote's branch must still be; undefined: it must not exist. */
  readonly expected: string | undefined;
  /** Top level of the worktree that it is pushed from, as a person would. */
  readonly worktree?: string | undefined;
}

export type PushOutcome =
  | { readonly kind: "pushed" }
  /** The branch is elsewhere by now, or the server or a hook refuses; in its own words. */
  | { readonly kind: "rejected"; readonly said: readonly string[] };

export interface BranchMark {
  readonly plan: string;
  readonly base: string;
  /** The commit it started from: a branch that is still there has nothing to merge. */
  readonly start: string;
}

/** Work that Pawl put aside under a ref of its own. */
export interface KeptRef {
  readonly ref: string;
  readonly commit: string;
  /** When its commit was made. */
  readonly madeAtMs: number;
  /** The plan that the commit names, if it does. */
  readonly plan: string | undefined;
  /** The branch that it was taken of, as far as ref or commit name it; a ref's name has plain characters only. */
  readonly branch: string | undefined;
}

export interface PlanBranch {
  readonly name: string;
  readonly commit: string;
  /** Undefined for one that Pawl did not make. */
  readonly mark: BranchMark | undefined;
}

export interface Divergence {
  readonly ahead: number;
  readonly behind: number;
}

export type Landing = "merged" | "rebased" | "squashed";

export type MergePreview =
  /** The base has all of it already. */
  | { readonly kind: "nothing" }
  | { readonly kind: "clean"; readonly tree: string; readonly files: readonly string[] }
  | { readonly kind: "conflicts"; readonly files: readonly string[] };

export type MergedTree =
  | { readonly kind: "nothing" }
  /** `isOfBranch`: the branch itself has this very tree, so it may have all of the base. */
  | { readonly kind: "clean"; readonly tree: string; readonly isOfBranch: boolean }
  /** `tree` has the conflicts marked in its files. */
  | { readonly kind: "conflicts"; readonly files: readonly string[]; readonly tree: string };

/** A commit that a branch was at. */
export interface LandedCommit {
  readonly commit: string;
  readonly tree: string;
  /** Its first one; undefined for the first commit of all. */
  readonly parent: string | undefined;
  readonly subject: string;
  /** What its trailers say. */
  readonly plan: string | undefined;
  readonly steps: readonly string[];
  /** The commits that it says it takes back. */
  readonly reverts: readonly string[];
}

/** A file that differs between two trees. */
export interface TreeFile {
  readonly path: string;
  readonly isThereBefore: boolean;
  readonly isThereAfter: boolean;
  /** Its text, where that was asked for and it is a file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  /** By file, at most so many that people look at; null for what is no text. */
  readonly changes: readonly {
    readonly file: string;
    readonly insertions: number | null;
    readonly deletions: number | null;
  }[];
}

export interface StepOnBranch {
  readonly plan: string | undefined;
  readonly step: string;
  readonly commit: string;
  readonly subject: string;
}

export interface BranchMerge {
  readonly base: string;
  readonly branch: string;
  readonly branchName: string;
  readonly tree: string;
  readonly squash: boolean;
  readonly title: string;
}
