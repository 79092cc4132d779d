/** Lets so many through at once, and then so many in a second. */
export function bucket(most: number, perSecond: number, nowMs: () => number): () => boolean {
  let left = most;
  let last = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(most, left + ((now - last) * perSecond) / 1000);
    last = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
