/** Below some milliseconds other things are measured than the work. */
const FLOOR_MS = 8;

/** Processor time, the least of a few: a busy machine only ever adds to it. */
function cpuMs(work: () => unknown): number {
  const samples = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...samples);
}

/**
 * How many times as long `large` takes as `small`, tried again while that is more than `most`: what grows too fast
 * does so each time, what a busy machine or a collection of garbage adds does not.
 */
export function growth(small: () => unknown, large: () => unknown, most: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < 6 && least >= most; tried += 1)
    least = Math.min(least, cpuMs(large) / Math.max(FLOOR_MS, cpuMs(small)));
  return least;
}
