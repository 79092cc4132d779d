import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, runShop } from "../support/run-shop.ts";
import { type Task, type TaskShop, taskShop } from "../support/task-shop.ts";

/** Recovery of a folder of task files, all from outside. */

const LONG_AGO = "2026-01-05";

const AWAITING: Task = { id: "1", title: "Lay the ground", status: "Awaiting Verification" };
const TIMED_OUT: Task = {
  id: "2",
  title: "Dig",
  status: "Blocked",
  notes: "[VERIFICATION TIMEOUT] ran out of turns",
  verification_attempts: 1,
};
const AGENT_TIMEOUT: Task = {
  id: "4",
  title: "Build",
  status: "Blocked",
  description: "Raise the walls.",
  notes: "[AGENT TIMEOUT] 60 minutes",
};
const STALE: Task = { id: "6", title: "Paint", status: "In Progress", updated_date: LONG_AGO };

const rules = (answer: { findings: { rule: string }[] }) => answer.findings.map(({ rule }) => rule);

describe("a task that awaits verification", () => {
  it("verifies the task by itself and finishes it", () => {
    const shop = taskShop([AWAITING]);
    const { data } = shop.json("recover");
    expect(data.repaired).toMatchObject([{ rule: "awaiting-verification", repair: "verify", done: true }]);
    expect(shop.task("1")).toMatchObject({ status: "Finished", verification_attempts: 1 });
    expect(shop.call("task-1", 1)!.argv.join(" ")).toContain("--max-turns 40");
    expect(shop.call("task-1", 2)).toBeUndefined();
    expect(shop.json("recover").data.findings).toEqual([]);
  });

  it("goes back to work with the evidence when the verifier says no", () => {
    const shop = taskShop([AWAITING]);
    shop.script([{ say: "It is not level.\nVerdict: fail" }]);
    const { data } = shop.json("recover");
    expect(data.repaired[0]).toMatchObject({ done: true });
    expect(data.repaired[0].outcome).toContain("failed");
    expect(shop.task("1")["status"]).not.toBe("Finished");
    expect(shop.query("select outcome from verdicts")).toEqual([{ outcome: "failed" }]);
  });

  it("asks where the work lies when the checkout has changes of a person's", () => {
    const shop = taskShop([AWAITING]);
    shop.repo.write("mine.txt", "half an idea\n");
    const { code, stdout } = shop.pawl("recover");
    expect(code).toBe(5);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("Pawl does not know where its work is");
    expect(shop.task("1")["status"]).toBe("Awaiting Verification");
    expect(shop.repo.git("status", "--porcelain", "mine.txt")).toBe("?? mine.txt");
  });

  it("asks when nothing could fail it: what nothing has checked is not called done", () => {
    const shop = taskShop([AWAITING], "");
    expect(shop.pawl("recover").code).toBe(5);
    expect(shop.task("1")["status"]).toBe("Awaiting Verification");
  });
});

describe("a verification that timed out, with attempts left", () => {
  it("verifies again with the extended turn limit and takes the note away", () => {
    const shop = taskShop([TIMED_OUT]);
    const { data } = shop.json("recover");
    expect(data.repaired).toMatchObject([{ rule: "verification-timed-out", repair: "verify", done: true }]);
    expect(shop.call("task-2", 1)!.argv.join(" ")).toContain("--max-turns 40");
    expect(shop.task("2")).toMatchObject({ status: "Finished", verification_attempts: 2 });
    expect(shop.task("2")["notes"]).not.toContain("[VERIFICATION TIMEOUT]");
  });
});

describe("a verification that timed out three times", () => {
  it("escalates to a person and replaces the note", () => {
    const shop = taskShop([{ ...TIMED_OUT, id: "3", verification_attempts: 3 }]);
    const { data } = shop.json("recover");
    expect(data.repaired).toMatchObject([{ rule: "verification-exhausted", repair: "escalate", done: true }]);
    const { status, notes } = shop.task("3");
    expect(status).toBe("Blocked");
    expect(notes).toContain("[VERIFICATION ESCALATED] 3 verification attempts exhausted");
    expect(notes).not.toContain("[VERIFICATION TIMEOUT]");
    expect(shop.call("task-3", 1)).toBeUndefined();
  });
});

describe("a task whose agent timed out", () => {
  const QUESTION = 'task-4 "Build" timed out in a previous session.';

  async function press(shop: TaskShop, key: string): Promise<number> {
    const terminal = shop.terminal("recover");
    await terminal.sees(QUESTION);
    await terminal.sees("[R] Retry");
    await terminal.sees("[B] Break down");
    await terminal.sees("[S] Skip");
    await terminal.sees("[R]/[B]/[S]");
    terminal.press(key);
    return terminal.ended;
  }

  it("[R] sets it to pending for the next dispatch", async () => {
    const shop = taskShop([AGENT_TIMEOUT]);
    expect(await press(shop, "r")).toBe(0);
    expect(shop.task("4")["status"]).toBe("Pending");
    expect(shop.task("4")["notes"]).not.toContain("[AGENT TIMEOUT]");
  });

  it("[B] has a planner break it down into subtasks, and keeps what it said", async () => {
    const shop = taskShop(
      [AGENT_TIMEOUT],
      'agent = "judge"\n[agents.judge]\npreset = "claude"\n'.concat(PROGRAM),
    );
    shop.script([
      { say: "### North wall\n\nBricks first.\n\n- [ ] bricks\n\n### South wall\n\n- [ ] mortar" },
    ]);
    expect(await press(shop, "B")).toBe(0);
    const task = shop.task("4");
    expect(task).toMatchObject({ title: "Build", description: "Raise the walls.", status: "Broken Down" });
    expect((task["subtasks"] as Task[]).map(({ title }) => title)).toEqual(["North wall", "South wall"]);
    expect(shop.query("select anchor, parent_anchor, status from steps order by step_index")).toEqual([
      { anchor: "task-4", parent_anchor: null, status: "pending" },
      { anchor: "4_1", parent_anchor: "task-4", status: "pending" },
      { anchor: "4_2", parent_anchor: "task-4", status: "pending" },
    ]);
    expect(shop.call("run", 1)!.prompt).toContain("Raise the walls.");
  });

  it("[B] has the agent plan that --agent names, and the next run does the substeps", () => {
    const shop = taskShop([AGENT_TIMEOUT], '[agents.judge]\npreset = "claude"\n'.concat(PROGRAM));
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "tasks");
    shop.script([{ say: "### North wall\n\n- [ ] bricks\n\n### South wall\n\n- [ ] mortar" }]);
    const answer = ["--answer", "agent-timed-out:task-4=B"];
    expect(shop.json("recover", ...answer).data.repaired).toMatchObject([{ done: false }]);
    expect(shop.json("recover", ...answer, "--agent", "judge").data.repaired).toMatchObject([{ done: true }]);
    shop.script([{ write: "walls.txt" }, { tick: "prompt" }]);
    const { code, stderr } = shop.pawl("run", ".claude/tasks", "--agent", "judge");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.query("select anchor, status, verification_attempts as attempts from steps")).toEqual([
      { anchor: "task-4", status: "completed", attempts: 1 },
      { anchor: "4_1", status: "completed", attempts: 0 },
      { anchor: "4_2", status: "completed", attempts: 0 },
    ]);
    expect(shop.query("select anchor from verdicts where outcome <> 'passed'")).toEqual([]);
  });

  it("[B] hands what is wrong back three times at most, then a person must decide", async () => {
    const shop = taskShop(
      [AGENT_TIMEOUT],
      'agent = "judge"\n[agents.judge]\npreset = "claude"\n'.concat(PROGRAM),
    );
    shop.script([{ say: "I would rather not." }]);
    const before = shop.text("4");
    const { data } = shop.json("recover", "--answer", "agent-timed-out:task-4=B");
    expect(data.repaired).toMatchObject([{ repair: "break-down", done: false }]);
    expect(shop.call("run", 4)!.prompt).toContain("0 substeps were found");
    expect(shop.call("run", 5)).toBeUndefined();
    expect(shop.text("4")).toBe(before);
  });

  it("[S] leaves it blocked", async () => {
    const shop = taskShop([AGENT_TIMEOUT]);
    const before = shop.text("4");
    expect(await press(shop, "s")).toBe(0);
    expect(shop.text("4")).toBe(before);
  });

  it("without a terminal nothing is decided, and the exit code says so", () => {
    const shop = taskShop([AGENT_TIMEOUT]);
    const { code, stdout } = shop.pawl("recover");
    expect(code).toBe(5);
    expect(stdout).toContain(QUESTION);
    expect(stdout).toContain("--answer agent-timed-out:task-4=R");
    expect(shop.pawl("recover", "--answer", "agent-timed-out:.claude/tasks#task-4=R").code).toBe(0);
    expect(shop.task("4")["status"]).toBe("Pending");
  });
});

describe("pawl explain", () => {
  it("says what recovery would do, in the same words and with the same keys", () => {
    const shop = taskShop([AGENT_TIMEOUT, AWAITING]);
    const { data } = shop.json("recover", "--dry-run");
    shop.pawl("state", "init", ".claude/tasks");
    const explained = shop.json("explain", ".claude/tasks").data.steps;
    const findings = explained.flatMap((step: { findings: object[] }) => step.findings);
    expect(findings).toHaveLength(2);
    expect(data.findings).toEqual(expect.arrayContaining(findings));
    const blocked = shop.pawl("explain", ".claude/tasks", "task-4").stdout;
    expect(blocked).toContain("timed out in a previous session");
    expect(blocked).toContain("pawl recover --answer agent-timed-out:task-4=R");
  });
});

describe("a task that was left to a person", () => {
  it("is reported and left alone", () => {
    const shop = taskShop([
      {
        id: "5",
        title: "Roof",
        status: "Blocked",
        notes: "[VERIFICATION ESCALATED] 3 attempts",
        verification_attempts: 3,
      },
    ]);
    const before = shop.text("5");
    const { code, stdout } = shop.pawl("recover");
    expect(code).toBe(5);
    expect(stdout).toContain('task-5 "Roof" needs a person: 3 attempts');
    expect(shop.text("5")).toBe(before);
  });
});

describe("a task in progress for a day without activity", () => {
  async function press(shop: TaskShop, key: string): Promise<number> {
    const terminal = shop.terminal("recover");
    await terminal.sees('task-6 "Paint" has been in progress for');
    await terminal.sees("without activity.");
    await terminal.sees("[C]/[P]/[H]");
    terminal.press(key);
    return terminal.ended;
  }

  it("[C] keeps it in progress, and does not ask again at once", async () => {
    const shop = taskShop([STALE]);
    expect(await press(shop, "c")).toBe(0);
    expect(shop.task("6")["status"]).toBe("In Progress");
    expect(shop.json("recover").data.findings).toEqual([]);
  });

  it("[P] resets it to pending", async () => {
    const shop = taskShop([STALE]);
    expect(await press(shop, "p")).toBe(0);
    expect(shop.task("6")["status"]).toBe("Pending");
  });

  it("[H] puts it on hold", async () => {
    const shop = taskShop([STALE]);
    expect(await press(shop, "h")).toBe(0);
    expect(shop.task("6")["status"]).toBe("On Hold");
  });

  it("is continued by a run without a terminal, which says so and asks for no decision", () => {
    const shop = taskShop([STALE], '[agents.judge]\npreset = "claude"\n'.concat(PROGRAM));
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "tasks");
    shop.script([{ write: "paint.txt" }, { tick: "all" }]);
    const { code, stdout } = shop.pawl("run", ".claude/tasks", "--agent", "judge");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("without activity. This run continues it.");
    expect(stdout).not.toContain("pawl recover");
    expect(shop.task("6")["status"]).toBe("Finished");
  });

  it("leaves alone what was touched within 24 hours, a date counting to the end of its day", () => {
    const today = new Date().toISOString().slice(0, 10);
    const shop = taskShop([
      { ...STALE, updated_date: today },
      { ...STALE, id: "7", updated_date: new Date().toISOString() },
    ]);
    expect(shop.json("recover").data.findings).toEqual([]);
    expect(shop.task("6")["status"]).toBe("In Progress");
  });

  it("Ctrl-C at the question changes nothing and ends as a signal does", async () => {
    const shop = taskShop([STALE]);
    const terminal = shop.terminal("recover");
    await terminal.sees("[C]/[P]/[H]");
    terminal.press("x");
    await terminal.sees("[C]/[P]/[H] \n[C]/[P]/[H]");
    terminal.press("\u0003");
    expect(await terminal.ended).toBe(130);
    expect(shop.task("6")["status"]).toBe("In Progress");
  });
});

it("leaves archived tasks alone", () => {
  const shop = taskShop([{ ...STALE, status: "Pending" }]);
  shop.repo.write(".claude/tasks/archive/task-4.json", JSON.stringify(AGENT_TIMEOUT));
  expect(shop.json("recover").data.findings).toEqual([]);
  shop.json("state", "init", ".claude/tasks");
  expect(shop.query("select anchor from steps")).toEqual([{ anchor: "task-6" }]);
});

it("a run does no archived task, counts it as done for what depends on it, and leaves its file as it is", async () => {
  const { repo, start, steps, starts } = runShop();
  const put = (name: string, task: object) => repo.write(`.claude/tasks/${name}`, JSON.stringify(task));
  const archived = { id: "4", title: "Build", status: "Finished" };
  put("archive/task-4.json", archived);
  put("task-6.json", { id: "6", title: "Paint", status: "Pending", dependencies: ["4"] });
  repo.git("add", "-A");
  repo.git("commit", "-qm", "tasks");
  const { code, stderr } = await start("run", ".claude/tasks", ...AGENT).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect([steps(), starts("task-4")]).toEqual([["task-6 completed"], 0]);
  expect(readFileSync(join(repo.path, ".claude/tasks/archive/task-4.json"), "utf8")).toBe(
    JSON.stringify(archived),
  );
});

describe("malformed task files", () => {
  it("are skipped, reported with their position, and stay as they are", () => {
    const shop = taskShop([AGENT_TIMEOUT]);
    shop.repo.write(".claude/tasks/task-9.json", '{"id": "9",\n  "status": ');
    const answer = shop.json("recover", "--auto");
    expect(rules(answer.data)).toEqual(["malformed-file", "agent-timed-out"]);
    expect(answer.data.findings[0].found).toContain("line 2");
    expect(shop.text("9")).toBe('{"id": "9",\n  "status": ');
  });
});

describe("a dry run", () => {
  it("says the same and changes nothing, not even by making a database", () => {
    const shop = taskShop([AWAITING, TIMED_OUT, AGENT_TIMEOUT, STALE]);
    const before = ["1", "2", "4", "6"].map(shop.text);
    const dry = shop.json("recover", "--dry-run");
    expect(rules(dry.data).toSorted()).toEqual([
      "agent-timed-out",
      "awaiting-verification",
      "stale-in-progress",
      "verification-timed-out",
    ]);
    expect(["1", "2", "4", "6"].map(shop.text)).toEqual(before);
    expect(existsSync(join(shop.repo.path, ".git/pawl/state.db"))).toBe(false);
    expect(rules(shop.json("recover", "--auto").data).toSorted()).toEqual(rules(dry.data).toSorted());
  });
});

describe("the sentinel", () => {
  const SENTINELS = [".git/pawl/last-clean-exit.json", ".claude/tasks/.last-clean-exit.json"];
  const read = (shop: TaskShop, name: string) =>
    JSON.parse(readFileSync(join(shop.repo.path, name), "utf8")) as Record<string, unknown>;

  it("is written at the end of a clean run, beside the tasks and for Pawl itself, and is no part of a commit", () => {
    const shop = taskShop([{ id: "1", title: "Dig", status: "Pending" }]);
    shop.script([{ write: "dug.txt" }], [{ say: "Verdict: pass" }]);
    expect(shop.pawl("run", ".claude/tasks", "--agent", "judge").code).toBe(0);
    for (const name of SENTINELS)
      expect(read(shop, name)).toMatchObject({ task_count: 1, in_progress_tasks: [], open: false });
    expect(shop.repo.git("status", "--porcelain")).not.toContain("last-clean-exit");
    expect(shop.repo.git("log", "--all", "--name-only", "--format=")).not.toContain("last-clean-exit");
  });

  it("of less than 24 hours ago lets a run look only at the tasks it lists", () => {
    const shop = taskShop([AGENT_TIMEOUT, { ...STALE, dependencies: ["4"] }]);
    shop.pawl("state", "init", ".claude/tasks");
    const clean = {
      timestamp: new Date().toISOString(),
      task_count: 2,
      in_progress_tasks: [] as string[],
      open: false,
    };
    const write = (content: object) => {
      for (const name of SENTINELS) writeFileSync(join(shop.repo.path, name), JSON.stringify(content));
    };
    const warnings = () =>
      shop.json("run", ".claude/tasks", "--agent", "judge", "--max-steps", "1").data?.warnings;
    write(clean);
    expect(warnings()).toEqual([]);
    write({ ...clean, in_progress_tasks: ["6"] });
    expect(warnings()).toEqual([expect.stringContaining("task-6")]);
    write({
      ...clean,
      in_progress_tasks: undefined,
      in_progress_task_ids: [4],
      timestamp: Date.now() / 1000,
    });
    expect(warnings()).toEqual([expect.stringContaining("task-4")]);
    for (const unclean of [
      { ...clean, open: true },
      { ...clean, timestamp: "2020-01-01T00:00:00Z" },
      { ...clean, timestamp: "2099-01-01T00:00:00Z" },
      { nonsense: true },
    ]) {
      write(unclean);
      expect(warnings()).toContainEqual(expect.stringContaining("task-4"));
    }
  });
});

const PROGRAM = readProgram();

function readProgram(): string {
  return `program = ${JSON.stringify([process.execPath, new URL("../support/scripted-agent/scripted-agent.mjs", import.meta.url).pathname])}\n`;
}
