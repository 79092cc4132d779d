import { heldLockFailure, lockComplaint } from "./lock-failure.ts";
import { LOCK_LIMIT_MS, lockWaiter } from "./wait-for-lock.ts";
import type { RunGit } from "../process/run-git.ts";

/**
 * Tries a call again while another git command holds a lock that it needs.
 *
 * A lock that stays and cannot be proven to be left is not touched: its owner may be a slow hook or a person's editor, and
 * removing it under them breaks the index. After the limit the failure says whose lock it was.
 */
export function retryLocked(run: RunGit, limitMs = LOCK_LIMIT_MS): RunGit {
  return async (call) => {
    const wait = lockWaiter(limitMs);
    for (;;) {
      try {
        return await run(call);
      } catch (error) {
        const said = lockComplaint(error);
        if (said === undefined) throw error;
        if (!(await wait(said))) throw heldLockFailure(said, error, limitMs);
      }
    }
  };
}
