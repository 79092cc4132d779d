import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import { flatten } from "../../domain/plan.ts";
import type { StepStatus } from "../../domain/step-machine.ts";
import { foldFolder } from "./plan-folder.ts";
import type { StepState } from "./plan-format.ts";
import { meaningOf } from "./step-text.ts";
import { readTaskFiles, taskFiles } from "./task-files.ts";
import { writePlan } from "./write-plan.ts";

type Files = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const folder = (files: Files, archived: readonly string[] = []) =>
  foldFolder({
    files: Object.entries(files).map(([name, value]) => ({ name, text: textOf(value) })),
    archived,
  });

const read = (files: Files, archived?: readonly string[]) => readTaskFiles(folder(files, archived));

const progress = (files: Files, archived?: readonly string[]) =>
  Object.fromEntries(flatten(read(files, archived)).map(({ step }) => [step.anchor, step.progress]));

describe("a folder of task files", () => {
  it("gives each file a step, in the order of their numbers", () => {
    const plan = read({
      "task-10.json": { id: "10", title: "ten" },
      "task-9.json": { id: 9, title: "nine" },
      "task-006.json": { id: "task-006", title: "six" },
    });
    expect(plan.steps.map(({ anchor, title }) => [anchor, title])).toEqual([
      ["task-006", "six"],
      ["task-9", "nine"],
      ["task-10", "ten"],
    ]);
    expect(plan.diagnostics).toEqual([]);
  });

  it.each([
    ["Pending", "pending"],
    ["pending", "pending"],
    ["Ready", "pending"],
    ["In Progress", "in_progress"],
    ["in_progress", "in_progress"],
    ["Awaiting Verification", "awaiting_verification"],
    ["awaiting verification", "awaiting_verification"],
    ["Blocked", "blocked"],
    ["On Hold", "on_hold"],
    ["Finished", "completed"],
    ["finished", "completed"],
    ["Absorbed", "completed"],
    [undefined, "pending"],
    ["Completed", "completed"],
    ["Somewhere", "on_hold"],
    [true, "on_hold"],
  ])("reads the status %j as %s", (status, found) => {
    // oxfmt-ignore
    expect(progress({ "task-1.json": { id: "1", status } })["task-1"]?.status).toBe(found);
  });

  it("puts subtasks under their task, however they are written", () => {
    const plan = read({
      "task-1.json": {
        id: "1",
        status: "Broken Down",
        subtasks: ["task-001_2", { id: "1-a", title: "inner", status: "Finished" }],
      },
      "task-1_1.json": { id: "1_1", parent_task: "task-1" },
      "task-1_2.json": { id: "1_2" },
      "task-1_1_1.json": { id: "1_1_1", parent_id: "1_1", dependencies: ["1_2"] },
    });
    expect(plan.steps.map(({ anchor, substeps }) => [anchor, substeps.map((one) => one.anchor)])).toEqual([
      ["task-1", ["1-a", "task-1_1", "task-1_1_1", "task-1_2"]],
    ]);
    expect(plan.steps[0]?.progress?.status).toBe("pending");
  });

  it("holds back a task that was broken down into nothing", () => {
    const plan = read({ "task-1.json": { id: "1", status: "Broken Down" } });
    expect(plan.steps[0]?.progress?.status).toBe("on_hold");
    expect(plan.diagnostics).toMatchObject([{ code: "P038", file: "task-1.json", line: 1, column: 1 }]);
  });

  it("does not call a task done whose subtask is not", () => {
    const files = {
      "task-1.json": { id: "1", status: "Finished", subtasks: [{ id: "1-1", status: "Pending" }] },
    };
    expect(progress(files)["task-1"]?.status).toBe("pending");
    expect(read(files).diagnostics).toMatchObject([{ code: "P032" }]);
  });

  it("understands dependencies as people write them", () => {
    const plan = read(
      {
        "task-009.json": { id: "9" },
        "task-010.json": { id: "10" },
        "task-11.json": {
          id: "11",
          dependencies: [
            "Task 9 (the parser) - ✅ Complete",
            10,
            "access to the server",
            "archive-me.md (file)",
            "task-3",
            "Task 4 - ✅ Complete",
          ],
        },
      },
      ["task-003.json"],
    );
    expect(plan.steps.at(-1)?.dependsOn.map(({ anchor }) => anchor)).toEqual(["task-009", "task-010"]);
    expect(plan.steps.at(-1)?.progress?.status).toBe("pending");
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(["P042", "P042", "P051", "P051"]);
  });

  it("skips a file that cannot be read, and blocks only what depends on it", () => {
    const files = {
      "task-1.json": '{"id": "1",\n  "title": }',
      "task-2.json": { id: "2", dependencies: ["1"] },
      "task-3.json": { id: "3", dependencies: ["2"] },
      "task-4.json": { id: "4" },
      "task-5.json": { id: "5", dependencies: ["77"] },
    };
    expect(progress(files)).toMatchObject({
      "task-2": {
        status: "blocked",
        reason: "dependency_unread",
        note: "it waits for task-1.json, which cannot be read",
      },
      "task-3": { status: "pending" },
      "task-4": { status: "pending" },
      "task-5": { status: "blocked", note: "it waits for 77, which no file describes" },
    });
    expect(read(files).diagnostics).toMatchObject([
      { code: "P029", severity: "warning", file: "task-1.json", line: 2, column: 12 },
      { code: "P030", severity: "warning", file: "task-5.json" },
    ]);
  });

  it("tells of files that could not even be opened", () => {
    const text = foldFolder({
      files: [{ name: "task-1.json", text: undefined, problem: "it is no regular file" }],
      archived: [],
    });
    expect(readTaskFiles(text).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "P013 No task file in the folder can be read.",
      "P029 task-1.json was skipped: it is no regular file.",
    ]);
  });

  it("says what it looked for where nothing is called like a task", () => {
    expect(readTaskFiles(foldFolder({ files: [], archived: [] })).diagnostics).toMatchObject([
      { code: "P013", message: "No file in the folder is called task-*.json." },
    ]);
  });

  it("refuses two files with one id, and cycles, with their places", () => {
    expect(read({ "task-1.json": { id: "7" }, "task-7.json": { id: "007" } }).diagnostics).toContainEqual(
      expect.objectContaining({ code: "P014", file: "task-7.json", line: 1, column: 1 }),
    );
    expect(
      read({
        "task-1.json": { id: "1", dependencies: ["2"] },
        "task-2.json": { id: "2", dependencies: ["1"] },
      }).diagnostics,
    ).toContainEqual(expect.objectContaining({ code: "P006", severity: "error" }));
  });

  it.each([
    [["[VERIFICATION TIMEOUT] ran out of turns"], "verification_timeout", "ran out of turns"],
    ["old [AGENT TIMEOUT] a\nnew [VERIFICATION ESCALATED] b", "verification_escalated", "b"],
    [["[VERIFICATION ESCALATED] x", "later: [AGENT TIMEOUT]"], "agent_timeout", undefined],
    [["[PARTIAL] half", "plain"], "partial", "half"],
    [undefined, undefined, undefined],
  ])("takes the newest tag in the notes %j", (notes, reason, note) => {
    expect(progress({ "task-1.json": { id: "1", status: "Blocked", notes } })["task-1"]).toMatchObject({
      reason,
      note,
    });
    expect(
      progress({ "task-1.json": { id: "1", status: "Pending", notes } })["task-1"]?.reason,
    ).toBeUndefined();
  });

  it("is not moved by parents that go round in circles, or by odd types", () => {
    const plan = read({
      "task-1.json": { id: "1", parent_task: "2" },
      "task-2.json": { id: "2", parent_task: "1" },
      "task-3.json": {
        id: "3",
        parent_task: "3",
        subtasks: [3, null, [], "3"],
        dependencies: [{}, [], null],
        notes: {},
      },
      "task-4.json": [],
      "task-5.json": { __proto__: 1, title: 7, status: {}, verification_attempts: 1e300 },
    });
    expect(plan.steps.map(({ anchor }) => anchor).toSorted()).toEqual([
      "task-1",
      "task-2",
      "task-3",
      "task-5",
    ]);
  });
});

const TASK = `{
    "id": "5",
    "status": "Pending",
    "unknown": { "b": 1, "a": [ ] },
    "updated_date": "2026-01-02",
    "notes": ["first"],
    "verification_attempts": 0
}
`.replaceAll("\n", "\r\n");

const write = (task: string, change: Partial<StepState>) => {
  const text = folder({ "task-5.json": task });
  const { edits } = writePlan(
    taskFiles,
    { text, companions: undefined },
    progressOf(readTaskFiles(text), { "task-5": change }),
  );
  return edits[0]?.after;
};

describe("writing task files", () => {
  it("changes status and date, and not another byte", () => {
    expect(write(TASK, { status: "in_progress" })).toBe(
      TASK.replace("Pending", "In Progress").replace("2026-01-02", NOW.slice(0, 10)),
    );
  });

  it.each([
    ["claimed", undefined],
    ["in_progress", "In Progress"],
    ["awaiting_verification", "Awaiting Verification"],
    ["completed", "Finished"],
    ["blocked", "Blocked"],
    ["on_hold", "On Hold"],
  ] as const)("writes %s as %s", (status, word) => {
    const after = write(TASK, { status });
    expect(after === undefined ? undefined : (JSON.parse(after) as { status: string }).status).toBe(word);
  });

  it("keeps the way a file writes its words and times", () => {
    const lower = '{"id": "5", "status": "pending", "updated_date": "2026-01-02T03:04:05Z"}';
    expect(write(lower, { status: "in_progress" })).toBe(
      `{"id": "5", "status": "in progress", "updated_date": "${NOW}"}`,
    );
    expect(write('{"id":"5","status":"in_progress"}', { status: "on_hold" })).toBe(
      '{"id":"5","status":"on_hold"}',
    );
  });

  it("leaves work that another tool may have in progress until a person decides", () => {
    const text = folder({ "task-5.json": { id: "5", status: "In Progress" } });
    expect(
      writePlan(taskFiles, { text, companions: undefined }, progressOf(readTaskFiles(text))).edits,
    ).toEqual([]);
  });

  it("puts the reason into the notes as a tag, once, and takes it away again", () => {
    const change = {
      status: "blocked",
      blockReason: "verification_timeout",
      blockNote: "out of turns",
      verificationAttempts: 2,
    } as const;
    const blocked = write(TASK, change)!;
    expect(JSON.parse(blocked)).toMatchObject({
      status: "Blocked",
      notes: ["first", "[VERIFICATION TIMEOUT] out of turns"],
      verification_attempts: 2,
    });
    expect(write(blocked, change)).toBeUndefined();
    const escalated = write(blocked, {
      ...change,
      blockReason: "verification_escalated",
      blockNote: "ask a person",
    })!;
    expect(JSON.parse(escalated)).toMatchObject({
      notes: ["first", "[VERIFICATION ESCALATED] ask a person"],
    });
    expect(JSON.parse(write(escalated, { status: "pending" })!)).toMatchObject({
      status: "Pending",
      notes: ["first"],
    });
  });

  it("tells every verdict once, behind what others wrote", () => {
    const verdicts = [
      { outcome: "failed", because: "npm test ended with 1", at: "2026-05-04T09:00:00.000Z" },
      { outcome: "passed", because: "npm test", at: "2026-05-04T09:30:00.000Z" },
    ] as const;
    const change = { status: "completed", verificationAttempts: 2, verdicts } as const;
    const before = `{"id": "5", "verification_history": [\n  {"attempt": 3, "result": "pass", "more": [1]}\n]}`;
    const after = write(before, change)!;
    expect(JSON.parse(after)).toMatchObject({
      verification_attempts: 2,
      verification_history: [
        { attempt: 3, result: "pass", more: [1] },
        {
          attempt: 4,
          result: "fail",
          timestamp: "2026-05-04T09:00:00.000Z",
          summary: "npm test ended with 1",
        },
        { attempt: 5, result: "pass", timestamp: "2026-05-04T09:30:00.000Z", summary: "npm test" },
      ],
    });
    expect(after).toContain('{"attempt": 3, "result": "pass", "more": [1]}');
    expect(write(after, change)).toBeUndefined();
    expect(JSON.parse(write('{"id": "5", "verification_history": null}', change)!)).toMatchObject({
      verification_history: [{ attempt: 1 }, { attempt: 2 }],
    });
    expect(JSON.parse(write('{"id": "5", "verification_history": "none"}', change)!)).toMatchObject({
      verification_history: "none",
    });
  });

  it("appends to notes that are one text, and makes notes where there are none", () => {
    const change = { status: "blocked", blockReason: "agent_timeout" } as const;
    expect(JSON.parse(write('{"id": "5", "notes": "a\\nb"}', change)!)).toMatchObject({
      notes: "a\nb\n[AGENT TIMEOUT]",
    });
    expect(JSON.parse(write('{"id": "5"}', change)!)).toMatchObject({
      status: "Blocked",
      notes: ["[AGENT TIMEOUT]"],
    });
  });

  it("writes the status of a subtask where it stands, inside its task", () => {
    const text = folder({
      "task-1.json": {
        id: "1",
        subtasks: [
          { id: "1-1", status: "Pending" },
          { id: "1-2", status: "Pending" },
        ],
      },
    });
    const { edits } = writePlan(
      taskFiles,
      { text, companions: undefined },
      progressOf(readTaskFiles(text), { "1-2": { status: "completed" } }),
    );
    expect(JSON.parse(edits[0]!.after)).toEqual({
      id: "1",
      subtasks: [
        { id: "1-1", status: "Pending" },
        { id: "1-2", status: "Finished" },
      ],
    });
  });

  it("keeps absorbed tasks absorbed, and marks that others made", () => {
    expect(write('{"id": "5", "status": "Absorbed"}', { status: "completed" })).toBeUndefined();
    expect(write('{"id": "5", "status": "Finished"}', { status: "pending" })).toBeUndefined();
    expect(write('{"id": "5", "status": "Finished"}', { status: "pending", isReopened: true })).toBe(
      '{"id": "5", "status": "Pending"}',
    );
  });
});

describe("any task file", () => {
  const status = fc.constantFrom<StepStatus>(
    "pending",
    "claimed",
    "in_progress",
    "awaiting_verification",
    "completed",
    "blocked",
    "on_hold",
  );
  const reason = fc.constantFrom(
    null,
    "verification_timeout",
    "verification_escalated",
    "agent_timeout",
    "partial",
  );
  const task = fc.record(
    {
      status: fc.constantFrom("Pending", "in progress", "Blocked", "Finished", "Broken Down", 7),
      title: fc.string(),
      notes: fc.oneof(fc.string(), fc.array(fc.constantFrom("a", "[AGENT TIMEOUT] b", "[BLOCKED]"))),
      updated_date: fc.constantFrom("2026-01-01", ""),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const OWN = new Set(["status", "notes", "updated_date", "verification_attempts"]);
  const others = (text: string) =>
    Object.entries(JSON.parse(text) as object).filter(([name]) => !OWN.has(name));

  it("says the same after it was written, keeps what is not Pawl's, and is written once", () => {
    fc.assert(
      fc.property(
        task,
        fc.constantFrom(undefined, 2),
        status,
        reason,
        fc.nat(3),
        (value, indent, next, blockReason, attempts) => {
          const file = JSON.stringify({ id: "5", ...value }, null, indent);
          const text = folder({ "task-5.json": file });
          const before = readTaskFiles(text);
          const state = {
            status: next,
            blockReason: next === "blocked" ? blockReason : null,
            verificationAttempts: attempts,
          };
          const written = writePlan(
            taskFiles,
            { text, companions: undefined },
            progressOf(before, { "task-5": state }),
          );
          expect(written.problems).toEqual([]);
          const after = written.edits[0]?.after ?? file;
          const again = folder({ "task-5.json": after });
          expect(meaningOf(readTaskFiles(again))).toBe(meaningOf(before));
          expect(others(after)).toEqual(others(file));
          expect(
            writePlan(
              taskFiles,
              { text: again, companions: undefined },
              progressOf(before, { "task-5": state }),
            ).edits,
          ).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
