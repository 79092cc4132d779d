import type { Readable } from "node:stream";

/** More than a pipe holds: what comes behind it was written by another program. */
const MOST_BYTES = 1 << 20;

/**
 * Lets go of the pipes of a program that has ended, for a hook may have left a process behind that keeps them open.
 *
 * The end of a program can be noticed before its last words are read, and a process that then stands still for longer
 * than the grace period (a slow disk, a busy machine) finds the timer due first. An answer that was never read would
 * count as an empty one. So the pipes are read until nothing more is in them.
 */
export function releasePipes(pipes: readonly Readable[], graceMs: number): void {
  let bytes = 0;
  for (const pipe of pipes) pipe.on("data", (chunk: Buffer | string) => (bytes += chunk.length));
  const drain = (before: number): void => {
    if (bytes > before && bytes < MOST_BYTES) setImmediate(drain, bytes);
    else for (const pipe of pipes) pipe.destroy();
  };
  // Immediates run behind the pipes, timers in front of them.
  setTimeout(() => setImmediate(drain, bytes), graceMs).unref();
}
