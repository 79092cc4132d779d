import type { Instant } from "../../domain/index.ts";
import type { Worktree } from "./repository.ts";

/**
 * Uncommitted work, kept as commits under `refs/pawl/snapshots/`.
 *
 * Taking one touches neither the files nor the index nor the stash of the worktree.
 */
export interface Snapshots {
  /** Keeps everything that is not committed. Undefined when there is nothing: the worktree is clean. */
  readonly take: (worktree: Worktree, because: string) => Promise<Snapshot | undefined>;
  /** Oldest first. */
  readonly list: () => Promise<readonly Snapshot[]>;
  /** By ref, by any unambiguous end of it, or by the beginning of its commit. */
  readonly find: (name: string) => Promise<Snapshot>;
  /** How the saved files differ from the commit that was checked out. */
  readonly changes: (snapshot: Snapshot) => Promise<readonly SnapshotChange[]>;
  /** Writes the saved files into a new folder, byte for byte. */
  readonly restoreTo: (snapshot: Snapshot, folder: string) => Promise<void>;
  /**
   * Puts the saved state back into its worktree; what is there now is taken first, and that snapshot is the answer.
   *
   * Files, index and what git was in the middle of; with `filesOnly` the files alone. Refuses when another commit is
   * checked out than at the time, because an index without its commit makes work look like its own undoing.
   */
  readonly restore: (
    snapshot: Snapshot,
    worktree: Worktree,
    options?: { readonly filesOnly?: boolean },
  ) => Promise<Snapshot | undefined>;
  /**
   * Puts back files that a power cut left empty or cut short, as far as some trees tell what they held.
   *
   * What is there now is taken first. Undefined when no file is like that.
   */
  readonly restoreCutShort: (worktree: Worktree, search: CutShortSearch) => Promise<CutShort | undefined>;
  /**
   * Whether the worktree's file system has been mounted without a break since `recordMount`. Then no power cut came between:
   * a file that is empty was emptied by a program. False where the system cannot say.
   */
  readonly isMountUnbroken: (worktree: Worktree) => boolean;
  readonly recordMount: (worktree: Worktree) => void;
  /** Removes the ref. The commit stays in the repository until git collects it. */
  readonly drop: (snapshot: Snapshot) => Promise<void>;
}

/** A state of a worktree that is known. */
export interface KnownTree {
  /** A tree or a commit. */
  readonly tree: string;
  /** Whether it holds files byte for byte; else as git's filters made them. */
  readonly isSnapshot: boolean;
  /** Whether it may be from after the power cut: then an empty file in it does not prove that the file was empty before. */
  readonly mayHoldLosses?: boolean;
}

export interface CutShortSearch {
  /** Each path counts in the first of them that has it. */
  readonly known: readonly KnownTree[];
  /** Counts a file that merely stops early. Without a reboot in between, a program made it so. */
  readonly evenShorter: boolean;
  readonly because: string;
}

export interface CutShort {
  readonly files: readonly string[];
  /** As it was before. */
  readonly snapshot: Snapshot | undefined;
}

export interface Snapshot {
  readonly ref: string;
  readonly commit: string;
  readonly worktree: string;
  readonly worktreeId: string;
  /** What was checked out; undefined on an unborn branch. */
  readonly head: string | undefined;
  /** Without `refs/heads/`; undefined when HEAD was detached. */
  readonly branch: string | undefined;
  /** `merge`, `rebase` … when it was taken in the middle of one. */
  readonly operation: string | undefined;
  /** How many paths were not as they are committed. */
  readonly files: number;
  /**
   * Submodules and other repositories inside the worktree, by path.
   *
   * Their uncommitted work is kept in their own git directories: removing those removes that part.
   */
  readonly repositories: readonly string[];
  readonly because: string;
  readonly takenAt: Instant;
}

export interface SnapshotChange {
  /** For people; a name that is not UTF-8 has stand-ins in it. */
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "retyped";
}
