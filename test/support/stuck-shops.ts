import { chmodSync, cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { planText } from "./plans.ts";
import { AGENT, GOOD, type RunShop, runShop, type Started, THREE, untilWritten } from "./run-shop.ts";
import { until } from "./until.ts";
import { withDatabase } from "./world.ts";

/** What a click starts is a process or several, on a machine that may have others to serve. */
const PATIENT_MS = 60_000;

export const patiently = (isSo: () => boolean): Promise<void> => until(isSo, undefined, PATIENT_MS);

export const speaking = (preset: string) =>
  `agent = "scripted"\n[agents.scripted]\npreset = "${preset}"\nprogram = ${JSON.stringify([AGENT[1], AGENT[2]])}\n`;
const HANG = [{ write: "half.txt", text: "half" }, { hang: true }];

export type Task = Readonly<Record<string, unknown>>;

/** A shop with one task of another tool in it, left in some state. */
export function taskShop(task: Task, settings = ""): RunShop {
  const shop = runShop([THREE[0]!], settings);
  rmSync(join(shop.repo.path, "plan.md"));
  shop.repo.git("rm", "-q", "--cached", "plan.md");
  shop.repo.git("commit", "-q", "-m", "only tasks");
  shop.repo.write(
    ".claude/tasks/task-1.json",
    `${JSON.stringify({ id: "1", title: "Dig", ...task }, null, 2)}\n`,
  );
  return shop;
}

export const taskOf = (shop: RunShop) =>
  JSON.parse(readFileSync(join(shop.repo.path, ".claude/tasks/task-1.json"), "utf8")) as Task;

export const becomes = (status: string) => (shop: RunShop) =>
  patiently(() => taskOf(shop)["status"] === status);

export const AWAITING: Task = { status: "Awaiting Verification" };
export const TIMED_OUT: Task = {
  status: "Blocked",
  notes: "[VERIFICATION TIMEOUT] ran out of turns",
  verification_attempts: 1,
};
export const AGENT_TIMEOUT: Task = {
  status: "Blocked",
  notes: "[AGENT TIMEOUT] 60 minutes",
  description: "Dig it.",
};
export const STALE: Task = { status: "In Progress", updated_date: "2026-01-05" };
const LIMIT = [{ write: "half.txt", text: "half" }, { limit: { inSeconds: 7200 } }];

/** A run that was stopped in the middle of its first step. */
export async function interrupted(): Promise<RunShop> {
  const shop = runShop(undefined, speaking("command"));
  shop.script({ steps: { "step-1": [HANG, GOOD] } });
  const { child, ended } = shop.start("run", "plan.md");
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGTERM");
  await ended;
  return shop;
}

export async function withoutWorktree(): Promise<RunShop> {
  const shop = await interrupted();
  rmSync(shop.worktree(), { recursive: true });
  return shop;
}

export function edited(): RunShop {
  const shop = runShop();
  shop.json("state", "init", "plan.md");
  shop.repo.write("plan.md", planText([...THREE, { number: "4", tasks: ["move in"] }]));
  return shop;
}

export const treeOf = (shop: RunShop): string => join(shop.repo.path, ".pawl/worktrees/plan");

export function worktreeGone(): RunShop {
  const shop = runShop();
  shop.json("worktree", "create", "plan.md");
  rmSync(treeOf(shop), { recursive: true });
  return shop;
}

/** A power cut took the content of a completed step, and no checkout has it any more. */
export async function contentLost(): Promise<RunShop> {
  const shop = runShop();
  await shop.run("--max-steps", "1");
  const blob = shop.repo.git("rev-parse", "pawl/plan:work/step-1.txt");
  const object = join(shop.repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  for (const file of [object, join(shop.worktree(), "work/step-1.txt")]) truncateSync(file, 0);
  shop.json("recover", "--auto");
  return shop;
}

/** Completed steps that the plan's branch lacks: it was moved back, and may have a commit of its own since. */
export async function offBranch(hasOwnCommit: boolean): Promise<RunShop> {
  const shop = runShop();
  expect((await shop.run()).code).toBe(0);
  const { repo } = shop;
  const before = "pawl/plan~1";
  const tip = hasOwnCommit
    ? repo.git("commit-tree", "-p", before, "-m", "other", `${before}^{tree}`)
    : before;
  repo.git("branch", "-f", "pawl/plan", tip);
  return shop;
}

export const sessionsOf = (shop: RunShop): readonly unknown[] =>
  shop.query("select status from sessions order by started_at").map(({ status }) => status);

export const snapshotsOf = (shop: RunShop): readonly string[] =>
  (shop.json("snapshot", "list").data.snapshots as readonly { ref: string }[]).map(({ ref }) => ref);

export const statusOf = (shop: RunShop) => taskOf(shop)["status"];

/** A step that ran out of attempts: nothing but a person helps. */
export async function escalated(): Promise<RunShop> {
  const shop = runShop(
    [THREE[0]!],
    `${speaking("command")}[verify]\ncommand = ["sh", "-c", "test -e ../../../../right"]\n`,
  );
  expect((await shop.run()).code).toBe(5);
  writeFileSync(shop.path("right"), "");
  return shop;
}

/** A run that came to the end of what its agent may use. */
export function paused(): RunShop {
  const shop = runShop([THREE[0]!], speaking("claude"));
  writeFileSync(
    shop.path("script.json"),
    JSON.stringify({ speak: "claude", steps: { "step-1": [LIMIT, GOOD] } }),
  );
  shop.pawl("run", "plan.md");
  return shop;
}

export function stopped(how: "blocked" | "held", reason = "merge_conflict"): RunShop {
  const shop = runShop([THREE[0]!]);
  shop.json("state", "init", "plan.md");
  if (how === "held") shop.json("state", "hold", "plan.md", "step-1", "--reason", "not now");
  else
    withDatabase(join(shop.repo.path, ".git/pawl/state.db"), (connection) =>
      connection
        .prepare(
          "update steps set status = 'blocked', last_event = 'blocked', block_reason = ?, block_note = 'both wrote wall.txt'",
        )
        .run(reason),
    );
  return shop;
}

export function claimed(...more: readonly string[]): RunShop {
  const shop = runShop([THREE[0]!]);
  shop.json("state", "init", "plan.md");
  shop.json("state", "claim", "plan.md", "--worktree", ".", ...more);
  return shop;
}

export function completed(): RunShop {
  const shop = claimed();
  const work = (verb: string, ...more: readonly string[]) =>
    expect(shop.json("state", verb, "plan.md", "step-1", "--worktree", ".", ...more).status).toBe("ok");
  work("start");
  work("update", "--all", "completed");
  work("complete");
  return shop;
}

export async function ownerGone(): Promise<RunShop> {
  const shop = claimed("--lease-duration", "1");
  shop.repo.write("half.txt", "half");
  await patiently(() => shop.json("recover", "--dry-run").data.findings.length === 1);
  return shop;
}

/** Its task says what it said before a person decided. */
export function fileBehind(): RunShop {
  const shop = taskShop({ status: "Pending" });
  const file = join(shop.repo.path, ".claude/tasks/task-1.json");
  const before = readFileSync(file, "utf8");
  shop.json("state", "init", ".claude/tasks");
  shop.json("state", "hold", ".claude/tasks", "task-1");
  expect(statusOf(shop)).toBe("On Hold");
  writeFileSync(file, before);
  return shop;
}

export async function spoilt(): Promise<RunShop> {
  const shop = await interrupted();
  writeFileSync(join(shop.worktree(), "half.txt"), "spoilt");
  return shop;
}

export async function built(): Promise<RunShop> {
  const shop = runShop(undefined, speaking("command"));
  expect((await shop.run()).code).toBe(0);
  return shop;
}

/** Git has the commit of the first step, and an older copy of the database does not know it. */
export async function committed(): Promise<RunShop> {
  const shop = runShop([THREE[0]!], speaking("command"));
  shop.json("state", "init", "plan.md");
  const folder = join(shop.repo.path, ".git/pawl");
  cpSync(folder, shop.path("older"), { recursive: true });
  expect((await shop.run()).code).toBe(0);
  for (const name of ["state.db", "state.db-wal", "state.db-shm"]) {
    rmSync(join(folder, name), { force: true });
    if (existsSync(join(shop.path("older"), name)))
      cpSync(join(shop.path("older"), name), join(folder, name));
  }
  return shop;
}

export const stands = (status: string) => (shop: RunShop) =>
  patiently(() => shop.steps()[0] === `step-1 ${status}`);

/** A run that was cut off while its agent was working, after the agent had done something. */
export async function cutOff(
  done: (shop: RunShop) => void = () => undefined,
  steps = THREE.slice(0, 1),
): Promise<RunShop> {
  const shop = runShop(steps);
  shop.script({ steps: { [`step-${steps.length}`]: [[{ write: "work/half.txt" }, { hang: true }]] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await untilWritten(join(shop.worktree(), "work/half.txt"));
  child.kill("SIGKILL");
  await ended;
  for (const pid of shop.pids()) killed(pid);
  done(shop);
  shop.script({});
  return shop;
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended with the run.
  }
}

export const empty = (path: string): void => {
  chmodSync(path, 0o644);
  truncateSync(path, 0);
};

/** The object of the committed plan has no content any more. */
export const objectEmptied = (): Promise<RunShop> =>
  cutOff(({ repo }) => {
    const id = repo.git("rev-parse", "main:plan.md");
    empty(join(repo.path, ".git/objects", id.slice(0, 2), id.slice(2)));
  });

export const worktreeEmptied = (): Promise<RunShop> => cutOff((shop) => empty(join(shop.worktree(), ".git")));

/** A run that a person stopped with Ctrl-Z: it lives, and keeps its step. */
export async function stoppedRunner(): Promise<RunShop & { readonly runner: Started; readonly pid: number }> {
  const shop = runShop([THREE[0]!, { number: "2", tasks: ["build"] }]);
  shop.script({ steps: { "step-1": [HANG, GOOD] } });
  const runner = shop.start("run", "plan.md", "--max-steps", "1", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  const pid = runner.child.pid!;
  process.kill(pid, "SIGSTOP");
  await until(() => / T /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, "")));
  return { ...shop, runner, pid };
}

/** Both steps pass alone, and what has landed fails the full check since the second. */
export async function fullCheckFails(): Promise<RunShop> {
  const shop = runShop(
    THREE.slice(0, 2),
    `${speaking("command")}[verify]\nfull = ["sh", "-c", "test ! -e work/step-2.txt"]\n`,
  );
  expect((await shop.run()).code).toBe(5);
  return shop;
}

/** Another tool's plan file calls a subtask in progress that no worker holds. */
export function abandonedInFile(): RunShop {
  const shop = runShop();
  const plan = ".auto-claude/specs/001-hats/implementation_plan.json";
  const text = (status: string) =>
    `{"phases": [{"id": 1, "subtasks": [{"id": "felt", "status": "${status}"}]}]}\n`;
  shop.repo.write(plan, text("pending"));
  shop.json("state", "init", ".auto-claude/specs/001-hats");
  shop.repo.write(plan, text("in_progress"));
  return shop;
}

/** A run that ended has taken the edit of a completed step over, and left it to a person. */
export async function editedAndRun(): Promise<RunShop> {
  const shop = await stepEdited("completed");
  expect((await shop.run()).code).toBe(5);
  return shop;
}

/** A step that was completed, begun or is held has other items in its plan now, or is not in it. */
export async function stepEdited(work: "completed" | "begun" | "held", isRemoved = false): Promise<RunShop> {
  const shop = runShop(THREE.slice(0, 1), speaking("command"));
  shop.json("state", "init", "plan.md");
  if (work === "completed") expect((await shop.run()).code).toBe(0);
  else {
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    shop.json("state", "start", "plan.md", "step-1", "--worktree", ".");
    if (work === "begun") shop.json("state", "release", "plan.md", "step-1", "--worktree", ".");
  }
  shop.repo.write(
    "plan.md",
    planText([
      { number: isRemoved ? "2" : "1", title: isRemoved ? "Paint" : "Work 1", tasks: ["dig deeper"] },
    ]),
  );
  shop.repo.git("commit", "-qam", "edited");
  return shop;
}
