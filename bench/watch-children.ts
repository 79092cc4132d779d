import { createRequire, syncBuiltinESMExports } from "node:module";

/** One process that was started from here, from its start to its end. */
export interface ChildSpan {
  readonly program: string;
  readonly startMs: number;
  endMs: number;
}

type Spawn = (
  this: unknown,
  program: string,
  ...rest: readonly unknown[]
) => { once: (event: string, heard: () => void) => void };

/** Writes down every process that is started while `work` runs: what they take is not Pawl's own. */
export async function watchChildren<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly spans: readonly ChildSpan[] }> {
  const module = createRequire(import.meta.url)("node:child_process") as { spawn: Spawn };
  const { spawn } = module;
  const spans: ChildSpan[] = [];
  module.spawn = function watched(program, ...rest) {
    const span = { program, startMs: performance.now(), endMs: Number.NaN };
    spans.push(span);
    const child = spawn.call(this, program, ...rest);
    child.once("exit", () => (span.endMs = performance.now()));
    return child;
  };
  syncBuiltinESMExports();
  try {
    return { result: await work(), spans };
  } finally {
    module.spawn = spawn;
    syncBuiltinESMExports();
  }
}

/** How long at least one of them was there. */
export function coveredMs(spans: readonly ChildSpan[]): number {
  let covered = 0;
  let until = 0;
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    if (Number.isNaN(endMs)) continue;
    covered += Math.max(0, endMs - Math.max(startMs, until));
    until = Math.max(until, endMs);
  }
  return covered;
}
