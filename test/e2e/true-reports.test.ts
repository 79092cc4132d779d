import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { AGENT, GOOD, type RunShop, runShop } from "../support/run-shop.ts";
import { cutOff } from "../support/stuck-shops.ts";
import { taskShop } from "../support/task-shop.ts";
import { atTerminal } from "../support/terminal.ts";
import { makeVersion1 } from "../support/version-1.ts";

const TASKS = ".claude/tasks";
const SPEC = ".auto-claude/specs/001-hats";
const CHECKED = '[verify]\ncommand = ["true"]\n';

/** A spec folder with one subtask, committed, and nothing else to do. */
function specShop(subtask: object, files: Readonly<Record<string, string>> = {}): RunShop {
  const shop = runShop([]);
  shop.repo.write(
    `${SPEC}/implementation_plan.json`,
    JSON.stringify({ phases: [{ id: 1, subtasks: [{ id: "felt", status: "pending", ...subtask }] }] }),
  );
  shop.repo.write(`${SPEC}/spec.md`, "# Hats\n");
  for (const [name, text] of Object.entries(files)) shop.repo.write(`${SPEC}/${name}`, text);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "hats");
  return shop;
}

const contentOf = (shop: RunShop, name: string): string =>
  readFileSync(join(shop.repo.path, SPEC, name), "utf8");

it("numbers a verification in the task's history as it was counted, also behind attempts that have no entry", () => {
  const shop = taskShop(
    [
      {
        id: "2",
        title: "Dig",
        status: "Blocked",
        notes: "[VERIFICATION TIMEOUT] x",
        verification_attempts: 1,
      },
    ],
    CHECKED,
  );
  expect(shop.pawl("recover").code).toBe(0);
  expect(shop.task("2")).toMatchObject({
    status: "Finished",
    verification_attempts: 2,
    verification_history: [{ attempt: 2, result: "pass" }],
  });
});

it("refuses a state folder that cannot be made, at once", () => {
  const shop = runShop();
  const { code, stderr } = pawl(
    { cwd: shop.repo.path, env: { PAWL_STATE_DIR: "/proc/no-such-folder/below" } },
    "state",
    "init",
    "plan.md",
  );
  expect(code).toBe(3);
  expect(stderr).toContain("/proc/no-such-folder/below cannot be made");
});

it("takes a terminal without a width for one of 80 columns", async () => {
  const shop = runShop([{ number: "1", tasks: ["a"] }]);
  const helpAt = async (columns: number) => {
    const terminal = atTerminal({ cwd: shop.repo.path, columns }, "run", "--help");
    expect(await terminal.ended).toBe(0);
    return terminal.shown();
  };
  expect(await helpAt(0)).toBe(await helpAt(80));
});

it("names the progress that Tugstate's database has, and imports it on request, once, with the source untouched", () => {
  const shop = runShop([{ number: "1" }, { number: "2" }]);
  const at = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
  const title = shop.repo.git("show", "HEAD:plan.md").match(/Step 1: (.*?) \{/)![1]!;
  const file = join(shop.repo.path, ".tugtool/state.db");
  makeVersion1(file, {
    plans: [{ plan_path: "plan.md", plan_hash: "x", ...at }],
    steps: [{ plan_path: "plan.md", anchor: "step-1", step_index: 0, title, status: "completed" }],
  });
  const bytes = readFileSync(file);
  expect(shop.pawl("init", "--yes").stdout).toContain("Tugstate");
  expect(shop.pawl("state", "init", "plan.md").stdout).toMatch(/Tugstate[^]*--import/);
  const completed = () => shop.query("select anchor from steps where status = 'completed'");
  expect(completed()).toEqual([]);
  for (const _time of [1, 2]) {
    expect(shop.pawl("state", "init", "plan.md", "--import").code).toBe(0);
    expect(completed()).toEqual([{ anchor: "step-1" }]);
  }
  expect(shop.query("select event from events where event = 'imported'")).toHaveLength(1);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

it("says that a subtask's own verification was not run, and calls nothing a checklist where there is none", async () => {
  const shop = specShop({ verification: { type: "command", command: "test -e never" } });
  const { code, stdout, stderr } = await shop.start("run", SPEC, ...AGENT).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("felt: its own verification was not run: test -e never (run_checkpoints = true");
  expect(stdout).toContain("not verified");
  expect(stderr).not.toContain("passed: checklist");
  expect(stderr).toContain("passed: it has no items, and no check is configured");
});

it("removes the whole note of a time-out, and no other", () => {
  const notes = ["mine", "[AGENT TIMEOUT] after 30 min"];
  const shop = taskShop([{ id: "4", title: "Build", status: "Blocked", notes }]);
  expect(shop.pawl("recover", "--answer", "agent-timed-out:*=R").code).toBe(0);
  expect(shop.task("4")).toMatchObject({ status: "Pending", notes: ["mine"] });
});

it("says so where a heartbeat asks for less than the lease has left, and keeps the lease", () => {
  const shop = runShop();
  shop.json("state", "init", "plan.md");
  const { lease_expires: before } = shop.json("state", "claim", "plan.md", "--worktree", ".").data;
  const beat = ["state", "heartbeat", "plan.md", "step-1", "--worktree", ".", "--lease-duration", "60"];
  const { lease_expires: after, lease_kept: isKept } = shop.json(...beat).data;
  expect(isKept).toBe(true);
  // Both are computed from uptime, at two moments: they may differ by some milliseconds, but not by what was asked for.
  expect(Math.abs(Date.parse(after) - Date.parse(before))).toBeLessThan(60_000);
  expect(shop.pawl(...beat).stdout).toContain("a lease is never shortened");
});

it("a step's commit does not contain its own task as in progress", async () => {
  const shop = runShop();
  const task = `${JSON.stringify({ id: "1", title: "Dig", status: "Pending" })}\n`;
  shop.repo.write(`${TASKS}/task-1.json`, task);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "tasks");
  expect((await shop.start("run", TASKS, ...AGENT).ended).code).toBe(0);
  expect(shop.repo.git("diff", "--name-only", "main", "pawl/tasks")).toBe("work/task-1.txt");
  expect(JSON.parse(readFileSync(join(shop.repo.path, TASKS, "task-1.json"), "utf8"))).toMatchObject({
    status: "Finished",
  });
});

it("calls a tick in the plan's file a tick, and names its step", () => {
  const shop = runShop();
  shop.json("state", "init", "plan.md");
  const text = readFileSync(join(shop.repo.path, "plan.md"), "utf8");
  shop.repo.write("plan.md", text.replace("- [ ] build", "- [x] build"));
  const said = "plan.md has uncommitted changes: other ticks in step-2.";
  for (const args of [["status"], ["recover", "--dry-run"]])
    expect(shop.pawl(...args).stdout.replaceAll(/\s+/g, " ")).toContain(said);
});

it("a session whose step another run completed has no warning in front of it", async () => {
  const shop = await cutOff();
  expect(shop.pawl("sessions", "list").stdout).toContain("⚠ interrupted");
  expect((await shop.run()).code).toBe(0);
  const { stdout } = shop.pawl("sessions", "list");
  expect(stdout).toContain("interrupted");
  expect(stdout).not.toContain("⚠");
});

it("promises no repair of a damaged attempt history and leaves it as it is", async () => {
  const name = "memory/attempt_history.json";
  const shop = specShop({}, { [name]: '{"subtasks": {' });
  const { code, stdout, stderr } = await shop.start("run", SPEC, ...AGENT).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect((stdout + stderr).replaceAll(/\s+/g, " ")).toContain(`${name} does not show it`);
  shop.pawl("doctor", "--fix");
  expect(contentOf(shop, name)).toBe('{"subtasks": {');
  const released = shop.pawl("state", "reopen", SPEC, "felt", "--reason", "again");
  expect(released.stderr.replaceAll(/\s+/g, " ")).toContain("Correct the file or move it away");
});

it("a task that is completed and reopened has no completion date, and is broken down again", async () => {
  const shop = runShop();
  const parts = [{ id: "1.1", title: "Part", status: "Pending" }];
  const task = { id: "1", title: "Dig", status: "Broken Down", completion_date: null, subtasks: parts };
  shop.repo.write(`${TASKS}/task-1.json`, `${JSON.stringify(task)}\n`);
  const now = () => JSON.parse(readFileSync(join(shop.repo.path, TASKS, "task-1.json"), "utf8"));
  shop.script({ runs: [[{ write: "dug.txt" }, { tick: "prompt" }]] });
  expect((await shop.start("run", TASKS, ...AGENT).ended).code).toBe(0);
  expect(now()).toMatchObject({ status: "Finished", completion_date: expect.any(String) });
  expect(shop.pawl("state", "reopen", TASKS, "task-1", "--reason", "again").code).toBe(0);
  expect(now()).toMatchObject({ status: "Broken Down", completion_date: null });
});

it("a claim keeps the record of a stuck subtask; its completion removes it", async () => {
  const stuck = { subtask_id: "felt", reason: "too hard", attempt_count: 3 };
  const history = { subtasks: { felt: { attempts: [], status: "stuck" } }, stuck_subtasks: [stuck] };
  const name = "memory/attempt_history.json";
  const shop = specShop({}, { [name]: JSON.stringify(history) });
  const stuckNow = () => JSON.parse(contentOf(shop, name)).stuck_subtasks;
  shop.json("state", "init", SPEC);
  expect(shop.json("state", "claim", SPEC, "--worktree", ".").data.anchor).toBe("felt");
  expect(stuckNow()).toEqual([stuck]);
  expect(shop.json("state", "release", SPEC, "felt", "--worktree", ".").status).toBe("ok");
  expect(stuckNow()).toEqual([stuck]);
  shop.script({ runs: [GOOD] });
  expect((await shop.start("run", SPEC, ...AGENT).ended).code).toBe(0);
  expect(stuckNow()).toEqual([]);
});
