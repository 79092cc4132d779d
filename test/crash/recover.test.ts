import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildPrograms, childPrograms, ended, linkHeart } from "../support/child-program.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { query } from "../support/world.ts";
import type { VerbOutput } from "./programs/verb.ts";

/**
 * Kills `recover` at its effects (database, files, git, verifiers) while it repairs a folder of tasks in which nearly
 * everything is wrong, and lets it begin again. Between any two effects the situation belongs to some rule: the second
 * call ends where an undisturbed one does, with one commit for each step that was verified.
 */

const STRIDE = Number(process.env["PAWL_CRASH_STRIDE"] ?? "47");
const OFFSET = Number(process.env["PAWL_CRASH_OFFSET"] ?? "0");

const TASKS = [
  { id: "1", title: "Dig", status: "Awaiting Verification" },
  { id: "2", title: "Build", status: "Blocked", notes: "[VERIFICATION TIMEOUT]", verification_attempts: 1 },
  { id: "3", title: "Roof", status: "Blocked", notes: "[VERIFICATION TIMEOUT]", verification_attempts: 3 },
  { id: "4", title: "Paint", status: "Blocked", notes: "[AGENT TIMEOUT]" },
  { id: "5", title: "Fence", status: "In Progress", updated_date: "2026-01-05" },
];

const RECOVER = {
  answers: ["agent-timed-out:*=R", "stale-in-progress:*=P", "interrupted-session:*=A"],
};

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

function makeWorld() {
  const repo = testRepository();
  const home = dirname(repo.path);
  const template = realpathSync(mkdtempSync(join(tmpdir(), "pawl-template-")));
  const trace = `${home}.trace`;
  made.push(home, template, trace);
  rmSync(join(repo.path, ".git/hooks"), { recursive: true, force: true });
  repo.write("pawl.toml", `[verify]\ncommand = ${JSON.stringify([process.execPath, "-e", "0"])}\n`);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "settings");
  for (const task of TASKS)
    repo.write(`.claude/tasks/task-${task.id}.json`, JSON.stringify(task, undefined, 2));
  const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
  cpSync(home, template, copy);
  return {
    repo,
    trace,
    restore() {
      rmSync(home, { recursive: true, force: true });
      rmSync(trace, { force: true });
      cpSync(template, home, copy);
    },
    call: (at: number) =>
      ended(
        programs.start(
          "verb",
          { cwd: repo.path, at, trace, call: { verb: "recover", request: RECOVER } },
          { env: cleanEnv() },
        ),
      ),
  };
}

function check(repo: TestRepository, when: string): void {
  const database = join(repo.path, ".git/pawl/state.db");
  const statusOf = (id: string) =>
    (JSON.parse(readFileSync(join(repo.path, `.claude/tasks/task-${id}.json`), "utf8")) as { status: string })
      .status;
  const sentinel = join(repo.path, ".git/pawl/last-clean-exit.json");
  expect({
    when,
    steps: query(database, "select anchor, status, block_reason from steps order by step_index"),
    files: TASKS.map(({ id }) => statusOf(id)),
    commits: repo
      .git("log", "--reverse", "--format=%(trailers:key=Pawl-Step,valueonly,separator=%x2C)")
      .split("\n")
      .filter((line) => line !== "")
      .toSorted(),
    completions: query(database, "select count(*) as n from events where event in ('completed', 'proved')"),
    open: query(database, "select count(*) as n from commit_intents where closed_at is null"),
    running: query(database, "select count(*) as n from sessions where status = 'in_progress'"),
    sentinel: (JSON.parse(readFileSync(sentinel, "utf8")) as { open: boolean }).open,
    fsck: repo.git("fsck", "--strict", "--no-dangling"),
  }).toEqual({
    when,
    steps: [
      { anchor: "task-1", status: "completed", block_reason: null },
      { anchor: "task-2", status: "completed", block_reason: null },
      { anchor: "task-3", status: "blocked", block_reason: "verification_escalated" },
      { anchor: "task-4", status: "pending", block_reason: null },
      { anchor: "task-5", status: "pending", block_reason: null },
    ],
    files: ["Finished", "Finished", "Blocked", "Pending", "Pending"],
    commits: ["task-1", "task-2"],
    completions: [{ n: 2 }],
    open: [{ n: 0 }],
    running: [{ n: 0 }],
    sentinel: false,
    fsck: "",
  });
}

it("after a kill at any effect of a repair, or between two, the next call ends where an undisturbed one does", async () => {
  const world = makeWorld();
  world.restore();
  const whole = await world.call(0);
  expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: "" });
  check(world.repo, "undisturbed");
  const { moments } = JSON.parse(whole.stdout) as VerbOutput;
  expect(moments).toBeGreaterThan(150);
  let tried = 0;
  for (let at = 1 + (OFFSET % STRIDE); at <= moments; at += STRIDE) {
    world.restore();
    const first = await world.call(at);
    if (first.signal !== "SIGKILL") break;
    const when = `kill at ${readFileSync(world.trace, "utf8")}`;
    // What a session that was killed held is only free once it is decided about, so it may take one call more.
    for (let call = 0; call < 3; call += 1) {
      const { code, stderr } = await world.call(0);
      expect({ when, code, stderr }).toEqual({ when, code: 0, stderr: "" });
    }
    check(world.repo, existsSync(world.trace) ? when : "no kill");
    tried += 1;
  }
  console.log(`recover: ${moments} crash points, ${tried} tried`);
  expect(tried).toBeGreaterThan(3);
});
