/** Something that is asked for whenever there is news, and by many at once. */
export interface Gathered {
  /** Asks at once when it was quiet; else once for all that comes until then. */
  readonly soon: (afterMs?: number) => void;
  readonly stop: () => void;
}

/** After how long it must be asked once more, whatever else happens; undefined when that is all. */
export type Again = number | undefined;

/** How often at most: agents may write to the journal all the time. */
const PAUSE_MS = 120;

/**
 * One call at a time, never more often than is useful, and the last news is never without a call after it.
 *
 * What happens after a quiet time is asked for in the same moment: waiting for more would be most of the time in which a
 * change is seen.
 */
export function gather(call: () => Promise<Again>): Gathered {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isWanted = false;
  let isOver = false;
  let last = -Infinity;
  const run = async (): Promise<void> => {
    timer = undefined;
    isBusy = true;
    isWanted = false;
    last = performance.now();
    const again = await call();
    isBusy = false;
    if (isWanted || again !== undefined) soon(again);
  };
  const soon = (afterMs = 0): void => {
    if (isOver) return;
    isWanted = true;
    if (isBusy) return;
    clearTimeout(timer);
    // Lines that were written together come together: the next turn knows them all.
    timer = setTimeout(() => void run(), Math.max(afterMs, last + PAUSE_MS - performance.now(), 0));
  };
  return {
    soon,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
