import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import type { StepStatus } from "../../domain/step-machine.ts";
import { implementationPlan, readImplementationPlan } from "./implementation-plan.ts";
import { ATTEMPTS, COMMITS } from "./implementation-plan/write.ts";
import type { StepState } from "./plan-format.ts";
import { meaningOf } from "./step-text.ts";
import { writePlan } from "./write-plan.ts";

const json = (value: unknown) => JSON.stringify(value, null, 2);

const read = (value: unknown) => readImplementationPlan(typeof value === "string" ? value : json(value));

const codes = (value: unknown) => read(value).diagnostics.map(({ code }) => code);

const edges = (value: unknown) =>
  Object.fromEntries(
    read(value).steps.map(({ anchor, dependsOn }) => [anchor, dependsOn.map((one) => one.anchor)]),
  );

const oneTask = (task: object) => ({ feature: "F", phases: [{ id: "p", depends_on: [], subtasks: [task] }] });

describe("an implementation plan", () => {
  it.each(["feature", "title", "specTitle", "spec_title", "spec_name", "taskTitle"])(
    "has its name in %s",
    (name) => {
      expect(read({ [name]: "Hats", phases: [] }).title).toBe("Hats");
    },
  );

  it.each(["subtasks", "chunks", "tasks", "steps"])("has its steps in %s", (name) => {
    const plan = read({ phases: [{ id: 1, [name]: [{ id: "a", description: "felt\nand more" }] }] });
    expect(plan.steps).toMatchObject([{ anchor: "a", title: "felt" }]);
  });

  it.each(["id", "subtask_id", "subtaskId", "chunk_id", "task_id"])(
    "takes the id of a subtask from %s",
    (name) => {
      expect(read(oneTask({ [name]: "subtask-1-1" })).steps[0]?.anchor).toBe("subtask-1-1");
    },
  );

  it("keeps an id that looks like a number as it is written", () => {
    const text = '{"phases": [{"id": 1, "subtasks": [{"id": 1.10}, {"id": "1.1"}]}]}';
    expect(readImplementationPlan(text).steps.map(({ anchor }) => anchor)).toEqual(["1.10", "1.1"]);
  });

  it("gives a name to what has none", () => {
    const plan = read(oneTask({ status: "pending" }));
    expect(plan.steps).toMatchObject([{ anchor: "subtask", title: "subtask" }]);
    expect(plan.diagnostics).toMatchObject([{ code: "P048", line: 8 }]);
  });

  it("names subtasks without ids by their words and phases, wherever they stand", () => {
    const [cut, sew, press] = [
      { name: "Felt", subtasks: [{ description: "Cut" }, { description: "Check" }] },
      { name: "Hat", subtasks: [{ description: "Sew" }, { description: "Check" }] },
      { name: "Shop", subtasks: [{ id: "sell" }] },
    ];
    const namesOf = (...phases: readonly unknown[]) => read({ phases }).steps.map(({ anchor }) => anchor);
    expect(namesOf(cut, sew, press)).toEqual(["cut", "felt-check", "sew", "hat-check", "sell"]);
    expect(namesOf(press, sew, cut)).toEqual(["sell", "sew", "hat-check", "cut", "felt-check"]);
  });

  it("refuses subtasks without ids that say the same in one phase, and names both lines", () => {
    const twice = { phases: [{ name: "Hat", subtasks: [{ description: "Sew" }, { description: "Sew" }] }] };
    const error = read(twice).diagnostics.find(({ severity }) => severity === "error");
    expect(error).toMatchObject({ code: "P017", message: expect.stringMatching(/the one in line \d+/) });
  });

  it("lets subtasks follow one another, and phases wait for those they depend on", () => {
    expect(
      edges({
        phases: [
          { phase: 1, depends_on: [], subtasks: [{ id: "a" }, { id: "b" }] },
          { phase: 2, depends_on: ["1"], parallel_safe: true, subtasks: [{ id: "c" }, { id: "d" }] },
          { phase: 3, depends_on: [2, 1], subtasks: [{ id: "e" }] },
          { phase: 4, depends_on: [], subtasks: [{ id: "f", dependencies: ["a"] }] },
        ],
      }),
    ).toEqual({ a: [], b: ["a"], c: ["b"], d: ["b"], e: ["b", "c", "d"], f: ["a"] });
  });

  it("lets phases that say nothing follow one another, past an empty one", () => {
    const phases = [
      { id: "x", subtasks: [{ id: "a" }] },
      { id: "y", chunks: [] },
      { id: "z", subtasks: [{ id: "b" }] },
    ];
    expect(edges({ phases })).toEqual({ a: [], b: ["a"] });
    expect(codes({ phases })).toEqual(["P050"]);
  });

  it.each([
    ["pending", "pending"],
    ["in_progress", "in_progress"],
    ["completed", "completed"],
    ["blocked", "blocked"],
    ["failed", "failed"],
    ["done", "completed"],
    ["complete", "completed"],
    ["Finished", "completed"],
    ["success", "completed"],
    ["not_started", "pending"],
    ["not started", "pending"],
    ["todo", "pending"],
    ["queued", "pending"],
    ["backlog", "pending"],
    ["running", "in_progress"],
    ["active", "in_progress"],
    ["wip", "in_progress"],
    ["working", "in_progress"],
    ["stuck", "blocked"],
    ["waiting", "blocked"],
    ["error", "failed"],
    ["errored", "failed"],
    [undefined, "pending"],
    [null, "pending"],
    ["", "pending"],
    ["perhaps", "on_hold"],
    [7, "on_hold"],
  ])("reads the status %j as %s", (status, found) => {
    // oxfmt-ignore
    const plan = read(oneTask({ id: "a", title: "t", status }));
    expect(plan.steps[0]?.progress?.status).toBe(found);
    const isOdd = typeof status === "string" && status !== "" && status !== found;
    expect(plan.diagnostics.length > 0).toBe(isOdd || status === 7);
  });

  it.each([
    [
      { type: "command", command: "npm test" },
      { type: "command", command: "npm test" },
    ],
    [{ run: "make" }, { type: "command", command: "make" }],
    [[{ type: "e2e", run: "x" }], { type: "e2e", command: "x" }],
    ["look at it", { type: "manual", command: undefined, text: "look at it" }],
    [{ type: "none" }, { type: "none" }],
    [null, undefined],
  ])("knows how a step is verified: %j", (verification, expected) => {
    const step = read(oneTask({ id: "a", verification })).steps[0];
    if (expected) expect(step?.verification).toMatchObject(expected);
    else expect(step).not.toHaveProperty("verification");
  });

  it("lets the subtasks win over the status on top", () => {
    expect(read({ ...oneTask({ id: "a", status: "pending" }), status: "done" }).diagnostics).toMatchObject([
      { code: "P032", message: "The plan says completed, but 0 of 1 subtasks are completed." },
    ]);
  });

  it.each([
    ["", 1, 1, "P011"],
    ["{", 1, 2, "P011"],
    ['{"phases": [\n<<<<<<< HEAD\n]}', 2, 1, "P011"],
    ["module.exports = {}", 1, 1, "P011"],
    ['{"feature": "say "hi"", "phases": []}', 1, 19, "P011"],
    ["[]", 1, 1, "P012"],
    ['{"qa_signoff": {}}', 1, 1, "P012"],
    ['{"id": "5", "title": "t"}', 1, 1, "P015"],
    ['{"phases": []}', 1, 12, "P013"],
    ['{"phases": [{"id": 1, "subtasks": [{"id": "a"}, {"id": "a"}]}]}', 1, 49, "P014"],
    ['{"phases": [{"id": 1, "depends_on": ["9x"], "subtasks": [{"id": "a"}]}]}', 1, 38, "P004"],
    ['{"phases": [{"id": 1, "subtasks": [{"id": "a", "dependencies": ["b"]}]}]}', 1, 65, "P004"],
    ['{"phases": [{"id": 1, "subtasks": [{"id": "a", "dependencies": ["a"]}]}]}', 1, 65, "P005"],
  ])("refuses %j with a place", (text, line, column, code) => {
    expect(readImplementationPlan(text).diagnostics).toContainEqual(
      expect.objectContaining({ code, severity: "error", line, column }),
    );
  });

  it("refuses phases that wait for each other", () => {
    const phase = (id: string, other: string) => ({ id, depends_on: [other], subtasks: [{ id: `${id}-1` }] });
    expect(codes({ phases: [phase("a", "b"), phase("b", "a")] })).toEqual(["P006"]);
  });

  it("passes over what has the wrong type, and says so", () => {
    const plan = read({ phases: [null, 7, { id: "p", subtasks: ["x", { id: "a", dependencies: [{}] }] }] });
    expect(plan.steps.map(({ anchor }) => anchor)).toEqual(["a"]);
    expect(plan.diagnostics.filter(({ code }) => code === "P037")).toHaveLength(4);
  });

  it("is not moved by names that other programs trip over", () => {
    const plan = readImplementationPlan(
      '{"__proto__": {"phases": []}, "phases": [{"id": "constructor", "subtasks": [{"id": "__proto__", "id": "toString"}]}]}',
    );
    expect(plan.steps.map(({ anchor }) => anchor)).toEqual(["toString"]);
    expect(plan.diagnostics.map(({ code }) => code)).toContain("P033");
  });
});

const PLAN = `\ufeff{
\t"feature": "Hats",
\t"unknown": [1, 2,3],
\t"phases": [
\t\t{ "id": "p1", "depends_on": [],
\t\t  "chunks": [
\t\t\t{ "id": "a", "status": "done", "notes": "keep" },
\t\t\t{ "status": "pending", "id": "b", "x": 1e3 },
\t\t\t{ "id": "c", "title": "third" }
\t\t] }
\t]
}`.replaceAll("\n", "\r\n");

const write = (changes: Record<string, Partial<StepState>>, companions: Record<string, string> = {}) => {
  const { edits, problems } = writePlan(
    implementationPlan,
    { text: PLAN, companions: new Map(Object.entries(companions)) },
    progressOf(readImplementationPlan(PLAN), changes),
  );
  return { problems, files: Object.fromEntries(edits.map(({ name, after }) => [name, after])) };
};

const DONE = { status: "completed", completedAt: NOW, commit: "abc123" } as const;

describe("writing an implementation plan", () => {
  it("changes nothing while nothing changed", () => {
    expect(write({})).toEqual({ problems: [], files: {} });
  });

  it("changes the status and not another byte", () => {
    expect(write({ b: { status: "in_progress" } }).files).toEqual({
      "": PLAN.replace('"status": "pending"', '"status": "in_progress"'),
    });
    expect(write({ c: { status: "in_progress" } }).files[""]).toBe(
      PLAN.replace('"title": "third"', '"title": "third", "status": "in_progress"'),
    );
  });

  it.each([
    ["claimed", undefined],
    ["awaiting_verification", "in_progress"],
    ["on_hold", "blocked"],
    ["blocked", "blocked"],
    ["completed", "completed"],
  ] as const)("shows a step that is %s", (status, word) => {
    const { files } = write({ b: { status } });
    expect(files[""]).toBe(word && PLAN.replace('"pending"', `"${word}"`));
  });

  it("leaves a subtask that the file calls completed, unless a person reopened it", () => {
    expect(write({ a: { status: "pending" } }).files).toEqual({});
    expect(write({ a: { status: "pending", isReopened: true } }).files[""]).toBe(
      PLAN.replace('"done"', '"pending"'),
    );
  });

  it("records a completion in both files of the memory, once", () => {
    const { files } = write({ b: DONE });
    expect(JSON.parse(files[ATTEMPTS]!)).toMatchObject({
      chunks: {
        b: {
          attempts: [{ session: 1, timestamp: NOW, approach: "b", success: true, error: null }],
          status: "completed",
        },
      },
      stuck_chunks: [],
    });
    expect(JSON.parse(files[COMMITS]!)).toMatchObject({
      commits: [{ hash: "abc123", chunk_id: "b", timestamp: NOW }],
      last_good_commit: "abc123",
    });
    expect(Object.keys(write({ b: DONE }, files).files)).toEqual([""]);
  });

  it("adds to a history that is there, and keeps all of it", () => {
    const history = json({
      subtasks: {
        a: { attempts: [{ session: 7, success: false, error: "x" }], status: "failed", more: 1 },
        b: { attempts: [], status: "pending" },
      },
      stuck_subtasks: ["b"],
      metadata: { created_at: "then", last_updated: "then" },
    });
    const after = JSON.parse(write({ b: DONE }, { [ATTEMPTS]: history }).files[ATTEMPTS]!) as Record<
      string,
      object
    >;
    expect(after).toEqual({
      subtasks: {
        a: { attempts: [{ session: 7, success: false, error: "x" }], status: "failed", more: 1 },
        b: {
          attempts: [{ session: 8, timestamp: NOW, approach: "b", success: true, error: null }],
          status: "completed",
        },
      },
      stuck_subtasks: [],
      metadata: { created_at: "then", last_updated: NOW },
    });
  });

  it("understands the other shape of the history, which only knows failures", () => {
    const history = json({ subtasks: { b: [{ timestamp: "t", error: "e" }] }, stuckSubtasks: ["b", "z"] });
    const cleared = write({ b: DONE }, { [ATTEMPTS]: history }).files[ATTEMPTS]!;
    expect(JSON.parse(cleared)).toEqual({
      subtasks: { b: [{ timestamp: "t", error: "e" }] },
      stuckSubtasks: ["z"],
    });
    const stuck = write({ c: { status: "blocked", blockReason: "agent_timeout" } }, { [ATTEMPTS]: history })
      .files[ATTEMPTS]!;
    expect(JSON.parse(stuck)).toMatchObject({
      subtasks: { c: [{ timestamp: NOW, error: "agent_timeout", failureType: "blocked" }] },
      stuckSubtasks: ["b", "z", "c"],
    });
  });

  it("records verdicts that sent the work back, in either shape and once", () => {
    const verdicts = [
      { outcome: "failed", because: "2 tests fail", at: "2026-05-04T09:00:00.000Z" },
    ] as const;
    const change = { b: { status: "in_progress", verdicts } } as const;
    const { files } = write(change);
    expect(JSON.parse(files[ATTEMPTS]!)).toMatchObject({
      chunks: {
        b: {
          attempts: [
            {
              session: 1,
              timestamp: "2026-05-04T09:00:00.000Z",
              approach: "b",
              success: false,
              error: "2 tests fail",
            },
          ],
          status: "in_progress",
        },
      },
    });
    expect(Object.keys(write(change, files).files)).toEqual([""]);
    const other = json({ subtasks: {}, stuckSubtasks: [] });
    const errors = write(change, { [ATTEMPTS]: other }).files;
    expect(JSON.parse(errors[ATTEMPTS]!)).toEqual({
      subtasks: {
        b: [
          {
            timestamp: "2026-05-04T09:00:00.000Z",
            error: "2 tests fail",
            failureType: "verification_failed",
          },
        ],
      },
      stuckSubtasks: [],
    });
    expect(Object.keys(write(change, { [ATTEMPTS]: errors[ATTEMPTS]! }).files)).toEqual([""]);
  });

  it("records what is stuck, until it is done", () => {
    const { files } = write({
      b: { status: "blocked", blockReason: "verification_escalated", blockNote: "see log" },
    });
    expect(JSON.parse(files[ATTEMPTS]!)).toMatchObject({
      stuck_chunks: [{ chunk_id: "b", reason: "verification_escalated: see log", escalated_at: NOW }],
    });
    const claimed = write({ b: { status: "in_progress" } }, files);
    expect(claimed.files[ATTEMPTS] ?? files[ATTEMPTS]).toContain("verification_escalated: see log");
    const after = write({ b: DONE }, files).files[ATTEMPTS]!;
    expect(JSON.parse(after)).toMatchObject({ stuck_chunks: [] });
  });

  it("leaves a memory that it cannot read as it is, and says so", () => {
    const { files, problems } = write({ b: DONE }, { [ATTEMPTS]: "{ torn", [COMMITS]: "[]" });
    expect(Object.keys(files)).toEqual([""]);
    expect(problems.map(({ name }) => name)).toEqual([ATTEMPTS, COMMITS]);
  });

  it("keeps no memory where the plan has no folder of its own", () => {
    const progress = progressOf(readImplementationPlan(PLAN), { b: DONE });
    const { edits } = writePlan(implementationPlan, { text: PLAN, companions: undefined }, progress);
    expect(edits.map(({ name }) => name)).toEqual([""]);
  });
});

describe("any implementation plan", () => {
  const status = fc.constantFrom<StepStatus>(
    "pending",
    "claimed",
    "in_progress",
    "awaiting_verification",
    "completed",
    "blocked",
    "on_hold",
  );
  const task = fc.record(
    {
      id: fc.constantFrom("a", "b", "c", "1.1"),
      title: fc.string(),
      status: fc.constantFrom("pending", "done", "in_progress", "failed", "?"),
      extra: fc.jsonValue(),
    },
    { requiredKeys: ["id"] },
  );
  const plan = fc.record({
    feature: fc.string(),
    phases: fc.array(
      fc.record({ id: fc.nat(3), subtasks: fc.uniqueArray(task, { selector: ({ id }) => id }) }),
      { maxLength: 1, minLength: 1 },
    ),
    other: fc.jsonValue(),
  });

  it("is written so that only statuses differ, and the second time nothing does", () => {
    fc.assert(
      fc.property(
        plan,
        fc.constantFrom(undefined, 2, "\t"),
        fc.array(status, { minLength: 4, maxLength: 4 }),
        (value, indent, statuses) => {
          const text = JSON.stringify(value, null, indent);
          const before = readImplementationPlan(text);
          const anchors = before.steps.map(({ anchor }) => anchor);
          const changes = Object.fromEntries(
            anchors.map((anchor, index) => [anchor, { status: statuses[index]! }]),
          );
          const progress = progressOf(before, changes);
          const { edits, problems } = writePlan(
            implementationPlan,
            { text, companions: undefined },
            progress,
          );
          expect(problems).toEqual([]);
          const after = edits[0]?.after ?? text;
          expect(meaningOf(readImplementationPlan(after))).toBe(meaningOf(before));
          expect(withoutStatus(after)).toEqual(withoutStatus(text));
          expect(
            writePlan(implementationPlan, { text: after, companions: undefined }, progress).edits,
          ).toEqual([]);
        },
      ),
    );
  });
});

const withoutStatus = (text: string): unknown => {
  const value = JSON.parse(text) as { phases: { subtasks: Record<string, unknown>[] }[] };
  for (const { subtasks } of value.phases) for (const task of subtasks) delete task["status"];
  return value;
};
