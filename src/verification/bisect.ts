/** What is known of the trees of a branch, oldest first; the first of them is the one before the plan. */
export interface Bisection {
  /** How many there are; the last one fails. */
  readonly count: number;
  /** Undefined where no check has said anything yet. */
  readonly known: (at: number) => boolean | undefined;
  /** Whether one passes; undefined when the check was cut off. */
  readonly passes: (at: number) => Promise<boolean | undefined>;
}

/**
 * Finds the first tree that fails, right behind one that passes. 0: the tree before the plan fails already. Undefined
 * when it was cut off; what was seen until then is known the next time.
 *
 * No step is blamed unless the tree before it is seen to pass. For n steps that takes at most ceil(log2 n) checks where
 * an earlier tree is known to pass, and one more where the tree before the plan must be tried, too. That one is tried
 * last, because it only matters once the first step fails.
 */
export async function bisect({ count, known, passes }: Bisection): Promise<number | undefined> {
  let high = count - 1;
  let low = high - 1;
  while (low >= 0 && known(low) !== true) low -= 1;
  for (let at = high - 1; at > low; at -= 1) if (known(at) === false) high = at;
  while (high - low > 1) {
    const mid = high === 1 && low < 0 ? 0 : Math.floor((Math.max(low, 0) + high) / 2);
    const isGood = await passes(mid);
    if (isGood === undefined) return undefined;
    if (isGood) low = mid;
    else high = mid;
  }
  return high;
}
