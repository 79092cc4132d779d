import { execFileSync } from "node:child_process";
import { cpus, loadavg, tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { openNewSqlite } from "../conformance/sqlite.ts";
import { openWorld } from "../conformance/store.ts";
import type { Question, Verdict } from "../crash/programs/check.ts";
import { SCENARIOS } from "../crash/scenarios.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { sweep } from "../support/crash-sweep.ts";
import { killRun, workTogether } from "../support/kill-run.ts";
import { converse } from "../support/lines.ts";
import { flatPlan } from "../support/plans.ts";
import { checkModel } from "../support/play-model.ts";
import { race } from "../support/race.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { workSite } from "../support/work-site.ts";

/**
 * Rounds of everything that can go wrong between processes, until the time is over or something is broken.
 *
 * Each round has a seed of its own, made from the first, so that a round that fails can be run again alone.
 */

type Programs = ChildPrograms<"worker" | "check" | "racer" | "verb" | "session">;

interface Totals {
  kills: number;
  operations: number;
  inTransaction: number;
  points: number;
  contended: number;
  fenced: number;
  claims: number;
  p99: number;
  histories: number;
  controls: number;
}

interface Round {
  readonly programs: Programs;
  readonly random: Random;
  readonly totals: Totals;
  /** When to stop, by `performance.now()`. */
  readonly until: number;
}

/** A part that cannot be cut short is not begun when less than this is left. */
const SHORTEST_SECONDS = 20;

/** Each part says what is wrong, or nothing. */
type Part = (round: Round) => Promise<readonly string[]>;

const secondsLeft = ({ until }: Round): number => Math.max(0, (until - performance.now()) / 1000);

const kills: Part = async (round) => {
  const { programs, random, totals } = round;
  const site = await workSite({ workers: 8, steps: 1200 });
  try {
    const check = async () => {
      const checker = converse(programs.start("check", {}));
      const question: Question = { stateDir: site.stateDir, home: site.home, dump: false };
      const { problems } = await checker.ask<Verdict>(question);
      await checker.end();
      return problems;
    };
    const report = await killRun({
      site,
      programs,
      workers: 8,
      kills: 1000,
      seed: random.below(2 ** 31),
      longestLifeMs: 60,
      checkEvery: 250,
      check,
      mostSeconds: secondsLeft(round) * 0.6,
    });
    totals.kills += report.kills;
    totals.operations += report.operations;
    totals.inTransaction += report.inTransaction;
    return report.violations;
  } finally {
    site.remove();
  }
};

const histories: Part = async (round) => {
  const { programs, random, totals } = round;
  const most = Math.min(1500, Math.round(100 + secondsLeft(round) * 10));
  const site = await workSite({ workers: 8, steps: 60 });
  try {
    const endings = await workTogether({
      site,
      programs,
      workers: 8,
      seed: random.below(2 ** 31),
      most,
    });
    const { calls, operations } = site.history();
    totals.contended += operations;
    totals.fenced += calls.filter((call) => call.answer?.code === "E076").length;
    return [...endings, ...site.violations()];
  } finally {
    site.remove();
  }
};

/** The checkers must still find what they are for. */
const negativeControls: Part = async ({ programs, random, totals }) => {
  const problems: string[] = [];
  for (const broken of ["numbers", "choice"] as const) {
    const site = await workSite({ workers: 6, steps: 40, broken });
    try {
      await workTogether({ site, programs, workers: 6, seed: random.below(2 ** 31), most: 300 });
      if (site.violations().length === 0) problems.push(`no check noticed that ${broken} were taken out`);
      else totals.controls += 1;
    } finally {
      site.remove();
    }
  }
  return problems;
};

const races: Part = async ({ programs, totals }) => {
  const repo = testRepository();
  try {
    repo.write("plan.md", flatPlan(2000));
    const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
    await pawl.init({ plan: "plan.md" });
    await pawl.close();
    const { steps, failures, reclaimed, p99 } = await race(programs, repo, "plan.md", 64);
    totals.claims += steps.length;
    totals.p99 = Math.max(totals.p99, p99);
    const once = steps.length === 2000 && new Set(steps).size === 2000 && reclaimed === 0;
    return [
      ...failures,
      ...(once ? [] : [`${steps.length} claims of ${new Set(steps).size} steps, ${reclaimed} of them again`]),
    ];
  } finally {
    repo.remove();
  }
};

const model: Part = async ({ random, totals }) => {
  const world = await openWorld(openNewSqlite);
  const seed = random.below(2 ** 31);
  try {
    await checkModel(world, 1000, seed);
    totals.histories += 1000;
    return [];
  } catch (error) {
    return [
      `the model disagrees (fast-check seed ${seed}): ${error instanceof Error ? error.message : String(error)}`,
    ];
  } finally {
    await world.close();
  }
};

/** Kills at every effect, and kills the repair too, at a moment of its choice; as many verbs as the time allows. */
const points: Part = async (round) => {
  const { programs, random, totals } = round;
  const problems: string[] = [];
  const order = SCENARIOS.map((scenario) => ({ scenario, place: random.next() })).toSorted(
    (a, b) => a.place - b.place,
  );
  for (const { scenario } of order) {
    if (secondsLeft(round) < SHORTEST_SECONDS) break;
    const report = await sweep({ programs, scenario, lanes: 2, secondKill: random, until: round.until });
    totals.points += report.tried;
    problems.push(
      ...report.problems.map(
        ({ when, found, wanted }) =>
          `${scenario.name} ${when}: found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`,
      ),
    );
  }
  return problems;
};

const PARTS: Readonly<Record<string, Part>> = {
  "negative controls": negativeControls,
  kills,
  histories,
  races,
  model,
  points,
};

function ground(): string {
  const fileSystem = execFileSync("df", ["--output=fstype", tmpdir()], { encoding: "utf8" })
    .trim()
    .split("\n")
    .at(-1);
  return `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, ${tmpdir()} on ${fileSystem}`;
}

function summary(seed: number, totals: Totals, engine: string, minutes: number): string {
  const share = totals.kills === 0 ? 0 : (100 * totals.inTransaction) / totals.kills;
  return [
    `seed                 ${seed}`,
    `engine               ${engine}`,
    `ground               ${ground()}`,
    `time                 ${minutes.toFixed(1)} minutes`,
    `kills                ${totals.kills}, ${(totals.operations / Math.max(1, totals.kills)).toFixed(1)} operations per kill, ${share.toFixed(0)} % inside a transaction`,
    `operations           ${totals.operations + totals.contended}, of which ${totals.fenced} by owners that had lost their step`,
    `crash points         ${totals.points}, each killed once more during the repair`,
    `races                ${totals.claims} claims by 64 processes, p99 ${totals.p99.toFixed(0)} ms at worst`,
    `model                ${totals.histories} histories`,
    `negative controls    ${totals.controls} noticed`,
  ].join("\n");
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string" },
      only: { type: "string" },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const start = performance.now();
  const until = start + Number(values.minutes) * 60_000;
  const programs = await childPrograms("worker", "check", "racer", "verb", "session");
  const totals: Totals = {
    kills: 0,
    operations: 0,
    inTransaction: 0,
    points: 0,
    contended: 0,
    fenced: 0,
    claims: 0,
    p99: 0,
    histories: 0,
    controls: 0,
  };
  const engine = await engineName();
  const broken: string[] = [];
  try {
    for (
      let number = 1;
      broken.length === 0 && until - performance.now() > SHORTEST_SECONDS * 1000;
      number += 1
    ) {
      const random = seededRandom(seed + number - 1);
      for (const [name, part] of Object.entries(PARTS)) {
        if (
          broken.length > 0 ||
          (until - performance.now()) / 1000 < SHORTEST_SECONDS ||
          (values.only !== undefined && values.only !== name)
        )
          continue;
        const from = performance.now();
        const problems = await part({ programs, random, totals, until });
        console.log(
          `round ${number}, ${name}: ${problems.length === 0 ? "sound" : `${problems.length} violations`} (${((performance.now() - from) / 1000).toFixed(0)} s)`,
        );
        broken.push(
          ...problems.map((problem) => `round ${number} (seed ${seed + number - 1}), ${name}: ${problem}`),
        );
      }
    }
  } finally {
    programs.remove();
  }
  console.log(`\n${summary(seed, totals, engine, (performance.now() - start) / 60_000)}`);
  for (const line of broken.slice(0, 50)) console.error(line);
  const weak = powerProblems(totals);
  for (const line of weak) console.error(line);
  return broken.length + weak.length === 0 ? 0 : 1;
}

/** A run in which nothing happened is not a good one. */
function powerProblems(totals: Totals): readonly string[] {
  if (totals.kills < 50) return [];
  return [
    ...(totals.operations / totals.kills < 3
      ? [`too weak: ${(totals.operations / totals.kills).toFixed(1)} operations per kill, 3 are needed`]
      : []),
    ...(totals.inTransaction / totals.kills < 0.25
      ? ["too weak: fewer than 25 % of the kills fell inside a transaction"]
      : []),
  ];
}

async function engineName(): Promise<string> {
  const world = await openWorld(openNewSqlite);
  try {
    const { sqlite_version: version } = await world.database.facts();
    return `SQLite ${version}`;
  } finally {
    await world.close();
  }
}

process.exitCode = await main();
