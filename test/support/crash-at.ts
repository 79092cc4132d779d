import { writeFileSync } from "node:fs";
import type { EffectWatcher } from "./lowest-ports.ts";

/**
 * Makes the process kill itself at moment number `at`, counted from 1; 0 lets it live.
 *
 * Each effect has two moments, just before and just after, because an effect that happened and was never reported is
 * the interesting kind of crash. The name of the last moment is left in `trace`, the number of all in `count()`; who
 * lives has all their names in `names()`.
 */
export function crashAt(
  at: number,
  trace: string,
): EffectWatcher & { readonly count: () => number; readonly names: () => readonly string[] } {
  let moments = 0;
  const names: string[] = [];
  // Taken before the watcher replaces it, or writing the trace would be an effect too.
  const write = writeFileSync;
  const moment = (name: string): void => {
    moments += 1;
    if (at === 0) names.push(name);
    if (moments !== at) return;
    write(trace, `${moments} ${name}`);
    process.kill(process.pid, "SIGKILL");
    // The signal takes this thread when it leaves the kernel; nothing must happen in between.
    for (;;);
  };
  return {
    before: (effect) => moment(`before ${effect}`),
    after: (effect) => moment(`after ${effect}`),
    count: () => moments,
    names: () => names,
  };
}

/** Whether the world is another one than at the moment before. */
export const isChange = (name: string): boolean =>
  name.startsWith("after ") && !SAME.some((look) => look.test(name));

const SAME: readonly RegExp[] = [
  /^after (?:get|all) /,
  /^after run /,
  /^after exec (?!commit)/,
  /^after open /,
  /^after spawn git .*core\.hooksPath=\/dev\/null/,
  /^after spawn git .*\b(?:rev-parse|log|ls-files|cat-file|merge-base|list|for-each-ref|status|diff-tree|get-regexp|symbolic-ref|version)\b/,
];
