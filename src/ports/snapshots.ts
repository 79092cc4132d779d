import type { Instant } from "../domain/instant.ts";
import type { Worktree } from "./repository.ts";

/**
 * Uncommitted work, kept as commits under `refs/pawl/snapshots/`.
 *
 * Taking one touches neither the files nor the index nor the stash of the worktree.
 */
export interface Snapshots {
  /** Keeps everything that is not committed. Undefined when there is nothing: the worktree is clean. */
  readonly take: (worktree: Worktree, because: string) => Promise<Snapshot | undefined>;
  readonly list: () => Promise<readonly Snapshot[]>;
  /** By ref or by any unambiguous end of it. */
  readonly find: (name: string) => Promise<Snapshot>;
  /** Writes the saved files into a new folder, byte for byte. */
  readonly restoreTo: (snapshot: Snapshot, folder: string) => Promise<void>;
  /** Puts the saved state back into its worktree; what is there now is taken first. */
  readonly restore: (snapshot: Snapshot, worktree: Worktree) => Promise<Snapshot | undefined>;
  readonly drop: (snapshot: Snapshot) => Promise<void>;
}

export interface Snapshot {
  readonly ref: string;
  readonly commit: string;
  readonly worktree: string;
  readonly worktreeId: string;
  /** What was checked out; undefined on an unborn branch. */
  readonly head: string | undefined;
  readonly branch: string | undefined;
  /** `merge`, `rebase` … when it was taken in the middle of one. */
  readonly operation: string | undefined;
  readonly files: number;
  readonly because: string;
  readonly takenAt: Instant;
}
