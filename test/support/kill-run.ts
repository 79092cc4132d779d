import type { ChildProcess } from "node:child_process";
import { IDLE, IN_TRANSACTION, WAITING } from "./worker-flag.ts";
import type { ChildPrograms } from "./child-program.ts";
import { seededRandom } from "./random.ts";
import type { WorkSite } from "./work-site.ts";

export interface KillReport {
  readonly seed: number;
  readonly kills: number;
  readonly seconds: number;
  /** Answers that workers received, over all their lives. */
  readonly operations: number;
  readonly operationsPerKill: number;
  /** The longest life at the end: as asked for, unless the machine was busy. */
  readonly longestLifeMs: number;
  /** How many were killed inside a transaction, while they waited for one, and between two. */
  readonly inTransaction: number;
  readonly waiting: number;
  readonly idle: number;
  readonly violations: readonly string[];
}

export interface KillRun {
  readonly site: WorkSite;
  readonly programs: ChildPrograms<"worker">;
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  /** The longest life after a worker said it was ready; longer on a machine too busy to get anything done in it. */
  readonly longestLifeMs: number;
  /** Checked after so many kills, while the others continue. */
  readonly checkEvery: number;
  readonly check: () => Promise<readonly string[]>;
  /** No more kills after this many seconds, done or not. */
  readonly mostSeconds?: number;
}

/**
 * Kills workers at random moments, over and over, on one database.
 *
 * A kill that falls into the start of a process proves nothing, so the time runs from when a worker says that it is
 * ready, and what it was doing when it died is read from the byte it left behind.
 */
export async function killRun(run: KillRun): Promise<KillReport> {
  const { site, programs, workers, kills, seed, checkEvery, check } = run;
  const random = seededRandom(seed);
  const start = performance.now();
  const deadline = start + (run.mostSeconds ?? Infinity) * 1000;
  const counts = new Map<number, number>();
  const violations: string[] = [];
  let { longestLifeMs } = run;
  let begun = 0;
  let done = 0;
  /** Kills that find no worker busy are worth nothing, so lives get longer until enough is done in them. */
  const adjust = () => {
    if (site.history().operations / done < ENOUGH_PER_KILL)
      longestLifeMs = Math.min(longestLifeMs * 1.25, 500);
  };
  // Two at a time may start, or those that live get no share of the machine to do anything in.
  const starting = turnstile(STARTERS);
  const lane = async (index: number) => {
    while (begun < kills && violations.length === 0 && performance.now() < deadline) {
      begun += 1;
      const leave = await starting();
      const child = programs.start("worker", site.worker(index, random.below(2 ** 31)));
      const problem = await killWhenReady(child, random.next() * longestLifeMs, leave);
      if (problem !== undefined) violations.push(`worker-${index} ended by itself: ${problem}`);
      const state = site.flagOf(index) ?? IDLE;
      counts.set(state, (counts.get(state) ?? 0) + 1);
      done += 1;
      if (done % 25 === 0) adjust();
      if (done % checkEvery === 0) violations.push(...(await check()));
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => lane(index)));
  if (violations.length === 0) violations.push(...(await check()), ...site.violations());
  const { operations } = site.history();
  return {
    seed,
    kills: done,
    seconds: (performance.now() - start) / 1000,
    operations,
    operationsPerKill: operations / done,
    longestLifeMs,
    inTransaction: counts.get(IN_TRANSACTION) ?? 0,
    waiting: counts.get(WAITING) ?? 0,
    idle: counts.get(IDLE) ?? 0,
    violations,
  };
}

const STARTERS = 2;
const ENOUGH_PER_KILL = 3.5;

/** Lets so many in at once; the rest wait in line. */
function turnstile(places: number): () => Promise<() => void> {
  let free = places;
  const line: (() => void)[] = [];
  const leave = () => {
    const next = line.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => line.push(resolve));
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
}

/** What the worker said if it ended before it was killed, which it never should. */
function killWhenReady(child: ChildProcess, lifeMs: number, ready: () => void): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    let killed = false;
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdout!.once("data", () => {
      ready();
      setTimeout(() => {
        killed = true;
        child.kill("SIGKILL");
      }, lifeMs);
    });
    child.on("error", reject).on("close", (code, signal) => {
      ready();
      resolve(killed ? undefined : `${signal ?? code} ${stderr}`);
    });
  });
}

/** Lets workers work side by side until each has received so many answers, and none is killed. */
export async function workTogether(options: {
  readonly site: WorkSite;
  readonly programs: ChildPrograms<"worker">;
  readonly workers: number;
  readonly seed: number;
  readonly most: number;
}): Promise<readonly string[]> {
  const { site, programs, workers, seed, most } = options;
  const random = seededRandom(seed);
  return Promise.all(
    Array.from({ length: workers }, (_, index) => {
      const child = programs.start("worker", site.worker(index, random.below(2 ** 31), { most }));
      return new Promise<string>((resolve, reject) => {
        let stderr = "";
        child.stdout!.resume();
        child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
        child
          .on("error", reject)
          .on("close", (code, signal) =>
            resolve(code === 0 ? "" : `worker-${index} ended with ${signal ?? code}: ${stderr}`),
          );
      });
    }),
  ).then((endings) => endings.filter((ending) => ending !== ""));
}
