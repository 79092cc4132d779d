import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { type ChildPrograms, childPrograms, ended, linkHeart } from "../support/child-program.ts";
import { isChange } from "../support/crash-at.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { lives, SCRIPTED_AGENT } from "../support/supervised.ts";
import { query } from "../support/world.ts";
import type { VerbOutput } from "./programs/verb.ts";

/**
 * Kills the runner of a plan of three steps at its effects (database, files, git, agents), and resumes.
 *
 * However it died, each step has one commit in the plan's branch, in order; nothing that an agent wrote is lost; and at
 * most the command that was cut off is run again. A run has hundreds of effects, so each call takes every so-manyeth
 * moment, starting elsewhere each time that it is called with another `PAWL_CRASH_OFFSET`. `npm run test:kills` takes all
 * that differ: those right after something outside has changed. A kill before a change leaves what a kill after the one
 * before it leaves; so does one after a look, and one inside a transaction, which is rolled back.
 */

const ALL = process.env["PAWL_CRASH_ALL"] !== undefined;
const STRIDE = ALL ? 1 : Number(process.env["PAWL_CRASH_STRIDE"] ?? "17");
const OFFSET = Number(process.env["PAWL_CRASH_OFFSET"] ?? "0");
/** Of the sweep, a little more than each kill takes on a slow machine. */
const TIMEOUT_MS = 600_000 + Math.ceil(1300 / STRIDE) * 15_000;

const PLAN = planText([
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["paint"], dependsOn: ["step-2"] },
]);

let programs: ChildPrograms<"verb">;
const made: string[] = [];

beforeAll(async () => {
  programs = await childPrograms("verb");
  linkHeart(programs, "verb");
});

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
  programs.remove();
});

interface Lane {
  readonly repo: TestRepository;
  readonly home: string;
  readonly restore: () => void;
  readonly call: (
    verb: "run" | "resume",
    request: object,
    at: number,
  ) => Promise<Awaited<ReturnType<typeof ended>>>;
  readonly trace: string;
}

function makeLane(): Lane {
  const repo = testRepository();
  const home = dirname(repo.path);
  const template = realpathSync(mkdtempSync(join(tmpdir(), "pawl-template-")));
  const trace = `${home}.trace`;
  made.push(home, template, trace);
  rmSync(join(repo.path, ".git/hooks"), { recursive: true, force: true });
  repo.write("plan.md", PLAN);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "the plan");
  const script = join(home, "script.json");
  writeFileSync(
    script,
    JSON.stringify({
      speak: "plain",
      runs: [
        [
          { append: "work/{step}.txt" },
          { append: join(home, "written-{step}"), text: "{unique}\n" },
          { tick: "all" },
        ],
      ],
    }),
  );
  const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
  cpSync(home, template, copy);
  const env = { SCRIPTED_AGENT: script, SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}` };
  return {
    repo,
    home,
    trace,
    restore() {
      rmSync(home, { recursive: true, force: true });
      rmSync(trace, { force: true });
      cpSync(template, home, copy);
    },
    call: (verb, request, at) =>
      ended(
        programs.start(
          "verb",
          { cwd: repo.path, at, trace, call: { verb, request }, names: at === 0 },
          { env: cleanEnv(env) },
        ),
      ),
  };
}

const RUN = { plan: "plan.md", argv: [process.execPath, SCRIPTED_AGENT], graceMs: 500 };

/** Continues as a person would: resumes, and starts anew when there was nothing to resume yet. What went wrong, if anything. */
async function goOn(lane: Lane): Promise<string | undefined> {
  const resumed = answerOf(await lane.call("resume", {}, 0));
  if (!/^E(?:174|059) /.test(resumed ?? "")) return resumed && `resume: ${resumed}`;
  const again = answerOf(await lane.call("run", RUN, 0));
  return again && `run: ${again}`;
}

/** Undefined when all went well. */
function answerOf({ code, signal, stdout, stderr }: Awaited<ReturnType<typeof ended>>): string | undefined {
  if (code !== 0 || stderr !== "") return `${signal ?? code}: ${stderr}`;
  const output = JSON.parse(stdout) as VerbOutput;
  if ("failure" in output) return `${output.failure.code} ${output.failure.message}`;
  const { ended: how } = output.answer as { ended: string };
  return how === "all_completed" ? undefined : how;
}

const startsOf = (home: string, step: string): number =>
  readdirSync(home).filter((name) => name.startsWith(`script.json.${step}.`)).length;

const STEPS = ["step-1", "step-2", "step-3"] as const;

/** Everything that must be as if nothing had been killed. */
function worldOf({ repo, home }: Lane) {
  const ask = (sql: string) => query(join(repo.path, ".git/pawl/state.db"), sql);
  const log = (format: string) =>
    repo.git("log", "--reverse", `--format=${format}`, "main..pawl/plan").split("\n");
  return {
    steps: ask("select anchor, status from steps order by step_index"),
    items: ask("select status, count(*) as n from checklist_items group by status"),
    commits: log("%s %(trailers:key=Pawl-Step,valueonly,separator=%x2C)"),
    recorded: ask("select commit_hash from steps order by step_index").map((row) => row["commit_hash"]),
    files: repo.git("ls-tree", "-r", "--name-only", "pawl/plan"),
    worktree: repo.git("-C", join(repo.path, ".pawl/worktrees/plan-w1"), "status", "--porcelain"),
    // Whatever an agent has written, before it was cut off or after, is in the plan's branch in the end.
    lost: STEPS.flatMap((step) => {
      const kept = new Set(repo.git("show", `pawl/plan:work/${step}.txt`).split("\n"));
      const noted = join(home, `written-${step}`);
      return existsSync(noted) ? linesOf(noted).filter((line) => !kept.has(line)) : [`nothing of ${step}`];
    }),
    completions: ask("select count(*) as n from events where event in ('completed', 'proved')"),
    open: ask("select count(*) as n from commit_intents where closed_at is null"),
    sessions: [...new Set(ask("select status from sessions").map((row) => row["status"]))],
    fsck: repo.git("fsck", "--strict", "--no-dangling"),
    status: repo.git("status", "--porcelain"),
    left: agents(home).filter(lives),
  };
}

/** What differs from an undisturbed world; more commands than kills would explain count as a difference. */
function differences(lane: Lane, wanted: ReturnType<typeof worldOf>, kills: number): readonly string[] {
  const found: Readonly<Record<string, unknown>> = worldOf(lane);
  const repeated = STEPS.reduce((sum, step) => sum + startsOf(lane.home, step) - 1, 0);
  const hashes = lane.repo.git("log", "--reverse", "--format=%H", "main..pawl/plan").split("\n");
  return [
    ...Object.entries(wanted)
      .filter(([name]) => name !== "recorded")
      .filter(([name, value]) => !isDeepStrictEqual(value, found[name]))
      .map(([name]) => `${name}: ${JSON.stringify(found[name])}`),
    ...(isDeepStrictEqual(found["recorded"], hashes)
      ? []
      : [`recorded: ${JSON.stringify(found["recorded"])}`]),
    ...(repeated <= kills ? [] : [`${repeated} commands were run again`]),
  ];
}

const linesOf = (path: string): readonly string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

const agents = (home: string): readonly number[] =>
  readdirSync(home)
    .filter((name) => /^script\.json\..+\.json$/.test(name))
    .map((name) => (JSON.parse(readFileSync(join(home, name), "utf8")) as { pid: number }).pid);

async function undisturbed(lane: Lane) {
  lane.restore();
  const whole = await lane.call("run", RUN, 0);
  expect(answerOf(whole)).toBeUndefined();
  const world = worldOf(lane);
  expect(world).toMatchObject({ lost: [], left: [], fsck: "", status: "", worktree: "" });
  expect(world.steps.map((step) => step["status"])).toEqual(["completed", "completed", "completed"]);
  expect(world.commits).toHaveLength(3);
  expect(differences(lane, world, 0)).toEqual([]);
  const { moments, names = [] } = JSON.parse(whole.stdout) as VerbOutput & { names?: readonly string[] };
  return { moments, names, world };
}

/** Kills, continues, compares; what is wrong, with the moment of each kill. */
async function kill(
  lane: Lane,
  wanted: ReturnType<typeof worldOf>,
  [first, second]: readonly [number, number?],
): Promise<readonly string[]> {
  lane.restore();
  // The last moments may come in another number from run to run: then it has ended by itself.
  if ((await lane.call("run", RUN, first)).signal !== "SIGKILL") return differences(lane, wanted, 0);
  const when = [readFileSync(lane.trace, "utf8")];
  if (second !== undefined && (await lane.call("resume", {}, second)).signal === "SIGKILL")
    when.push(readFileSync(lane.trace, "utf8"));
  const problem = await goOn(lane);
  const wrong = problem === undefined ? differences(lane, wanted, when.length) : [problem];
  return wrong.map((what) => `killed at ${when.join(", then at ")}: ${what}`);
}

// proves G-resumes-where-it-stopped
describe("after a kill of the runner at any effect, resume ends as if there had been none", () => {
  it(
    "one kill",
    async () => {
      const lanes = [makeLane(), makeLane()];
      const { moments, names, world } = await undisturbed(lanes[0]!);
      expect(moments).toBeGreaterThan(800);
      const chosen = names
        .map((name, index) => ({ name, at: index + 1 }))
        .filter(({ name, at }) => (ALL ? isChange(name) : (at - 1) % STRIDE === OFFSET % STRIDE))
        .map(({ at }) => at)
        .values();
      let tried = 0;
      const problems: string[] = [];
      await Promise.all(
        lanes.map(async (lane) => {
          for (const at of chosen) {
            const found = await kill(lane, world, [at]);
            for (const problem of found) console.log(problem);
            problems.push(...found);
            tried += 1;
          }
        }),
      );
      console.log(`run: ${moments} moments, killed at ${tried}`);
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "a kill, and another one while it is resumed",
    async () => {
      const lane = makeLane();
      const { moments, world } = await undisturbed(lane);
      const problems: string[] = [];
      let tried = 0;
      for (let at = 150 + OFFSET; at < moments - 50; at += (ALL ? 2 : STRIDE) * 13) {
        // A resume has fewer moments the later it begins; what is left of a run is about as many.
        problems.push(...(await kill(lane, world, [at, 1 + ((at * 7919) % (moments - at))])));
        tried += 1;
      }
      console.log(`run: killed twice, ${tried} times`);
      expect(tried).toBeGreaterThan(1);
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
