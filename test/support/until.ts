import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is yes; fails when it takes longer than anything here should. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what = String(isSo),
  limitMs = 20_000,
): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > limitMs) throw new Error(`still not so after ${limitMs} ms: ${what}`);
    await sleep(10);
  }
}
