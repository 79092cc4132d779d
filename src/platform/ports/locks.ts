/**
 * Mutual exclusion between Pawl processes of one clone.
 *
 * The kernel frees a lock with the process that held it, so a crash never leaves one behind.
 */
export interface Locks {
  /** Waits for its turn, up to a limit; then fails with `worktree/busy`. */
  readonly during: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}
