/** Calls that may come at once, and how many more each second. An agent in a loop is slowed down, not its neighbours. */
const BURST = 40;
const PER_SECOND = 10;

/** Answers with how long to wait; 0 when the call may go ahead. */
export function callLimit(nowMs: () => number): () => number {
  let left = BURST;
  let lastMs = nowMs();
  return () => {
    const at = nowMs();
    left = Math.min(BURST, left + ((at - lastMs) / 1000) * PER_SECOND);
    lastMs = at;
    if (left < 1) return Math.ceil(((1 - left) / PER_SECOND) * 1000);
    left -= 1;
    return 0;
  };
}
