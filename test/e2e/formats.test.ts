import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compose } from "../../src/compose.ts";
import { Failure } from "../../src/domain/errors.ts";
import { pawlOn } from "../../src/api.ts";
import { pawlAsync } from "../support/cli.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { ailments, type Answer, type Data, ok, refused, words, workshop } from "../support/workshop.ts";
import { until } from "../support/until.ts";

const SPEC = ".auto-claude/specs/001-hats";
const SPEC_PLAN = `{
  "feature": "Hats",
  "workflow_type": "feature",
  "phases": [
    { "id": "phase-1", "name": "Material", "depends_on": [], "parallel_safe": true, "subtasks": [
      { "id": "subtask-1-1", "description": "Buy felt", "status": "completed", "notes": "kept" },
      { "id": "subtask-1-2", "description": "Buy ribbon", "status": "in_progress" }
    ] },
    { "id": "phase-2", "name": "Work", "depends_on": ["phase-1"], "subtasks": [
      { "id": "2.1", "title": "Cut", "status": "failed" },
      { "id": "2.2", "title": "Sew" }
    ] }
  ],
  "qa_signoff": null
}
`;

const LIST = "specs/hats/tasks.md";
const LIST_TEXT = `# Tasks: Hats\r
\r
## Phase 1: Setup\r
\r
- [x] T001 Make the shed\r
- [ ] T002 [P] Buy felt\r
  - [ ] ask for the price\r
- [ ] T003 [P] Buy ribbon\r
\r
## Phase 2: Work\r
\r
- [ ] T004 Sew\r
`;

const TASKS = ".claude/tasks";

/** The verbs on a plan that is anywhere. */
function shopWith(plan: string, files: Readonly<Record<string, string>>) {
  const shop = workshop(null);
  for (const [name, text] of Object.entries(files)) shop.repository.write(name, text);
  const call = (...args: readonly string[]): Answer => shop.json(...args);
  const worker = (verb: string, step: string, ...more: readonly string[]) =>
    call("state", verb, plan, step, "--worktree", ".", ...more);
  return {
    ...shop,
    call,
    worker,
    take: (step: string) => {
      ok(call("state", "claim", plan, "--worktree", ".", "--step", step));
      ok(worker("start", step));
    },
    text: (name: string) => readFileSync(join(shop.home, name), "utf8"),
    status: (anchor: string): string => {
      const shown = ok(call("state", "show", plan))["plan"] as Data;
      const all = (shown["steps"] as Data[]).flatMap((one) => [one, ...(one["substeps"] as Data[])]);
      return all.find((one) => one["anchor"] === anchor)?.["status"] as string;
    },
  };
}

describe("a spec folder as a plan", () => {
  const specShop = () => shopWith(SPEC, { [`${SPEC}/implementation_plan.json`]: SPEC_PLAN });

  it("is checked, shown and drawn", () => {
    const { call } = specShop();
    expect(ok(call("plan", "check", SPEC))).toMatchObject({
      format: "implementation-plan",
      step_count: 4,
      dep_count: 3,
      errors: 0,
    });
    const { steps } = ok(call("plan", "show", SPEC)) as { steps: Data[] };
    expect(steps.map(({ anchor, depends_on }) => [anchor, depends_on])).toEqual([
      ["subtask-1-1", []],
      ["subtask-1-2", []],
      ["2.1", ["subtask-1-1", "subtask-1-2"]],
      ["2.2", ["2.1"]],
    ]);
    expect(call("plan", "graph", SPEC).code).toBe(0);
  });

  it("keeps what is completed, puts back what no worker holds, and waits with what failed", () => {
    const { call, status, text, home } = specShop();
    ok(call("state", "init", SPEC));
    expect(["subtask-1-1", "subtask-1-2", "2.1", "2.2"].map(status)).toEqual([
      "completed",
      "pending",
      "blocked",
      "pending",
    ]);
    expect(text(`${SPEC}/implementation_plan.json`)).toBe(SPEC_PLAN.replace('"in_progress"', '"pending"'));
    expect(existsSync(join(home, SPEC, "memory"))).toBe(false);
  });

  it("is followed by its files, step by step, and by nothing but the status", () => {
    const { call, worker, take, text, repository } = specShop();
    const file = `${SPEC}/implementation_plan.json`;
    ok(call("state", "init", SPEC));
    take("subtask-1-2");
    expect(text(file)).toBe(SPEC_PLAN);
    const commit = repository.git("rev-parse", "HEAD");
    ok(worker("complete", "subtask-1-2", "--commit", commit));
    expect(text(file)).toBe(SPEC_PLAN.replace('"in_progress"', '"completed"'));
    expect(JSON.parse(text(`${SPEC}/memory/attempt_history.json`))).toMatchObject({
      subtasks: {
        "subtask-1-2": {
          attempts: [{ session: 1, approach: "Buy ribbon", success: true, error: null }],
          status: "completed",
        },
      },
    });
    expect(JSON.parse(text(`${SPEC}/memory/build_commits.json`))).toMatchObject({
      commits: [{ hash: commit, subtask_id: "subtask-1-2" }],
      last_good_commit: commit,
    });
    ok(call("state", "retry", SPEC, "2.1"));
    expect(text(file)).toContain('"title": "Cut", "status": "pending"');
    take("2.1");
    ok(worker("release", "2.1"));
    expect(text(file)).toContain('"title": "Cut", "status": "pending"');
    ok(call("state", "reopen", SPEC, "subtask-1-1", "--reason", "moths"));
    expect(text(file)).toContain('"Buy felt", "status": "pending", "notes": "kept"');
  });

  it("is one plan by any of its names", () => {
    const { call, home } = specShop();
    symlinkSync(SPEC, join(home, "alias"));
    ok(call("state", "init", SPEC));
    for (const name of [
      `${SPEC}/`,
      `./${SPEC}`,
      `${SPEC}/implementation_plan.json`,
      "alias",
      "alias/implementation_plan.json",
    ])
      expect(ok(call("state", "init", name))).toMatchObject({ plan_path: SPEC, already_initialized: true });
  });

  it("is another plan when its words change, and the same when only marks and notes do", () => {
    const { call, repository } = specShop();
    const file = `${SPEC}/implementation_plan.json`;
    ok(call("state", "init", SPEC));
    repository.write(
      file,
      SPEC_PLAN.replace('"qa_signoff": null', '"qa_signoff": {"by": "ada"}, "updated_at": "now"').replaceAll(
        "  ",
        "    ",
      ),
    );
    ok(call("state", "claim", SPEC, "--worktree", "."));
    repository.write(file, SPEC_PLAN.replace("Buy ribbon", "Buy rope"));
    const answer = call("state", "claim", SPEC, "--worktree", ".");
    expect(answer.issues[0]?.message).toContain("waits for a decision about an edit: subtask-1-2");
  });

  it.each([
    ["", 1, 1],
    ['{"phases": [', 1, 13],
    ['{"phases": [\n<<<<<<< HEAD\n]}', 2, 1],
    ["module.exports = {}", 1, 1],
    ['{"qa_signoff": {}}', 1, 1],
    ['{"phases": []}', 1, 12],
  ])("is refused with a place while its file is %j, and the file stays", (broken, line, column) => {
    const { call, text } = shopWith(SPEC, { [`${SPEC}/implementation_plan.json`]: broken });
    const checked = call("plan", "check", SPEC);
    expect(checked.code).toBe(1);
    expect(checked.data["diagnostics"]).toMatchObject([{ severity: "error", line, column }]);
    refused(call("state", "init", SPEC), "E057", 1);
    expect(text(`${SPEC}/implementation_plan.json`)).toBe(broken);
  });

  it("is not read or written through a link", () => {
    const { call, home, text } = specShop();
    mkdirSync(join(home, "linked"));
    symlinkSync(join(home, SPEC, "implementation_plan.json"), join(home, "linked/implementation_plan.json"));
    refused(call("plan", "check", "linked"), "E055", 2);
    ok(call("state", "init", SPEC));
    mkdirSync(join(home, "../elsewhere"));
    symlinkSync(join(home, "../elsewhere"), join(home, SPEC, "memory"));
    const claimed = call("state", "claim", SPEC, "--worktree", ".");
    expect(claimed.issues).toMatchObject([{ code: "E140", severity: "warning" }]);
    ok(call("state", "start", SPEC, "subtask-1-2", "--worktree", "."));
    expect(text(`${SPEC}/implementation_plan.json`)).toBe(SPEC_PLAN);
    expect(readdirSync(join(home, "../elsewhere"))).toEqual([]);
  });
});

describe("task files as a plan", () => {
  const file = (name: string) => `${TASKS}/${name}`;
  const task = (value: object) => `${JSON.stringify(value, null, 4)}\n`;
  const FILES = {
    [file("task-1.json")]: task({ id: "1", title: "Felt", status: "Finished" }),
    [file("task-2.json")]: task({
      id: "2",
      title: "Ribbon",
      status: "Pending",
      dependencies: ["1"],
      owner: "both",
      updated_date: "2026-01-01",
    }),
    [file("task-3.json")]: '{"id": "3", "title": }\n',
    [file("task-4.json")]: task({
      id: "4",
      title: "Sew",
      status: "Pending",
      dependencies: ["Task 3 (broken)"],
    }),
    [file("task-5.json")]: task({
      id: "5",
      title: "Sell",
      status: "Blocked",
      notes: ["[AGENT TIMEOUT] after 20 minutes"],
      verification_attempts: 2,
    }),
    [file("task-6.json")]: task({ id: "6", title: "Check", status: "Awaiting Verification" }),
    [file("task-7.json")]: task({ id: "7", title: "Old", status: "In Progress" }),
    [file(".last-clean-exit.json")]: "{}",
  };

  it("are read with their states; what cannot be read is skipped and blocks only what needs it", () => {
    const { call, status, text } = shopWith(TASKS, FILES);
    const checked = ok(call("plan", "check", TASKS));
    expect(checked).toMatchObject({ format: "task-files", step_count: 6, errors: 0 });
    expect(checked["diagnostics"]).toMatchObject([
      { code: "P029", file: "task-3.json", line: 1, column: 22 },
    ]);
    ok(call("state", "init", TASKS));
    expect(["task-1", "task-2", "task-4", "task-5", "task-6", "task-7"].map(status)).toEqual([
      "completed",
      "pending",
      "blocked",
      "blocked",
      "awaiting_verification",
      "pending",
    ]);
    expect((ok(call("state", "show", TASKS))["plan"] as Data)["steps"]).toContainEqual(
      expect.objectContaining({
        anchor: "task-5",
        block_reason: "agent_timeout",
        block_note: "after 20 minutes",
      }),
    );
    for (const [name, before] of Object.entries(FILES)) expect(text(name), name).toBe(before);
  });

  it("stay as they are while they are only read, whatever they say", () => {
    const odd = {
      [file("task-1.json")]: task({
        id: "1",
        status: "Broken Down",
        subtasks: ["1_1"],
        updated_date: "2026-01-01",
      }),
      [file("task-2.json")]: task({
        id: "2",
        status: "In Progress",
        dependencies: ["77"],
        updated_date: "2026-01-01",
      }),
      [file("task-3.json")]: task({ id: "3", status: "Finished", notes: ["[VERIFICATION TIMEOUT] once"] }),
      [file("task-4.json")]: task({ id: "4", status: "On Hold", notes: "[AGENT TIMEOUT] once" }),
      [file("task-5.json")]: task({ id: "5", status: "Blocked", verification_attempts: 2.5 }),
      [file("task-6.json")]: task({ id: "6", status: "awaiting_verification", notes: ["[BLOCKED] x"] }),
      [file("task-7.json")]: task({ id: "7", status: "Pending", updated_date: "2026-01-01" }),
    };
    const { call, take, worker, text } = shopWith(TASKS, odd);
    ok(call("state", "init", TASKS));
    take("task-7");
    ok(worker("complete", "task-7"));
    for (const [name, before] of Object.entries(odd).slice(0, -1)) expect(text(name), name).toBe(before);
  });

  it("are distinguished from a list that Claude Code keeps, which is read and converted, but not worked on", () => {
    const own = '{"id":"1","subject":"Felt","status":"in_progress","blocks":[],"blockedBy":[]}';
    const { call, text } = shopWith(TASKS, { [file("1.json")]: own });
    expect(ok(call("plan", "check", TASKS))).toMatchObject({
      format: "claude-tasks",
      step_count: 1,
      diagnostics: [{ code: "P063", severity: "warning" }],
    });
    const { message } = refused(call("state", "init", TASKS), "E530", 2);
    refused(call("run", TASKS, "--dry-run"), "E530", 2);
    expect(message).toContain("Claude Code");
    expect(text(file("1.json"))).toBe(own);
    const both = shopWith(TASKS, { [file("1.json")]: own, [file("task-2.json")]: task({ id: "2" }) });
    expect(ok(both.call("plan", "check", TASKS))).toMatchObject({ step_count: 1 });
  });

  it("are followed by their files, each by its own", () => {
    const { call, worker, take, text } = shopWith(TASKS, FILES);
    ok(call("state", "init", TASKS));
    take("task-2");
    const started = JSON.parse(text(file("task-2.json"))) as Data;
    expect(Object.keys(started)).toEqual(words("id title status dependencies owner updated_date"));
    expect(started).toMatchObject({
      status: "In Progress",
      updated_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    });
    expect(started["updated_date"]).not.toBe("2026-01-01");
    ok(worker("complete", "task-2"));
    expect(JSON.parse(text(file("task-2.json")))).toMatchObject({ status: "Finished" });
    ok(call("state", "retry", TASKS, "task-5"));
    expect(JSON.parse(text(file("task-5.json")))).toMatchObject({
      status: "Pending",
      notes: [],
      verification_attempts: 0,
    });
    ok(call("state", "hold", TASKS, "task-7", "--reason", "later"));
    expect(JSON.parse(text(file("task-7.json")))).toMatchObject({ status: "On Hold" });
    for (const name of ["task-1.json", "task-3.json", "task-4.json"])
      expect(text(file(name))).toBe(FILES[file(name)]);
  });

  it("take up again what was fixed, with the progress of the rest", () => {
    const { call, status, repository } = shopWith(TASKS, FILES);
    ok(call("state", "init", TASKS));
    repository.write(file("task-3.json"), task({ id: "3", title: "Mended", status: "Finished" }));
    ok(call("state", "claim", TASKS, "--worktree", "."));
    expect(["task-1", "task-3", "task-4", "task-6"].map(status)).toEqual([
      "completed",
      "completed",
      "pending",
      "awaiting_verification",
    ]);
  });

  it("are read from regular files of the folder only, and not too many or too large", () => {
    const { call, home, repository } = shopWith(TASKS, { [file("task-1.json")]: task({ id: "1" }) });
    symlinkSync("/etc/hostname", join(home, file("task-2.json")));
    mkdirSync(join(home, file("task-3.json")));
    repository.write(file("task-4.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    repository.write(file("task-5.json"), "x".repeat(1024 * 1024 + 1));
    const { diagnostics } = call("plan", "check", TASKS).data as { diagnostics: Data[] };
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual(
      [
        "task-2.json was skipped: it is no regular file.",
        "task-3.json was skipped: it is no regular file.",
        "task-4.json was skipped: it is no UTF-8 text.",
        "task-5.json was skipped: it has more than 1048576 bytes.",
      ].map((message) => ["P029", message]),
    );
  });
});

const STEPS = `\ufeff## Phase 1.0: Hats {#hats}\r
\r
| Field | Value |\r
|---|---|\r
| Status | draft, more or less |\r
\r
### Step 0: Felt {#felt}\r
\r
**Tasks:**\r
- [ ] buy it\r
  - [x] ask for the price\r
\r
#### Step 1 — Ribbon\r
\r
**Depends on:** \`#felt\` · **Commit:** \`ribbon\`\r
\r
**Tests (by hand):**\r
1. [~] pull\r
\r
##### Step 1.1: Colour\r
\r
- [-] no label\r
\r
\`\`\`\`md\r
#### Step 9: in a fence\r
- [ ] no box\r
\`\`\`\`\r
<!-- #### Step 10: in a comment -->\r
\r
#### Step 1 Summary {#step-1-summary}\r
\r
**Depends on:** [Step 1](#step-1).\r
\r
**Checkpoint:**\r
- [ ] look\r
\r
## Deliverables\r
\r
- [ ] a hat`;

describe("Markdown with steps as a plan", () => {
  it("is never written to, whatever becomes of its steps", () => {
    const { call, worker, take, text, status } = shopWith("plan.md", { "plan.md": STEPS });
    ok(call("state", "init", "plan.md"));
    take("felt");
    ok(worker("update", "felt", "--all", "completed"));
    ok(worker("complete", "felt"));
    take("step-1");
    ok(call("state", "hold", "plan.md", "step-1-summary", "--reason", "later"));
    ok(worker("release", "step-1"));
    expect(["felt", "step-1", "step-1-summary"].map(status)).toEqual(["completed", "pending", "on_hold"]);
    ok(call("state", "reopen", "plan.md", "felt", "--reason", "moths"));
    expect(text("plan.md")).toBe(STEPS);
  });
});

// proves G-plan-files-stay-yours
describe("a list of boxes as a plan", () => {
  const listShop = () => shopWith(LIST, { [LIST]: LIST_TEXT });

  it("is ticked as steps complete, and not another byte changes", () => {
    const { call, worker, take, text, home } = listShop();
    chmodSync(join(home, LIST), 0o640);
    ok(call("state", "init", LIST));
    expect(text(LIST)).toBe(LIST_TEXT);
    take("T002");
    refused(worker("complete", "T002"), "E051", 1);
    ok(worker("update", "T002", "--all", "completed"));
    expect(text(LIST)).toBe(LIST_TEXT);
    ok(worker("complete", "T002"));
    const ticked = LIST_TEXT.replace("- [ ] T002", "- [x] T002").replace("- [ ] ask", "- [x] ask");
    expect(text(LIST)).toBe(ticked);
    take("T003");
    ok(worker("complete", "T003"));
    expect(text(LIST)).toBe(ticked.replace("- [ ] T003", "- [x] T003"));
    ok(call("state", "reopen", LIST, "T002", "--reason", "wrong colour"));
    expect(text(LIST)).toBe(LIST_TEXT.replace("- [ ] T003", "- [x] T003"));
    expect(statSync(join(home, LIST)).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(home, "specs/hats"))).toEqual(["tasks.md"]);
  });

  it("says itself where it waits", () => {
    const { call } = listShop();
    ok(call("state", "init", LIST));
    const answer = call("state", "claim", LIST, "--worktree", ".", "--step", "T004");
    expect(answer.code).not.toBe(0);
    expect(JSON.stringify(answer)).toContain("T003");
  });

  it("keeps progress when a box is put in between", () => {
    const { call, worker, take, status, text, repository } = listShop();
    ok(call("state", "init", LIST));
    take("T003");
    ok(worker("complete", "T003"));
    repository.write(LIST, text(LIST).replace("- [ ] T004", "- [ ] T0035 Cut\r\n- [ ] T004"));
    const answer = ok(call("state", "init", LIST, "--force"));
    expect(answer["dropped_steps"]).toEqual([]);
    expect(["T001", "T003", "T0035", "T004"].map(status)).toEqual([
      "completed",
      "completed",
      "pending",
      "pending",
    ]);
  });
});

// proves G-plan-files-stay-yours
describe("a file that could not be written", () => {
  it("is reported, does not undo the state, and is brought up to date later", async () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    repository.write("todo.md", "- [ ] a\n- [ ] b\n");
    const notices: Failure[] = [];
    const ports = await compose({
      cwd: repository.path,
      env: cleanEnv(),
      notice: (one) => notices.push(one),
    });
    const broken = pawlOn({
      ...ports,
      files: {
        ...ports.files,
        replaceIf: () => {
          throw new Failure("store/full", "the disk is full.");
        },
      },
    });
    const at = { plan: "todo.md", step: "a", worktree: repository.path };
    await broken.init({ plan: "todo.md" });
    await broken.claim({ plan: "todo.md", worktree: repository.path });
    await broken.start(at);
    expect((await broken.complete(at)).completed).toBe(true);
    expect(notices.map(({ code }) => code)).toEqual(["E140"]);
    const whole = pawlOn(ports);
    const check = async (fix: boolean) => {
      const answer = await whole.doctor({ fix });
      return [answer.checks.find(({ name }) => name === "plan_files")?.status, answer.fixed];
    };
    expect(await check(false)).toEqual(["warn", []]);
    expect(readFileSync(join(repository.path, "todo.md"), "utf8")).toBe("- [ ] a\n- [ ] b\n");
    expect(await check(true)).toEqual(["pass", ["brought todo.md up to date"]]);
    expect(readFileSync(join(repository.path, "todo.md"), "utf8")).toBe("- [x] a\n- [ ] b\n");
    await whole.close();
  });

  it("is not replaced when another program wrote to it meanwhile; theirs and ours are both there in the end", async () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    const path = repository.write("todo.md", "# List\n\n- [ ] a\n");
    const ports = await compose({ cwd: repository.path, env: cleanEnv() });
    let edits = 3;
    const pawl = pawlOn({
      ...ports,
      files: {
        ...ports.files,
        replaceIf(target, expected, content) {
          if (edits > 0)
            writeFileSync(path, readFileSync(path, "utf8").replace("# List", `# List ${(edits -= 1)}`));
          return ports.files.replaceIf(target, expected, content);
        },
      },
    });
    const at = { plan: "todo.md", step: "a", worktree: repository.path };
    await pawl.init({ plan: "todo.md" });
    await pawl.claim(at);
    await pawl.start(at);
    await pawl.complete(at);
    expect(readFileSync(path, "utf8")).toBe("# List 0 1 2\n\n- [x] a\n");
    await pawl.close();
  });

  it("shows everything when many processes complete steps at once", async () => {
    const steps = Array.from({ length: 16 }, (_, index) => `s${index}`);
    const subtasks = steps.map((id) => ({ id, status: "pending" }));
    const plan = { phases: [{ id: 1, depends_on: [], parallel_safe: true, subtasks }] };
    const { call, take, home, text } = shopWith("plan.json", { "plan.json": JSON.stringify(plan, null, 2) });
    ok(call("state", "init", "plan.json"));
    for (const step of steps) take(step);
    const ends = await Promise.all(
      steps.map((step) =>
        pawlAsync({ cwd: home }, "state", "complete", "plan.json", step, "--worktree", "."),
      ),
    );
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(steps.map(() => [0, ""]));
    const after = JSON.parse(text("plan.json")) as typeof plan;
    expect(after.phases[0]?.subtasks.map(({ status }) => status)).toEqual(steps.map(() => "completed"));
  });

  it("stays whole while another program replaces it all the time, and shows both in the end", async () => {
    const steps = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const plan = {
      phases: [
        {
          id: 1,
          depends_on: [],
          parallel_safe: true,
          subtasks: steps.map((id) => ({ id, status: "pending" })),
        },
      ],
      theirs: 0,
    };
    const { call, worker, take, home, text } = shopWith("plan.json", {
      "plan.json": JSON.stringify(plan, null, 2),
    });
    ok(call("state", "init", "plan.json"));
    const path = join(home, "plan.json");
    const stop = join(home, "stop");
    const other = spawn(process.execPath, ["-e", OTHER_PROGRAM, path, stop], { stdio: "ignore" });
    const ended = new Promise<number | null>((resolve) => other.on("close", resolve));
    for (const step of steps) {
      take(step);
      ok(worker("complete", step));
      expect(() => JSON.parse(text("plan.json")) as unknown).not.toThrow();
    }
    writeFileSync(stop, "");
    expect(await ended).toBe(0);
    await until(() => ailments(ok(call("doctor", "--fix"))).length === 0, "the file shows everything");
    const after = JSON.parse(text("plan.json")) as typeof plan;
    expect(after.theirs).toBe(Number(readFileSync(stop, "utf8")));
    expect(after.theirs).toBeGreaterThan(50);
    expect(after.phases[0]?.subtasks.map(({ status }) => status)).toEqual(steps.map(() => "completed"));
  });
});

/** Counts in the file, replacing it whole each time, until it is asked to stop; then it says how far it came. */
const OTHER_PROGRAM = `
  const fs = require("node:fs");
  const [path, stop] = process.argv.slice(1);
  let count = 0;
  const replace = () => {
    const plan = JSON.parse(fs.readFileSync(path, "utf8"));
    plan.theirs = ++count;
    fs.writeFileSync(path + ".theirs", JSON.stringify(plan, null, 2));
    fs.renameSync(path + ".theirs", path);
  };
  (async () => {
    while (!fs.existsSync(stop)) {
      replace();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    replace();
    fs.writeFileSync(stop, String(count));
  })();
`;

describe("a format", () => {
  it("can be named where the content could be read in two ways, and stays the plan's own", () => {
    const text = "### Step 1: Hats\n\n- [ ] Buy felt\n- [ ] Sew\n";
    const shop = shopWith("plan.md", { "plan.md": text });
    expect(ok(shop.call("plan", "check", "plan.md"))["format"]).toBe("headed");
    expect(ok(shop.call("plan", "check", "plan.md", "--format", "checklist"))["step_count"]).toBe(2);
    ok(shop.call("state", "init", "plan.md", "--format", "checklist"));
    expect(ok(shop.call("state", "init", "plan.md"))).toMatchObject({ plan_changed: false, step_count: 2 });
    shop.take("buy-felt");
    ok(shop.worker("complete", "buy-felt"));
    expect(shop.text("plan.md")).toBe(text.replace("- [ ] Buy", "- [x] Buy"));
    refused(shop.call("plan", "check", "plan.md", "--format", "task-files"), "E066", 2);
  });

  it("is converted into a new file, and refused where something would be lost", () => {
    const shop = shopWith("plan.md", {
      "plan.md": "# Hats\n\n- [x] Buy felt\n- [ ] Sew\n",
      "there.json": "{}",
    });
    const to = (...args: readonly string[]) => shop.call("plan", "convert", "plan.md", ...args);
    expect(ok(to("--to", "implementation-plan", "--output", "new.json"))["lost"]).toEqual([]);
    expect(ok(shop.call("plan", "check", "new.json"))).toMatchObject({ step_count: 2, errors: 0 });
    refused(to("--to", "implementation-plan", "--output", "there.json"), "E084", 2);
    refused(to("--to", "tugplan", "--output", "other.md"), "E223", 5);
    expect(existsSync(join(shop.home, "other.md"))).toBe(false);
    ok(to("--to", "task-files", "--output", "made/tasks", "--lossy"));
    expect(readdirSync(join(shop.home, "made/tasks"))).toEqual(["task-buy-felt.json", "task-sew.json"]);
  });
});
