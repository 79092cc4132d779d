import { readFileSync } from "node:fs";

export interface Turns {
  /** The longest that the loop was kept by us: by the clock, without the time in which other programs had the processor. */
  readonly longestMs: number;
  /** The longest by the clock alone: what a caller may have waited, whoever was the cause. */
  readonly longestByClockMs: number;
}

const LOOK_MS = 10;
const FORGET_MS = 60_000;

/**
 * How long the turns of this process's loop are, told since it was last asked.
 *
 * It looks every 10 ms, and the time between two looks is never shorter than the turn between them; waiting for the disk
 * is in it. A machine with more to do than it can makes every program wait for its turn, which is not the length of
 * ours: where the system counts that time, it is taken off. Nothing is counted unless somebody asks.
 */
export function turnWatch(
  nowMs = () => performance.now(),
  keptWaitingMs = waitedForProcessor,
): { readonly read: () => Turns } {
  let timer: NodeJS.Timeout | undefined;
  let longest = { longestMs: 0, longestByClockMs: 0 };
  let last = { at: 0, waited: 0 };
  let asked = 0;
  const look = (): void => {
    const now = { at: nowMs(), waited: keptWaitingMs() };
    const byClock = now.at - last.at;
    longest = {
      longestMs: Math.max(longest.longestMs, byClock - (now.waited - last.waited)),
      longestByClockMs: Math.max(longest.longestByClockMs, byClock),
    };
    last = now;
    if (now.at - asked < FORGET_MS) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    read() {
      asked = nowMs();
      if (timer !== undefined) look();
      const found = longest;
      longest = { longestMs: 0, longestByClockMs: 0 };
      last = { at: nowMs(), waited: keptWaitingMs() };
      timer ??= setInterval(look, LOOK_MS).unref();
      return found;
    },
  };
}

/** How long the thread of the loop was ready to run and had to wait; 0 where the system does not say. */
function waitedForProcessor(): number {
  try {
    const [, waitedNs = "0"] = readFileSync("/proc/self/schedstat", "latin1").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
