/**
 * Mutual exclusion between Pawl processes of one clone.
 *
 * The kernel frees a lock with the process that held it, so a crash never leaves one behind.
 */
export interface Locks {
  /** Waits for its turn, up to a limit; then fails with `worktree/busy`. */
  readonly during: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** The same with the first of several locks that is free; the work gets its name. */
  readonly duringOneOf: <T>(names: readonly string[], work: (name: string) => Promise<T>) => Promise<T>;
}
