import { describe, expect, it } from "vitest";
import { type CutOff, isResumable, supersededOf } from "./resumable.ts";

const session = (id: string, more: Partial<CutOff> = {}): CutOff => ({
  id,
  kind: "run",
  status: "interrupted",
  resumable: 1,
  worktree_id: "w1",
  plan_path: "plan.md",
  ...more,
});

const offered = (sessions: readonly CutOff[], done: readonly string[] = []) => {
  const superseded = supersededOf(sessions, new Set(done));
  return sessions.filter((one) => isResumable(one, superseded)).map(({ id }) => id);
};

describe("a session that was cut off", () => {
  it("is offered until a later one works in its worktree", () => {
    expect(offered([session("a")])).toEqual(["a"]);
    expect(offered([session("b", { status: "completed" }), session("a")])).toEqual([]);
    expect(offered([session("b", { worktree_id: "w2" }), session("a")])).toEqual(["b", "a"]);
  });

  it("is offered after a verification, which only looks", () => {
    expect(offered([session("b", { kind: "verify", resumable: 0 }), session("a")])).toEqual(["a"]);
  });

  it("is not offered when its plan is done", () => {
    expect(
      offered([session("a"), session("i", { plan_path: null, worktree_id: "w2" })], ["plan.md"]),
    ).toEqual(["i"]);
  });

  it("is not offered when nobody knows what it was asked to do", () => {
    expect(offered([session("a", { resumable: 0 })])).toEqual([]);
  });
});
