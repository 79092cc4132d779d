import { describe, expect, it } from "vitest";
import { foldFolder } from "../../../src/plans/formats/plan-folder.ts";
import { writePlan } from "../../../src/plans/formats/write-plan.ts";
import { NOW, progressOf } from "../../support/progress.ts";
import { type Changes, expectBytes, formatCalled } from "../../support/write-back.ts";

const TODAY = NOW.slice(0, 10);
const START: Changes = { "task-5": { status: "in_progress" } };
const done = (more: object = {}): Changes => ({
  "task-5": { status: "completed", completedAt: NOW, commit: "c0ffee", ...more },
});

const expectWritten = (marked: string, changes: Changes = START, file = "task-5.json") =>
  expectBytes("task-files", marked, changes, file);

const STATUS = '"status": ⟦"Pending"→"In Progress"⟧';

describe("the status of a task and its date are all that changes", () => {
  it.each([
    ['"5"', "task-5"],
    ["5", "task-5"],
    ['"006_3"', "task-006_3"],
    ['"task-006_3"', "task-006_3"],
    ['"6_3"', "task-006_3"],
    ['"task-5"', "task-005"],
  ])("with the id %s in %s.json", (id, anchor) =>
    expectWritten(`{ "id": ${id}, ${STATUS} }`, { [anchor]: { status: "in_progress" } }, `${anchor}.json`),
  );

  it.each([
    '"title": "Felt", "description": "Buy it.\\n\\nAll of it. フェルト 🧢"',
    '"difficulty": 3',
    '"difficulty": { "score": 7.50, "because": "moths" }',
    '"owner": "both", "phase": "3", "phase_name": "Work"',
    '"dependencies": []',
    '"dependencies": ["access to the shop"]',
    '"dependencies": ["Task 9 (felt) - ✅ Complete"]',
    '"subtasks": []',
    '"parent_task": null',
    '"parent_id": "4"',
    '"notes": ""',
    '"notes": "first\\nsecond [PARTIAL] half of it"',
    '"notes": ["first", "second"]',
    '"verification_attempts": 0, "verification_history": []',
    '"task_verification": {}',
    '"task_verification": null',
    '"task_verification": { "result": "pass", "checks": { "a": "b" } }',
    '"unknown": { "b": 1.0, "a": [ ], "__proto__": { "x": 1e3 } }, "": "\\/"',
  ])("beside %s", (part) => {
    expectWritten(`{ "id": "5", ${part}, ${STATUS} }`);
    expectWritten(`{\r\n\t"id": "5",\r\n\t${STATUS},\r\n\t${part}\r\n}\r\n`);
  });

  it.each(["Pending", "Ready", "Blocked", "On Hold", "Awaiting Verification", "Todo", "Somewhere"])(
    "where it was %s",
    (word) => expectWritten(`{ "id": "5", "status": ⟦"${word}"→"In Progress"⟧ }`),
  );

  it.each([
    ["pending", "in progress"],
    ["on_hold", "in_progress"],
    ["awaiting verification", "in progress"],
  ])("in the spelling of the file: %s becomes %s", (word, next) =>
    expectWritten(`{ "id": "5", "status": ⟦"${word}"→"${next}"⟧ }`),
  );

  it.each([
    ["In Progress", "Finished"],
    ["in_progress", "finished"],
  ])("where it was %s and is %s", (word, next) =>
    expectWritten(`{ "id": "5", "status": ⟦"${word}"→"${next}"⟧ }`, done()),
  );

  it.each(["Finished", "Absorbed", "completed", "done"])("not at all where it says %s", (word) => {
    expectWritten(`{ "id": "5", "status": "${word}", "notes": ["[VERIFICATION TIMEOUT] once"] }`, {});
    expectWritten(`{ "id": "5", "status": "${word}", "verification_attempts": 2 }`, {
      "task-5": { status: "pending" },
    });
  });

  it("not at all for work of others, nor for what was broken down and is not here", () => {
    expectWritten('{ "id": "5", "status": "In Progress", "updated_date": "2026-01-01" }', {});
    expectWritten(
      '{ "id": "5", "status": "Broken Down", "updated_date": "2026-01-01", "subtasks": ["5_1"] }',
      {},
    );
    expectWritten(
      '{ "id": "5", "status": "In Progress", "dependencies": ["77"], "updated_date": "2026-01-01" }',
      {},
    );
    expectWritten('{ "id": "5", "status": "On Hold", "notes": "[AGENT TIMEOUT] once" }', {});
    expectWritten('{ "id": "5", "status": "Blocked", "verification_attempts": 2.5 }', {});
  });

  it("where there was none", () => {
    expectWritten('{"id": "5"⟦→, "status": "In Progress"⟧}');
    expectWritten('{\n    "id": "5",\n    "title": "Felt"⟦→,\n    "status": "In Progress"⟧\n}\n');
    expectWritten('{"id": "5", "status": ⟦null→"In Progress"⟧}');
  });

  it("with a date as a date and a time as a time", () => {
    expectWritten(`{ "id": "5", "updated_date": ⟦"2026-01-01"→"${TODAY}"⟧, ${STATUS} }`);
    expectWritten(`{ "id": "5", "updated_date": ⟦"2026-01-01T08:00:00+02:00"→"${NOW}"⟧, ${STATUS} }`);
    expectWritten(
      `{ "id": "5", "completion_date": ⟦null→"${TODAY}"⟧, "status": ⟦"In Progress"→"Finished"⟧, "created_date": "2026-01-01" }`,
      done(),
    );
  });

  it("of a subtask that is written inside another, and of that one alone", () =>
    expectWritten(
      '{ "id": "5", "status": "Broken Down", "subtasks": ["6", { "id": "5-1", "status": "Pending" }, { "title": "felt", "status": ⟦"pending"→"in progress"⟧, "subtasks": [] }] }',
      { "task-5-3": { status: "in_progress" } },
    ));

  it("in a file with a byte order mark, or on one line, or with four blanks", () => {
    const task = `{\n    "id": "5",\n    ${STATUS},\n    "z": [\n        1\n    ]\n}`;
    expectWritten(`\ufeff${task}`);
    expectWritten(task.replaceAll(/\n */g, ""));
    expectWritten(task.replaceAll("\n", "\r\n"));
  });
});

describe("what verification said is added, and words of others stay", () => {
  it("attempts are counted where they are counted", () => {
    const marked = '{ "id": "5", "status": "In Progress", "verification_attempts": ⟦1→2⟧, "z": 1 }';
    expectWritten(marked, { "task-5": { status: "in_progress", verificationAttempts: 2 } });
    expectWritten('{ "id": "5", "status": "In Progress"⟦→, "verification_attempts": 1⟧ }', {
      "task-5": { status: "in_progress", verificationAttempts: 1 },
    });
  });

  it("a verdict is put behind the history", () =>
    expectWritten(
      `{
  "id": "5",
  "status": "In Progress",
  "verification_history": [
    { "attempt": 4, "result": "fail",   "odd": [ ] }⟦→,
    {
      "attempt": 5,
      "result": "fail",
      "timestamp": "2026-05-04T09:00:00.000Z",
      "summary": "2 tests fail"
    }⟧
  ]
}`,
      {
        "task-5": {
          status: "in_progress",
          verdicts: [{ outcome: "failed", because: "2 tests fail", at: "2026-05-04T09:00:00.000Z" }],
        },
      },
    ));

  it.each([
    ["verification_timeout", "[VERIFICATION TIMEOUT]"],
    ["verification_escalated", "[VERIFICATION ESCALATED]"],
    ["agent_timeout", "[AGENT TIMEOUT]"],
  ])("%s comes into the notes and goes", (blockReason, tag) => {
    const blocked: Changes = { "task-5": { status: "blocked", blockReason, blockNote: "late" } };
    expectWritten(
      `{ "id": "5", "status": ⟦"Pending"→"Blocked"⟧, "notes": ["mine"⟦→, "${tag} late"⟧] }`,
      blocked,
    );
    expectWritten(
      `{ "id": "5", "status": ⟦"Pending"→"Blocked"⟧, "notes": ⟦"mine"→"mine\\n${tag} late"⟧ }`,
      blocked,
    );
    expectWritten(`{ "id": "5", "status": ⟦"Pending"→"Blocked"⟧⟦→, "notes": ["${tag} late"]⟧ }`, blocked);
    expectWritten(`{ "id": "5", "status": ⟦"Blocked"→"In Progress"⟧, "notes": ["mine"⟦, "${tag} late"→⟧] }`);
    expectWritten(`{ "id": "5", "status": ⟦"Blocked"→"In Progress"⟧, "notes": ["mine"⟦, "${tag}"→⟧] }`);
  });

  it("tags that tell of the work itself stay", () =>
    expectWritten(
      '{ "id": "5", "status": ⟦"Blocked"→"In Progress"⟧, "notes": ["[PARTIAL] half", "[BLOCKED] by moths"] }',
    ));
});

describe("a task file that cannot be read", () => {
  it.each([
    ['{"id": "5", "status": "Pending"', 2],
    ['{"id": "5",\n<<<<<<< HEAD\n"status": "Pending"}', 2],
    ["[]", 1],
    ["", 1],
    ["null", 1],
    ['{"id": 5, "status": "Pending",}', 1],
  ])("%j is reported with its place and left alone", (text) => {
    const format = formatCalled("task-files");
    const source = foldFolder({
      files: [
        { name: "task-5.json", text },
        { name: "task-6.json", text: '{"id": "6", "status": "Pending"}' },
      ],
      archived: [],
    });
    const plan = format.read(source);
    expect(plan.diagnostics).toMatchObject([{ code: "P029", file: "task-5.json" }]);
    for (const { line, column } of plan.diagnostics) expect(Math.min(line, column)).toBeGreaterThan(0);
    const progress = progressOf(plan, { "task-6": { status: "in_progress" } });
    const { edits } = writePlan(format, { text: source, companions: undefined }, progress);
    expect(edits.map(({ name }) => name)).toEqual(["task-6.json"]);
  });
});
