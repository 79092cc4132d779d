import { pause } from "../pause.ts";

/** How long a lock of somebody else is waited for: longer than git takes, shorter than a person does. */
export const LOCK_LIMIT_MS = 10_000;

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/**
 * Waits for a lock that somebody else holds: each call is one pause, and the answer is false once it took too long.
 *
 * The pauses are uneven, because two that wait for each other's lock must not stay in step. The watch is started by the
 * first of them: nearly every git command finds its lock free.
 */
export function lockPatience(limitMs = LOCK_LIMIT_MS): () => Promise<boolean> {
  let start: number | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  return async () => {
    start ??= performance.now();
    if (performance.now() - start > limitMs) return false;
    await pause(pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  };
}
