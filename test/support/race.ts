import { cpus } from "node:os";
import type { RacerResult } from "../crash/programs/racer.ts";
import type { ChildPrograms } from "./child-program.ts";
import { converse } from "./lines.ts";
import type { TestRepository } from "./repository.ts";

export interface RaceResult {
  /** Every step that was claimed, as often as it was. */
  readonly steps: readonly string[];
  readonly reclaimed: number;
  readonly failures: readonly string[];
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** The share of the machine that went to processes that are none of ours. */
  readonly foreignShare: number;
}

/** Lets processes, each in a worktree of its own, claim and complete the steps of a plan until none is left. */
export async function race(
  programs: ChildPrograms<"racer">,
  repo: TestRepository,
  plan: string,
  racers: number,
): Promise<RaceResult> {
  const running = Array.from({ length: racers }, (_, index) => {
    const child = programs.start("racer", {
      cwd: repo.path,
      plan,
      worktree: repo.addWorktree(`racer-${index}`),
    });
    return { child, lines: converse(child) };
  });
  try {
    await Promise.all(running.map(async ({ lines }) => lines.word()));
    const before = cpuTimes();
    const start = performance.now();
    for (const { child } of running) child.stdin!.write("go\n");
    const results = await Promise.all(running.map(({ lines }) => lines.next<RacerResult>()));
    const seconds = (performance.now() - start) / 1000;
    const after = cpuTimes();
    const ours = results.reduce((sum, result) => sum + result.cpuMs, 0);
    const capacity = Math.max(1, after.all - before.all);
    const waits = results.flatMap((result) => result.claimMs).toSorted((a, b) => a - b);
    const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
    const claims = results.flatMap((result) => result.claimed.map((line) => line.split(" ")));
    return {
      steps: claims.map(([step]) => step!),
      reclaimed: claims.filter(([, , reclaimed]) => reclaimed === "true").length,
      failures: results.flatMap((result) => result.failures),
      seconds,
      p50: at(0.5),
      p99: at(0.99),
      longest: waits.at(-1) ?? 0,
      foreignShare: Math.min(0.95, Math.max(0, (after.busy - before.busy - ours) / capacity)),
    };
  } finally {
    await Promise.all(running.map(({ lines }) => lines.end()));
  }
}

/** Of the whole machine since it started, in milliseconds. */
function cpuTimes(): { readonly all: number; readonly busy: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce((sum, time) => sum + time.idle + time.user + time.nice + time.sys + time.irq, 0);
  return { all, busy: all - idle };
}
