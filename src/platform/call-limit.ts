/** How many calls may come at once, and how many more each second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Answers each call with how many milliseconds it should wait; 0 when it may go ahead, and only then it counts. */
export function callLimit({ atOnce, perSecond }: Allowance, nowMs: () => number): () => number {
  let left = atOnce;
  let lastMs = nowMs();
  return () => {
    const at = nowMs();
    left = Math.min(atOnce, left + ((at - lastMs) / 1000) * perSecond);
    lastMs = at;
    if (left < 1) return Math.ceil(((1 - left) / perSecond) * 1000);
    left -= 1;
    return 0;
  };
}
