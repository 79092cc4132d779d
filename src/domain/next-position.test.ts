import { describe, expect, it } from "vitest";
import { after, ENDED, nextPosition, type Position } from "./next-position.ts";
import { BUILT_IN_WORKFLOWS, COMMAND_TYPES, type CommandType, type Workflow } from "./workflow.ts";

const types = Object.keys(COMMAND_TYPES) as CommandType[];

/** Three commands with the one in question in the middle. */
const workflowOf = (type: CommandType, iterates = false): Workflow => ({
  ...BUILT_IN_WORKFLOWS.implement,
  iterates,
  commands: (["plan", type, "custom"] as const).map((each) => ({
    ...BUILT_IN_WORKFLOWS.implement.commands[0],
    name: each,
    type: each,
  })),
});

const at = (type: CommandType, more: Partial<Position> = {}): Position => ({
  iteration: 2,
  position: 1,
  type,
  ended: "open",
  specId: undefined,
  ...more,
});

const bounds = (workflow: Workflow, maxIterations = 5) => ({ workflow, maxIterations });

/** Written out here a second time, so that the table is compared with what it should say and not with itself. */
const EXPECTED: Record<string, "again" | "next"> = {
  "code_review open no": "again",
  "code_review open spec": "next",
  "code_review finished no": "again",
  "code_review finished spec": "next",
  "code_review failed no": "again",
  "code_review failed spec": "again",
  "implement_spec open no": "again",
  "implement_spec open spec": "again",
  "implement_spec finished no": "next",
  "implement_spec finished spec": "next",
  "implement_spec failed no": "again",
  "implement_spec failed spec": "again",
  "lint open no": "again",
  "lint open spec": "again",
  "lint finished no": "again",
  "lint finished spec": "again",
  "lint failed no": "again",
  "lint failed spec": "again",
  "plan open no": "again",
  "plan open spec": "again",
  "plan finished no": "next",
  "plan finished spec": "next",
  "plan failed no": "again",
  "plan failed spec": "again",
  "verify open no": "again",
  "verify open spec": "again",
  "verify finished no": "next",
  "verify finished spec": "next",
  "verify failed no": "again",
  "verify failed spec": "again",
  "custom open no": "again",
  "custom open spec": "again",
  "custom finished no": "again",
  "custom finished spec": "again",
  "custom failed no": "again",
  "custom failed spec": "again",
};

const cases = types.flatMap((type) =>
  ENDED.flatMap((ended) =>
    [undefined, "spec-1"].map((specId) => ({
      type,
      ended,
      specId,
      expected: EXPECTED[`${type} ${ended} ${specId ? "spec" : "no"}`],
    })),
  ),
);

describe("resume", () => {
  it("knows every case and no other", () => {
    expect(cases.map(({ expected }) => expected)).not.toContain(undefined);
    expect(cases).toHaveLength(Object.keys(EXPECTED).length);
  });

  it.each(cases)(
    "of a $type that is $ended, spec $specId: $expected",
    ({ type, ended, specId, expected }) => {
      const next = nextPosition(at(type, { ended, specId }), bounds(workflowOf(type)));
      const isAgain = expected === "again";
      expect(next).toEqual({
        kind: "run",
        iteration: 2,
        position: isAgain ? 1 : 2,
        again: isAgain,
        specId: isAgain && type === "code_review" ? undefined : specId,
      });
    },
  );

  it("starts at the beginning when there is no checkpoint", () => {
    expect(nextPosition(undefined, bounds(BUILT_IN_WORKFLOWS.improve))).toEqual({
      kind: "run",
      iteration: 1,
      position: 0,
      specId: undefined,
      again: false,
    });
  });

  it("between review and implement continues with the spec, and in lint runs lint again", () => {
    const { improve } = BUILT_IN_WORKFLOWS;
    const reviewed = at("code_review", { position: 0, ended: "finished", specId: "s-7" });
    expect(nextPosition(reviewed, bounds(improve))).toMatchObject({
      position: 1,
      specId: "s-7",
      again: false,
    });
    const linting = at("lint", { position: 2, specId: "s-7" });
    expect(nextPosition(linting, bounds(improve))).toMatchObject({ iteration: 2, position: 2, again: true });
  });

  it("says what does not fit when the workflow is another one", () => {
    const { improve, implement } = BUILT_IN_WORKFLOWS;
    expect(nextPosition(at("lint", { position: 0 }), bounds(improve))).toEqual({
      kind: "mismatch",
      because: "the checkpoint stands at command 1, a lint, where workflow improve has a code_review",
    });
    expect(nextPosition(at("lint", { position: 2 }), bounds(implement))).toMatchObject({ kind: "mismatch" });
    expect(nextPosition(at("lint", { position: -1 }), bounds(implement))).toMatchObject({ kind: "mismatch" });
  });
});

describe("after the last command", () => {
  it("a workflow that does not iterate is done", () => {
    expect(after(at("custom", { position: 2 }), workflowOf("plan"), 5)).toEqual({ kind: "done" });
  });

  it("one that iterates starts again without the old spec, up to its last iteration", () => {
    const workflow = workflowOf("plan", true);
    const last = at("custom", { position: 2, specId: "s-7" });
    expect(after(last, workflow, 5)).toEqual({
      kind: "run",
      iteration: 3,
      position: 0,
      specId: undefined,
      again: false,
    });
    expect(after(last, workflow, 2)).toEqual({ kind: "done" });
  });
});
