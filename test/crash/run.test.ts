import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { type ChildPrograms, childPrograms, ended } from "../support/child-program.ts";
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
 * of them, starting elsewhere each time that it is called with another `PAWL_CRASH_OFFSET`.
 */

const STRIDE = Number(process.env["PAWL_CRASH_STRIDE"] ?? "17");
const OFFSET = Number(process.env["PAWL_CRASH_OFFSET"] ?? "0");

const PLAN = planText([
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["paint"], dependsOn: ["step-2"] },
]);

let programs: ChildPrograms<"verb">;
const made: string[] = [];

beforeAll(async () => {
  programs = await childPrograms("verb");
  // The heartbeat's thread starts from a built file, which is looked for at or above the program.
  symlinkSync(join(dirname(PAWL), "heart.cjs"), join(dirname(programs.path("verb")), "heart.cjs"));
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
          { cwd: repo.path, at, trace, call: { verb, request } },
          { env: cleanEnv(env) },
        ),
      ),
  };
}

const RUN = { plan: "plan.md", argv: [process.execPath, SCRIPTED_AGENT], graceMs: 500 };

/** Goes on as a person would: resumes, and starts anew when there was nothing to resume yet. */
async function goOn(lane: Lane, when: string): Promise<void> {
  const { code, stdout, stderr } = await lane.call("resume", {}, 0);
  expect({ when, code, stderr }).toEqual({ when, code: 0, stderr: "" });
  const output = JSON.parse(stdout) as VerbOutput;
  if (!("failure" in output)) return;
  expect({ when, failure: output.failure }).toMatchObject({
    failure: { code: expect.stringMatching(/^(?:E174|E059)$/) },
  });
  const again = await lane.call("run", RUN, 0);
  expect({ when, code: again.code, stderr: again.stderr }).toEqual({ when, code: 0, stderr: "" });
  const answer = JSON.parse(again.stdout) as VerbOutput;
  expect({ when, failure: "failure" in answer ? answer.failure : null }).toEqual({ when, failure: null });
}

const startsOf = (home: string, step: string): number =>
  readdirSync(home).filter((name) => name.startsWith(`script.json.${step}.`)).length;

function check({ repo, home }: Lane, when: string, kills: number): void {
  const database = join(repo.path, ".git/pawl/state.db");
  const steps = ["step-1", "step-2", "step-3"];
  const commits = repo
    .git("log", "--reverse", "--format=%(trailers:key=Pawl-Step,valueonly,separator=%x2C)", "main..pawl/plan")
    .split("\n");
  const starts = steps.map((step) => startsOf(home, step));
  const lost = steps.flatMap((step) => {
    const kept = new Set(repo.git("show", `pawl/plan:work/${step}.txt`).split("\n"));
    const noted = join(home, `written-${step}`);
    return existsSync(noted) ? linesOf(noted).filter((line) => !kept.has(line)) : [`nothing of ${step}`];
  });
  expect({
    when,
    steps: query(database, "select anchor, status from steps order by step_index"),
    commits,
    // Whatever an agent has written, before it was cut off or after, is in the plan's branch in the end.
    lost,
    repeated: starts.reduce((sum, count) => sum + count - 1, 0) <= kills,
    completions: query(database, "select count(*) as n from events where event in ('completed', 'proved')"),
    open: query(database, "select count(*) as n from commit_intents where closed_at is null"),
    running: query(database, "select count(*) as n from sessions where status = 'in_progress'"),
    fsck: repo.git("fsck", "--strict", "--no-dangling"),
    status: repo.git("status", "--porcelain"),
    left: agents(home).filter(lives),
  }).toEqual({
    when,
    steps: steps.map((anchor) => ({ anchor, status: "completed" })),
    commits: steps,
    lost: [],
    repeated: true,
    completions: [{ n: 3 }],
    open: [{ n: 0 }],
    running: [{ n: 0 }],
    fsck: "",
    status: "",
    left: [],
  });
}

const linesOf = (path: string): readonly string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

const agents = (home: string): readonly number[] =>
  readdirSync(home)
    .filter((name) => /^script\.json\..+\.json$/.test(name))
    .map((name) => (JSON.parse(readFileSync(join(home, name), "utf8")) as { pid: number }).pid);

// proves G-resumes-where-it-stopped
describe("after a kill of the runner at any effect, resume ends as if there had been none", () => {
  it("one kill", async () => {
    const lanes = [makeLane(), makeLane()];
    lanes[0]!.restore();
    const whole = await lanes[0]!.call("run", RUN, 0);
    expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: "" });
    check(lanes[0]!, "undisturbed", 0);
    const { moments } = JSON.parse(whole.stdout) as VerbOutput;
    expect(moments).toBeGreaterThan(200);
    let at = 1 + (OFFSET % STRIDE) - STRIDE;
    let tried = 0;
    await Promise.all(
      lanes.map(async (lane) => {
        for (;;) {
          const mine = (at += STRIDE);
          if (mine > moments) return;
          lane.restore();
          const first = await lane.call("run", RUN, mine);
          // The last moments may come in another number from run to run: then it has ended by itself.
          if (first.signal === "SIGKILL") await goOn(lane, `kill at ${readFileSync(lane.trace, "utf8")}`);
          check(lane, existsSync(lane.trace) ? readFileSync(lane.trace, "utf8") : "no kill", 1);
          tried += 1;
        }
      }),
    );
    console.log(`run: ${moments} crash points, ${tried} tried`);
  });

  it("a kill, and another one while it is resumed", async () => {
    const lane = makeLane();
    let tried = 0;
    for (let at = 150 + OFFSET; at < 1200; at += STRIDE * 13) {
      lane.restore();
      const first = await lane.call("run", RUN, at);
      if (first.signal !== "SIGKILL") break;
      const when = readFileSync(lane.trace, "utf8");
      await lane.call("resume", {}, 1 + ((at * 7) % 300));
      await goOn(lane, `kill at ${when}, then at ${readFileSync(lane.trace, "utf8")}`);
      check(lane, when, 2);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(1);
  });
});
