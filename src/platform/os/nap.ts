import { setTimeout as sleep } from "node:timers/promises";

/** Waits, unless it is woken. */
export const nap = async (ms: number, wake: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal: wake }).catch(() => undefined);
};
