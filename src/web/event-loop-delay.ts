import { readFileSync } from "node:fs";

export interface LoopDelay {
  /** The most processor time that one turn of the loop took: that is ours for certain. */
  readonly busiestMs: number;
  /**
   * The longest turn by the clock, without the time in which the loop was ready and others had the processor. Waiting for
   * the disk and for other threads is in it, so it is never less than a turn of ours, and more on a crowded machine.
   */
  readonly longestMs: number;
}

/** What the system knows of the thread that the loop is on, in ms since it began. */
export interface ThreadTimes {
  readonly busy: number;
  readonly waited: number;
}

const LOOK_MS = 10;
const FORGET_MS = 60_000;
const NONE: LoopDelay = { busiestMs: 0, longestMs: 0 };

/** How long the turns of this process's loop are, since it was last asked. Nothing is counted unless a caller asks. */
export function eventLoopDelay(
  nowMs = () => performance.now(),
  threadTimes = timesOfThisThread,
): { readonly read: () => LoopDelay } {
  let timer: NodeJS.Timeout | undefined;
  let longest = NONE;
  let last = { at: 0, busy: 0, waited: 0 };
  let asked = 0;
  const look = (): void => {
    const now = { at: nowMs(), ...threadTimes() };
    longest = {
      busiestMs: Math.max(longest.busiestMs, now.busy - last.busy),
      longestMs: Math.max(longest.longestMs, now.at - last.at - (now.waited - last.waited)),
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
      longest = NONE;
      last = { at: nowMs(), ...threadTimes() };
      timer ??= setInterval(look, LOOK_MS).unref();
      return found;
    },
  };
}

/** Where the system does not say, all threads of the process count as busy, and none as waiting. */
function timesOfThisThread(): ThreadTimes {
  try {
    const [busyNs, waitedNs] = readFileSync("/proc/self/schedstat", "latin1").split(" ").map(Number);
    if (busyNs !== undefined && waitedNs !== undefined) return { busy: busyNs / 1e6, waited: waitedNs / 1e6 };
  } catch {
    // It is not that system.
  }
  const { user, system } = process.cpuUsage();
  return { busy: (user + system) / 1000, waited: 0 };
}
