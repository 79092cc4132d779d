import { describe, expect, it } from "vitest";
import { ATTEMPTS, COMMITS } from "../../../src/plans/formats/implementation-plan/write.ts";
import { writePlan } from "../../../src/plans/formats/write-plan.ts";
import { readMarked } from "../../support/marked.ts";
import { NOW, progressOf } from "../../support/progress.ts";
import { type Changes, expectBytes, expectLeftAlone, formatCalled } from "../../support/write-back.ts";

const START: Changes = { felt: { status: "in_progress" } };
const DONE: Changes = { felt: { status: "completed", completedAt: NOW, commit: "c0ffee" } };

const expectWritten = (marked: string, changes: Changes = START) =>
  expectBytes("implementation-plan", marked, changes);

/** A plan with something of its own at the top, in its phase and in its subtask. */
const planWith = ({
  top = '"feature": "Hats"',
  phase = '"id": "p"',
  task = '"title": "Felt"',
  status = '"status": ⟦"pending"→"in_progress"⟧',
}) =>
  `{\n  ${top},\n  "phases": [\n    { ${phase}, "subtasks": [{ "id": "felt", ${task}, ${status} }] }\n  ]\n}\n`;

describe("the status of a subtask is all that changes", () => {
  it.each([
    '"feature": "Hats"',
    '"title": "Hats"',
    '"specTitle": "Hats"',
    '"spec_title": "Hats"',
    '"spec_name": "Hats"',
    '"taskTitle": "Hats"',
    '"workflow_type": "feature", "services_involved": ["a"], "final_acceptance": ["it fits"]',
    '"status": "done", "planStatus": "review"',
    '"qa_signoff": null',
    '"qa_signoff": { "status": "approved", "at": 1767225600.25 }',
    '"qaSignoff": "yes"',
    '"summary": { "total_subtasks": 99, "completed": -1 }',
    '"created_at": "2026-01-01T00:00:00.9NZ", "updated_at": 1767225600.123',
  ])("whatever is known of the plan: %s", (top) => expectWritten(planWith({ top })));

  it.each([
    '"id": "p"',
    '"phase": 1',
    '"phase_id": "p"',
    '"phaseId": "p"',
    '"phase_number": 1',
    '"name": "Material"',
    '"id": 1, "title": "Material"',
    '"id": 1, "phase_name": "Material"',
    '"id": 1, "phaseName": "Material"',
    '"id": 1, "phaseTitle": "Material"',
    '"id": 1, "depends_on": []',
    '"id": 1, "parallel_safe": true, "status": "completed"',
  ])("however its phase is called: %s", (phase) => expectWritten(planWith({ phase })));

  it("where phases wait for each other by text and number", () =>
    expectWritten(
      '{"phases": [{"phase": 1, "subtasks": [{"id": "felt", "status": ⟦"pending"→"in_progress"⟧}]}, {"id": "two", "depends_on": ["1"], "tasks": []}, {"phase": 3, "depends_on": [1, "two"], "chunks": [{"id": "sew", "status": "pending"}]}]}',
    ));

  it.each(["subtasks", "chunks", "tasks", "steps"])("in a list called %s", (name) =>
    expectWritten(
      `{"phases": [{"id": 1, "${name}": [{"id": "felt", "status": ⟦"pending"→"in_progress"⟧}]}]}`,
    ),
  );

  it.each(["id", "subtask_id", "subtaskId", "chunk_id", "task_id"])("with its id in %s", (name) =>
    expectWritten(
      `{"phases": [{"id": 1, "subtasks": [{"status": ⟦"pending"→"in_progress"⟧, "${name}": "felt"}]}]}`,
    ),
  );

  it.each([
    ['"1.1"', "1.1"],
    ["1.10", "1.10"],
    ['"subtask-1-1"', "subtask-1-1"],
    ["7", "7"],
  ])("with the id %s, which stays as it is written", (id, anchor) =>
    expectWritten(
      `{"phases": [{"id": 1, "subtasks": [{"id": ${id}, "status": ⟦"pending"→"in_progress"⟧}]}]}`,
      {
        [anchor]: { status: "in_progress" },
      },
    ),
  );

  it("with no id and no words at all", () =>
    expectWritten('{"phases": [{"id": 1, "subtasks": [{"status": ⟦"pending"→"in_progress"⟧}]}]}', {
      subtask: { status: "in_progress" },
    }));

  it.each([
    '"dependencies": []',
    '"verification": { "type": "command", "command": "make", "expected": "0" }',
    '"verification": { "type": "api", "run": "curl -s localhost" }',
    '"verification": [{ "type": "browser" }, { "type": "e2e" }, "component"]',
    '"verification": "look at it"',
    '"verification": { "type": "none" }, "verification_note": null',
    '"files_to_modify": ["a"], "files_to_create": [], "patterns_from": ["b"], "service": "shop"',
    '"started_at": 1767225600.5, "completed_at": null, "notes": ["1", { "2": [3] }]',
    '"title": "Filz — フェルト 🧢", "unknown": { "b": 1.0, "a": 1e3, "c": "\\u00e9\\/" }',
  ])("beside %s", (task) => expectWritten(planWith({ task })));

  it.each([
    "not_started",
    "not started",
    "todo",
    "queued",
    "backlog",
    "blocked",
    "stuck",
    "waiting",
    "failed",
    "error",
    "errored",
    "Pending",
    "perhaps",
    "",
  ])("where it was %j", (word) => expectWritten(planWith({ status: `"status": ⟦"${word}"→"in_progress"⟧` })));

  it.each(["in_progress", "running", "active", "wip", "working", "In Progress"])(
    "where it was %j, and is completed",
    (word) => expectWritten(planWith({ status: `"status": ⟦"${word}"→"completed"⟧` }), DONE),
  );

  it.each(["completed", "done", "complete", "finished", "success"])(
    "not at all where the file says %j, unless a person reopened it",
    (word) => {
      expectWritten(planWith({ status: `"status": "${word}"` }), { felt: { status: "pending" } });
      expectWritten(planWith({ status: `"status": ⟦"${word}"→"pending"⟧` }), {
        felt: { status: "pending", isReopened: true },
      });
    },
  );

  it("where it is null, of another type, or missing", () => {
    expectWritten(planWith({ status: '"status": ⟦null→"in_progress"⟧' }));
    expectWritten(planWith({ status: '"status": ⟦7→"in_progress"⟧, "after": 1' }));
    expectWritten('{"phases": [{"id": 1, "subtasks": [{"id": "felt"⟦→, "status": "in_progress"⟧}]}]}');
    expectWritten(
      '{\n\t"phases": [{\n\t\t"subtasks": [\n\t\t\t{\n\t\t\t\t"id": "felt"⟦→,\n\t\t\t\t"status": "in_progress"⟧\n\t\t\t}\n\t\t]\n\t}]\n}',
    );
  });

  it("in whatever layout the file has", () => {
    const plan = planWith({});
    expectWritten(plan.replaceAll("\n", "\r\n"));
    expectWritten(`\ufeff${plan}`);
    expectWritten(plan.replaceAll("  ", "\t"));
    expectWritten(plan.replaceAll("  ", "    ").trimEnd());
    expectWritten(plan.replaceAll(/\n */g, ""));
    expectWritten(plan.replaceAll(/(?<=[^→]"): /g, " :  "));
  });

  it("and of two with the same name the last, which is the one that counts", () =>
    expectWritten(
      '{"phases": [{"id": 1, "subtasks": [{"id": "felt", "status": "failed", "status": ⟦"pending"→"blocked"⟧}]}]}',
      { felt: { status: "blocked" } },
    ));
});

describe("a file that is no plan", () => {
  it.each([
    ["has the marks of a merge", '{"phases": [\n<<<<<<< HEAD\n{"id": 1}\n=======\n{"id": 2}\n>>>>>>> x\n]}'],
    ["has quotes inside quotes", '{"feature": "say "hi"", "phases": []}'],
    ["misses a name", '{"phases": [{"id": 1, : [{"id": "felt"}]}]}'],
    ["is not closed", '{"phases": [{"id": 1, "subtasks": [{"id": "felt"}'],
    ["is empty", ""],
    ["is JavaScript", 'module.exports = { phases: [{ subtasks: [{ id: "felt" }] }] };\n'],
    ["was written over", '{"qa_signoff": {"status": "approved"}}'],
    ["is a stub", '{"feature": "Hats", "phases": []}'],
    ["belongs to a copy of macOS", "\u0005\u0016\u0007 Mac OS X        \u0002"],
  ])("because it %s is refused with a place and left alone", (_, text) =>
    expectLeftAlone("implementation-plan", text, ["felt"]),
  );
});

const PLAN =
  '{"phases": [{"id": 1, "subtasks": [{"id": "felt", "title": "Felt", "status": "pending"}, {"id": "sew"}]}]}';
const CHUNKS = PLAN.replace("subtasks", "chunks");

/** The file beside the plan, with its changes marked. */
function expectMemory(name: string, marked: string, changes: Changes, plan = PLAN): void {
  const format = formatCalled("implementation-plan");
  const { before, after } = readMarked(marked);
  const progress = progressOf(format.read(plan), changes);
  const files = { text: plan, companions: new Map([[name, before]]) };
  const { edits, problems } = writePlan(format, files, progress);
  expect(problems).toEqual([]);
  expect(edits.find((edit) => edit.name === name)?.after ?? before).toBe(after);
}

const ATTEMPT = (indent: string): string =>
  [
    "{",
    '  "session": 3,',
    `  "timestamp": "${NOW}",`,
    '  "approach": "Felt",',
    '  "success": true,',
    '  "error": null',
    "}",
  ].join(`\n${indent}`);

describe("beside the plan", () => {
  it("an attempt is put behind those that are there", () =>
    expectMemory(
      ATTEMPTS,
      `{
  "subtasks": {
    "felt": {
      "attempts": [
        { "session": 2, "success": false, "error": "moths", "approach": "  odd   spaces" }⟦→,
        ${ATTEMPT("        ")}⟧
      ],
      "status": ⟦"failed"→"completed"⟧,
      "by": "a person"
    }
  },
  "stuck_subtasks": [],
  "metadata": { "created_at": "then", "last_updated": ⟦"then"→"${NOW}"⟧ }
}`,
      DONE,
    ));

  it("the words of chunks are kept, and what is stuck is so no more", () =>
    expectMemory(
      ATTEMPTS,
      `{
  "chunks": {
    "felt": {
      "attempts": [
        { "session": 2 }⟦→,
        ${ATTEMPT("        ")}⟧
      ],
      "status": ⟦"stuck"→"completed"⟧
    }
  },
  "stuck_chunks": [⟦{ "chunk_id": "felt", "reason": "moths" }, →⟧{ "chunk_id": "sew" }]
}`,
      DONE,
      CHUNKS,
    ));

  it("the other shape, which knows failures only, keeps them all", () =>
    expectMemory(
      ATTEMPTS,
      '{"subtasks": {"felt": [{"timestamp": "t", "error": "e", "failureType": "x", "errorHash": "h"}]}, "stuckSubtasks": [⟦"felt", →⟧"sew"]}',
      DONE,
    ));

  it.each([
    ["subtask_id", PLAN],
    ["chunk_id", CHUNKS],
  ])("a commit is put behind those that are there, with %s", (name, plan) =>
    expectMemory(
      COMMITS,
      `{
  "commits": [
    { "hash": "abc", "${name}": "sew", "timestamp": 1767225600.5 }⟦→,
    {
      "hash": "c0ffee",
      "${name}": "felt",
      "timestamp": "${NOW}"
    }⟧
  ],
  "last_good_commit": ⟦"abc"→"c0ffee"⟧,
  "metadata": { "last_updated": ⟦"then"→"${NOW}"⟧, "x": [ ] }
}
`,
      DONE,
      plan,
    ),
  );
});
