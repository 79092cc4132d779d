import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import type { Question, Verdict } from "../crash/programs/check.ts";
import type { SessionReply } from "../crash/programs/session.ts";
import type { VerbCall, VerbOutput } from "../crash/programs/verb.ts";
import type { Scenario } from "../crash/scenarios.ts";
import { type ChildPrograms, ended } from "./child-program.ts";
import { plainText, RECORDS, type World } from "./dump-world.ts";
import { type Conversation, converse } from "./lines.ts";
import type { Random } from "./random.ts";
import { cleanEnv, testRepository, type TestRepository } from "./repository.ts";

export type SweepPrograms = ChildPrograms<"verb" | "check" | "session">;

export interface Sweep {
  readonly programs: SweepPrograms;
  readonly scenario: Scenario;
  /** How many worlds are swept side by side. */
  readonly lanes: number;
  /** Kills the second run too, at a moment of its choice, and makes a third. */
  readonly secondKill?: Random;
  readonly until?: number;
}

export interface SweepReport {
  /** How many moments the call has at which it can be killed. */
  readonly points: number;
  readonly tried: number;
  readonly problems: readonly SweepProblem[];
}

/** What was found where something else was wanted, and after which crash. */
export interface SweepProblem {
  readonly when: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

/**
 * Kills a call at every moment it has, makes it again, and compares the world with one that was never disturbed.
 *
 * It stops at the first problem of each lane: what comes after a broken world says little.
 */
export async function sweep({
  programs,
  scenario,
  lanes,
  secondKill,
  until = Infinity,
}: Sweep): Promise<SweepReport> {
  const places = await Promise.all(Array.from({ length: lanes }, () => makePlace(programs, scenario)));
  try {
    const wanted = await Promise.all(places.map((place) => undisturbed(place)));
    const points = wanted[0]!.moments;
    const problems: SweepProblem[] = wanted.flatMap(({ problem }) => problem ?? []);
    let at = 0;
    let tried = 0;
    await Promise.all(
      places.map(async (place, index) => {
        while (at < points && problems.length === 0 && performance.now() < until) {
          at += 1;
          const second = secondKill === undefined ? 0 : 1 + secondKill.below(points);
          problems.push(...(await crashAndRepeat(place, at, second, wanted[index]!.outcome)));
          tried += 1;
        }
      }),
    );
    return { points, tried, problems };
  } finally {
    await Promise.all(places.map((place) => place.close()));
  }
}

interface Place {
  readonly programs: SweepPrograms;
  readonly scenario: Scenario;
  readonly call: VerbCall;
  readonly repo: TestRepository;
  readonly home: string;
  readonly trace: string;
  readonly stateDir: string;
  readonly checker: Conversation;
  /** Puts everything back to how the scene was set. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

/** A place with the scene set. Paths are part of the state, so it never moves. */
async function makePlace(programs: SweepPrograms, scenario: Scenario): Promise<Place> {
  const repo = testRepository();
  const call = await setScene(programs, scenario, repo);
  // Samples that only make every copy slower.
  rmSync(join(repo.path, ".git", "hooks"), { recursive: true, force: true });
  const home = dirname(repo.path);
  const template = `${home}.template`;
  const trace = `${home}.trace`;
  renameSync(home, template);
  const checker = converse(programs.start("check", {}));
  return {
    programs,
    scenario,
    call,
    repo,
    home,
    trace,
    stateDir: join(repo.path, ".git", "pawl"),
    checker,
    restore() {
      rmSync(home, { recursive: true, force: true });
      rmSync(trace, { force: true });
      cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    },
    async close() {
      await checker.end();
      for (const path of [home, template, trace]) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function setScene(
  programs: SweepPrograms,
  scenario: Scenario,
  repo: TestRepository,
): Promise<VerbCall> {
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  const deadSession = async (worktree: string) => {
    const session = converse(programs.start("session", { cwd: repo.path }));
    const { answer } = await session.ask<SessionReply>({ open: { plan: "plan.md", worktree } });
    const { id } = answer as { id: string };
    await session.ask({ verb: "claim", request: { plan: "plan.md", worktree, session: id } });
    await session.end();
  };
  const stage = { repo, pawl, one: repo.addWorktree("one"), two: repo.addWorktree("two"), deadSession };
  const call = await scenario.prepare(stage);
  // Closing opens what is not open yet, and opening an old database is what a scenario may be about.
  if (!scenario.closed && existsSync(join(repo.path, ".git", "pawl", "state.db"))) await pawl.close();
  return call;
}

async function runVerb({ programs, scenario, repo, trace, call }: Place, at: number) {
  const { everyStatement } = scenario;
  const run = await ended(programs.start("verb", { cwd: repo.path, at, trace, call, everyStatement }));
  const output = run.code === 0 && run.stderr === "" ? (JSON.parse(run.stdout) as VerbOutput) : undefined;
  return { ...run, output };
}

const look = ({ checker, stateDir, home }: Place, dump: boolean): Promise<Verdict> =>
  checker.ask<Verdict>({ stateDir, home, dump } satisfies Question);

async function undisturbed(
  place: Place,
): Promise<{ readonly moments: number; readonly outcome: Outcome; readonly problem?: SweepProblem }> {
  place.restore();
  const run = await runVerb(place, 0);
  const outcome = await outcomeOf(place, run);
  const { refused = "ok" } = place.scenario;
  const found = { code: outcome.code, problems: outcome.problems };
  const wanted = { code: refused, problems: [] };
  return {
    moments: run.output?.moments ?? 0,
    outcome,
    ...(isDeepStrictEqual(found, wanted)
      ? {}
      : { problem: { when: `undisturbed (${run.stderr})`, found, wanted } }),
  };
}

async function crashAndRepeat(
  place: Place,
  at: number,
  second: number,
  wanted: Outcome,
): Promise<readonly SweepProblem[]> {
  place.restore();
  const first = await runVerb(place, at);
  if (first.signal !== "SIGKILL")
    return [{ when: `moment ${at}`, found: { ...first }, wanted: "a killed process" }];
  let when = `after a crash at ${readFileSync(place.trace, "utf8")}`;
  // Reading recovers the log for the next process, so only every other world is read before the second run.
  if (at % 2 === 0) {
    const { problems } = await look(place, false);
    if (problems.length > 0) return [{ when: `right ${when}`, found: problems, wanted: [] }];
  }
  if (second > 0 && (await runVerb(place, second)).signal === "SIGKILL")
    when += `, and again at ${readFileSync(place.trace, "utf8")}`;
  const found = await outcomeOf(place, await runVerb(place, 0));
  return isDeepStrictEqual(found, wanted) ? [] : [{ when, found, wanted }];
}

interface Outcome {
  /** `ok`, or the code of the refusal. */
  readonly code: string;
  readonly said: unknown;
  readonly problems: readonly string[];
  readonly world: World | undefined;
  readonly modes: Verdict["modes"];
  readonly refs: readonly string[];
}

async function outcomeOf(place: Place, run: Awaited<ReturnType<typeof runVerb>>): Promise<Outcome> {
  const { scenario, home, repo } = place;
  const { problems, world, modes } = await look(place, true);
  const { output } = run;
  const said = output === undefined ? `${run.signal ?? run.code}: ${run.stderr}` : saidBy(scenario, output);
  return {
    code: output === undefined ? "no answer" : "failure" in output ? output.failure.code : "ok",
    said: JSON.parse(plainText(home)(JSON.stringify(said) ?? "null")) as unknown,
    problems,
    world: world && compared(scenario, world),
    modes,
    refs: repo.git("for-each-ref", "--format=%(refname)", "refs/pawl").split("\n"),
  };
}

function saidBy({ sameAnswer }: Scenario, output: VerbOutput): unknown {
  if ("failure" in output) return output.failure;
  const answer = output.answer as Readonly<Record<string, unknown>>;
  return sameAnswer ? sameAnswer(answer) : answer;
}

function compared({ compare, numbersDiffer }: Scenario, world: World): World {
  if (compare === "everything") return world;
  const state = Object.entries(world).filter(([table]) => !(RECORDS as readonly string[]).includes(table));
  // Rows that were written a second time have a higher id and say the same.
  const plain = ({ id: _id, claim_seq, ...row }: Readonly<Record<string, unknown>>) =>
    numbersDiffer ? row : { ...row, claim_seq };
  return Object.fromEntries(state.map(([table, rows]) => [table, rows.map(plain)]));
}
