import type { Instant } from "../../domain/index.ts";
import type { Worktree } from "./repository.ts";

/** What Pawl asks of git beyond finding the repository. Every call starts a process, so none is on the hot path. */
export interface Git {
  /** Such as `2.39.5`. */
  readonly version: () => Promise<string>;
  /** Why git would refuse to commit for want of an author; undefined when it knows one. */
  readonly identityProblem: () => Promise<string | undefined>;
  /**
   * The full object name of a commit, or undefined when there is no such commit here.
   *
   * `HEAD` is the one of the main worktree, unless another worktree is named.
   */
  readonly commitExists: (name: string, worktree?: Worktree) => Promise<string | undefined>;
  /** Those of the given commits that none of the refs leads to; what is not here at all is among them. */
  readonly unreachable: (names: readonly string[], refs: readonly string[]) => Promise<readonly string[]>;
  /** Those of the given commits that are not here. */
  readonly missingCommits: (names: readonly string[]) => Promise<readonly string[]>;
  /**
   * The branch of a remote that holds a commit, such as `origin/main`, as of this clone's last fetch or push.
   *
   * With a remote named, only its branches count: others may not be able to reach any other.
   */
  readonly remoteBranchOf: (commit: string, remote?: string) => Promise<string | undefined>;
  /** What stays the same in every clone: the first commits, and where the repository came from. */
  readonly origin: () => Promise<{ readonly roots: readonly string[]; readonly remote: string | undefined }>;
  /** Brings every object of some commits to the disk, also those that an agent's git wrote. */
  readonly flush: (commits: readonly string[]) => Promise<void>;
  /**
   * Keeps a commit reachable under `refs/pawl/late/` and tells under which ref.
   *
   * A ref that holds another commit is never moved; the next free name with `-2`, `-3` … is taken instead. Asking
   * again for the same commit gives the same ref.
   */
  readonly holdCommit: (ref: string, commit: string) => Promise<string>;
  /**
   * What stretches of history change, each as a name that is the same for the same change.
   *
   * It tells the lines that go and come in each file, not what is around them: a rebase keeps it.
   */
  readonly changes: (stretches: readonly CommitRange[]) => Promise<readonly string[]>;
  /** A commit for people to read, with what it changed; cut when it is very long. */
  readonly commitText: (commit: string) => Promise<CommitText>;
  /** The files at or below a path of the main worktree, as HEAD has them; links are left out. */
  readonly committedFiles: (path: string) => Promise<readonly CommittedFile[]>;
  /** What the commits reachable from the given names say about steps, newest first. */
  readonly planCommits: (query: TrailerQuery) => Promise<readonly TrailerEntry[]>;
}

/** A file of a commit, by its path from the top. */
export interface CommittedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One commit against its first parent, or everything since another one; both by full name. */
export interface CommitRange {
  readonly commit: string;
  readonly since?: string;
}

export interface CommitText {
  readonly commit: string;
  readonly author: string;
  /** As the author's clock had it, with its own zone. */
  readonly authoredAt: string;
  readonly message: string;
  readonly diff: string;
  readonly isCut: boolean;
}

export interface TrailerQuery {
  /**
   * Branches, tags or object names; what does not exist is skipped.
   *
   * `HEAD` is the one of the main worktree; a linked worktree's is `worktrees/<name>/HEAD`.
   */
  readonly refs: readonly string[];
  /** Families of trailers to read: `Pawl` reads `Pawl-Plan`, `Pawl-Step`, `Pawl-Claim` and `Pawl-Signature`. */
  readonly prefixes?: readonly string[];
}

/** Why a commit names steps that cannot be taken as they stand. */
export type TrailerDoubt = "no-plan" | "several-plans" | "too-large";

/** What one commit says about the steps of one plan. Evidence, not truth: any program can write a trailer. */
export interface TrailerEntry {
  /** The reachable commit; for a squash merge the merged one, not those it was made of. */
  readonly commit: string;
  /** Path of the plan, normalised; undefined when the entry is `ambiguous`, so that it matches no plan. */
  readonly plan: string | undefined;
  /** Every plan that the message names, normalised: for whom an `ambiguous` entry is a matter to look at. */
  readonly plans: readonly string[];
  /** Anchors without `#`, each once, in the order of the message. */
  readonly steps: readonly string[];
  /** The claim's number, when exactly one is named. */
  readonly claim: number | undefined;
  /** Every number, content and signature that the message carries; which belong together, a signature tells. */
  readonly claims: readonly number[];
  /** Hashes of what the steps said; none in commits from before trailers had them. */
  readonly contents: readonly string[];
  readonly signatures: readonly string[];
  readonly committedAt: Instant;
  /** `trailer`: git itself reads it so. `squash`: found in the message of a commit that was folded into this one. */
  readonly via: "trailer" | "squash";
  /** The commit that took it back, unless that was taken back in turn. */
  readonly revertedBy: string | undefined;
  readonly ambiguous: TrailerDoubt | undefined;
}
