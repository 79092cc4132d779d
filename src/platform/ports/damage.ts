/**
 * What a power cut leaves of git's objects and branches.
 *
 * A file that was never flushed has its name afterwards, and nothing in it. Git neither repairs such an object nor
 * writes it again. Nothing is deleted here: whatever is damaged moves aside, out of git's sight.
 */
export interface Damage {
  /** Objects in files of their own that do not hold what their name says; `recent` reads only young ones whole. */
  readonly objects: (extent: "recent" | "all") => Promise<readonly DamagedObject[]>;
  /** Moves objects aside, and writes those again whose content is still in a checkout. */
  readonly setAside: (objects: readonly DamagedObject[]) => Promise<SetAside>;
  /** Tries that once more for everything that was ever moved aside: a kill can come between the two. */
  readonly writeAgain: () => Promise<SetAside>;
  /**
   * Pawl's branches that lead to something that is not there; `tips` looks no further than their last commits, as long
   * as everything that was ever moved aside is there again.
   */
  readonly branches: (
    extent: "tips" | "whole",
    /** Commits that a branch is known to have been at, the last one first; asked only about damaged ones. */
    known: (branch: Pick<DamagedBranch, "name" | "plan">) => Promise<readonly string[]>,
  ) => Promise<readonly DamagedBranch[]>;
  /** Moves a branch to its last whole commit if it still is where it was seen; files in worktrees stay as they are. */
  readonly moveBack: (branch: DamagedBranch) => Promise<MovedBack>;
  /** Which of these commits are damaged for good: set aside, or without something that belongs to them. */
  readonly lost: (commits: readonly string[]) => Promise<readonly string[]>;
  /** Objects that lie aside, are not there again, and that something still leads to. Reads every object. */
  readonly neededAside: () => Promise<readonly string[]>;
  /** What `git fsck` says about everything; empty when all is well. Reads every object. */
  readonly fsck: () => Promise<readonly string[]>;
}

export interface DamagedObject {
  readonly id: string;
  readonly path: string;
}

export interface SetAside {
  /** Where they are now. */
  readonly folder: string;
  /** Ids of those that could be written again, from a checkout. */
  readonly written: readonly string[];
  readonly missing: readonly string[];
}

export interface DamagedBranch {
  readonly name: string;
  /** The plan it was made for. */
  readonly plan: string | undefined;
  /** What it was made from, by its mark: for a worker's branch the plan's. */
  readonly base: string | undefined;
  /** Where it points; undefined when the ref itself is empty. */
  readonly at: string | undefined;
  /** The last commit of it that has everything; undefined when none is known. */
  readonly good: string | undefined;
  /** Those of the known commits that would leave the branch with the move to `good`. */
  readonly beyond: readonly string[];
}

export interface MovedBack {
  /** Undefined when no commit of it is known: then only its empty ref moved aside. */
  readonly at: string | undefined;
  /** Where the files of git's are that had to be changed. */
  readonly folder: string;
}
