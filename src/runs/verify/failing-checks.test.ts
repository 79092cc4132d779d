import { describe, expect, it } from "vitest";
import type { BlockReason } from "../finish/block-step.ts";
import { type Failing, failingAfter, whyHalted } from "./failing-checks.ts";
import type { StepEnd } from "../finish/step-end.ts";

const blocked = (reason: BlockReason, check?: string): StepEnd => ({
  kind: "blocked",
  reason,
  note: "n",
  check,
});
const ROW: readonly Failing[] = [{ anchor: "step-1", check: "npm test" }];
const lengthAfter = (end: StepEnd) => failingAfter(ROW, "step-2", end).length;

describe("the row of steps that verification blocks", () => {
  it.each([
    ["grows by a step that failed too often", blocked("verification_escalated", "npm test"), 2],
    ["grows by a step whose verification took too long", blocked("verification_timeout", "npm test"), 2],
    ["begins anew with a step that is completed", { kind: "completed", commit: "c" }, 0],
    ["begins anew with a step that passed and conflicts", blocked("merge_conflict"), 0],
    ["grows by a step whose commit was refused", blocked("commit_refused", "git commit"), 2],
    ["grows by a step that could not be finished", blocked("step_failed", "E085 (git/failed)"), 2],
    ["stays with a step whose files git cannot take", blocked("not_committable"), 1],
    ["grows by a step whose agent failed each time", blocked("agent_failed"), 2],
    ["stays with a step whose agent took too long", blocked("agent_timeout"), 1],
    ["stays with a step that another worker has", { kind: "lost", because: "b" }, 1],
    ["stays with a step that is interrupted", { kind: "interrupted" }, 1],
  ] as const)("%s", (_what, end, length) => {
    expect(lengthAfter(end)).toBe(length);
  });
});

describe("what people read", () => {
  const where = { plan: "my plan.md", branch: "pawl/my-plan" };

  it("names each check once, all steps, and the way out", () => {
    const row = [...ROW, { anchor: "step-2", check: "npm test" }, { anchor: "step-3", check: "make lint" }];
    expect(whyHalted(row, where)).toBe(
      "npm test, make lint blocked 3 steps in a row (step-1, step-2, step-3), and none passed in between. " +
        "Run it by hand in a clean checkout of pawl/my-plan; " +
        "once it is repaired: pawl state retry 'my plan.md' --all-blocked",
    );
  });

  it("never suggests to run a checklist by hand", () => {
    const text = whyHalted([{ anchor: "step-1", check: "checklist" }], where);
    expect(text).toContain("checklist blocked 1 step in a row (step-1)");
    expect(text).toContain("whether the agent ticks");
    expect(text).not.toContain("by hand");
  });

  it("sends people to the reason where git or Pawl failed", () => {
    for (const check of ["git commit", "E085 (git/failed)", "the agent's own end"])
      expect(whyHalted([{ anchor: "step-1", check }], where)).toContain("pawl explain 'my plan.md' step-1");
  });

  it("has words where no verification came to an end", () => {
    expect(whyHalted([{ anchor: "step-1", check: undefined }], where)).toMatch(
      /^verification blocked 1 step/,
    );
  });
});
