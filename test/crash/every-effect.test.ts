import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/pawl.ts";
import { type ChildPrograms, childPrograms, ended } from "../support/child-program.ts";
import { plainText, RECORDS, type World } from "../support/dump-world.ts";
import { converse, type Conversation } from "../support/lines.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import type { Question, Verdict } from "./programs/check.ts";
import type { SessionReply } from "./programs/session.ts";
import type { VerbCall, VerbOutput } from "./programs/verb.ts";
import { type Scenario, SCENARIOS } from "./scenarios.ts";

/**
 * Kills every mutating verb at every effect it has.
 *
 * A crash can only fall between two effects, so trying all of them is trying everything. After each one the same call
 * is made again, undisturbed, and then nothing may tell the world from one in which the first call went well.
 */

let programs: ChildPrograms<"verb" | "check" | "session">;
const repositories: TestRepository[] = [];
const points = new Map<string, number>();

beforeAll(async () => {
  programs = await childPrograms("verb", "check", "session");
});

afterAll(() => {
  for (const repository of repositories) repository.remove();
  programs.remove();
  const total = [...points.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    [
      `crash points tried: ${total}`,
      ...[...points].map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`),
    ].join("\n"),
  );
});

/** Fewer than this many moments means that effects are no longer seen, not that the verb has become safe. */
const SUSPICIOUSLY_FEW = 6;
const LANES = 2;

describe("after a kill at any effect, the same call again makes the world whole", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => makeLane(scenario)));
    try {
      const wanted = await Promise.all(lanes.map((lane) => lane.uninterrupted()));
      const moments = wanted[0]!.moments;
      points.set(name, moments);
      expect(moments, "the number of crash points").toBeGreaterThanOrEqual(SUSPICIOUSLY_FEW);
      let at = 0;
      await Promise.all(
        lanes.map(async (lane, index) => {
          while (at < moments) await lane.crash((at += 1), wanted[index]!);
        }),
      );
    } finally {
      await Promise.all(lanes.map((lane) => lane.close()));
    }
  });
});

interface Outcome {
  readonly moments: number;
  readonly said: unknown;
  readonly world: World;
  readonly modes: Verdict["modes"];
  readonly refs: readonly string[];
}

interface Lane {
  readonly uninterrupted: () => Promise<Outcome>;
  readonly crash: (at: number, wanted: Outcome) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A place with the scene set, that can be put back to how it was. Paths are part of the state, so it never moves. */
async function makeLane(scenario: Scenario): Promise<Lane> {
  const repo = testRepository();
  repositories.push(repo);
  const call = await setScene(scenario, repo);
  // Samples that only make every copy slower.
  rmSync(join(repo.path, ".git", "hooks"), { recursive: true });
  const home = dirname(repo.path);
  const template = `${home}.template`;
  renameSync(home, template);
  const checker = converse(programs.start("check", {}));
  const stateDir = join(repo.path, ".git", "pawl");
  const trace = `${home}.trace`;
  const place = { scenario, call, repo, home, trace, stateDir, checker };
  const restore = () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  return {
    async uninterrupted() {
      restore();
      const output = await runVerb(place, 0);
      return outcome(place, output);
    },
    async crash(at, wanted) {
      restore();
      rmSync(trace, { force: true });
      const first = await ended(programs.start("verb", { cwd: repo.path, at, trace, call }));
      expect(first.signal, `moment ${at}: ${first.stdout}${first.stderr}`).toBe("SIGKILL");
      const moment = readFileSync(trace, "utf8");
      // Looking first recovers the log for whoever comes next, so only every other world is looked at before.
      if (at % 2 === 0) {
        const { problems } = await look(place, false);
        expect(problems, `right after a crash at ${moment}`).toEqual([]);
      }
      const second = await outcome(place, await runVerb(place, 0), `after a crash at ${moment}`);
      expect({ ...second, moments: 0 }, `after a crash at ${moment}`).toEqual({ ...wanted, moments: 0 });
    },
    async close() {
      await checker.end();
      for (const path of [home, template, trace]) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function setScene(scenario: Scenario, repo: TestRepository): Promise<VerbCall> {
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  const deadSession = async (worktree: string) => {
    const session = converse(programs.start("session", { cwd: repo.path }));
    const { answer } = await session.ask<SessionReply>({ open: { plan: "plan.md", worktree } });
    const { id } = answer as { id: string };
    await session.ask({ verb: "claim", request: { plan: "plan.md", worktree, session: id } });
    await session.end();
  };
  try {
    return await scenario.prepare({
      repo,
      pawl,
      one: repo.addWorktree("one"),
      two: repo.addWorktree("two"),
      deadSession,
    });
  } finally {
    if (existsSync(join(repo.path, ".git", "pawl", "state.db")) && !scenario.name.startsWith("migration"))
      await pawl.close();
  }
}

interface Place {
  readonly scenario: Scenario;
  readonly call: VerbCall;
  readonly repo: TestRepository;
  readonly home: string;
  readonly trace: string;
  readonly stateDir: string;
  readonly checker: Conversation;
}

async function runVerb({ repo, trace, call }: Place, at: number): Promise<VerbOutput> {
  const run = await ended(programs.start("verb", { cwd: repo.path, at, trace, call }));
  expect(run.stderr).toBe("");
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as VerbOutput;
}

const look = ({ checker, stateDir, home }: Place, dump: boolean): Promise<Verdict> =>
  checker.ask<Verdict>({ stateDir, home, dump } satisfies Question);

async function outcome(place: Place, output: VerbOutput, when = "undisturbed"): Promise<Outcome> {
  const { scenario, home, repo } = place;
  const { problems, world, modes } = await look(place, true);
  expect(problems, when).toEqual([]);
  if (!world) throw new Error(`there is no database ${when}`);
  return {
    moments: output.moments,
    said: JSON.parse(plainText(home)(JSON.stringify(saidBy(scenario, output, when)) ?? "null")) as unknown,
    world: compared(scenario, world),
    modes,
    refs: repo.git("for-each-ref", "--format=%(refname)", "refs/pawl").split("\n"),
  };
}

function saidBy(scenario: Scenario, output: VerbOutput, when: string): unknown {
  if ("failure" in output) {
    expect(output.failure.code, `${when}: ${output.failure.message}`).toBe(scenario.refused ?? "no failure");
    return output.failure;
  }
  expect(scenario.refused, when).toBeUndefined();
  const answer = output.answer as Readonly<Record<string, unknown>>;
  return scenario.sameAnswer ? scenario.sameAnswer(answer) : answer;
}

function compared({ compare, numbersDiffer }: Scenario, world: World): World {
  if (compare === "everything") return world;
  const state = Object.entries(world).filter(([table]) => !(RECORDS as readonly string[]).includes(table));
  // Rows that were written a second time have a higher id and say the same.
  const plain = ({ id: _id, claim_seq, ...row }: Readonly<Record<string, unknown>>) =>
    numbersDiffer ? row : { ...row, claim_seq };
  return Object.fromEntries(state.map(([table, rows]) => [table, rows.map(plain)]));
}
