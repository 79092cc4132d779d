/** Below those that systems hand out by themselves, from 32768 on. */
const FIRST = 10_000;
const PORTS_EACH = 100;
const RUNS = 12;
const WORKERS = 16;

/**
 * The first of the ports that are meant for one worker's servers.
 *
 * Workers of one run get blocks side by side, so they never share one. Which blocks a run gets follows from what it
 * works on: the same each time, and mostly others than those of another run.
 */
export function portBase(subject: string, worker: number): number {
  const run = hashOf(subject) % RUNS;
  const block = (run * WORKERS + worker - 1) % (RUNS * WORKERS);
  return FIRST + block * PORTS_EACH;
}

/** FNV-1a, over code units. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return hash;
}
