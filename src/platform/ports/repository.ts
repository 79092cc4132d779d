/** The git repository that a call is about, and the worktrees that share it. */
export interface Repository {
  /** Realpath of the git common directory: where all worktrees share state. */
  readonly commonDir: string;
  /** Top level of the worktree that the caller is in; undefined in a bare repository or inside a git directory. */
  readonly topLevel: string | undefined;
  /** Top level of the main worktree, where there is one and it can be known. */
  readonly mainTopLevel: string | undefined;
  /** Resolves a path that must be the top level of a worktree of this repository; fails with the reason if not. */
  readonly worktree: (path: string) => Worktree;
  /** Whether a folder is a worktree of another repository, such as the one that this was copied from. */
  readonly isOfAnother: (path: string) => boolean;
}

/** One worktree, whatever it was called on the command line. */
export interface Worktree {
  /** Canonical: absolute, symlinks resolved. */
  readonly path: string;
  /**
   * `main`, or the name under `worktrees/` in the common directory, `~`, and a sign of when it was made: another
   * worktree that gets the name later is another one.
   */
  readonly id: string;
}
