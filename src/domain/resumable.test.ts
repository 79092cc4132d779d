import { describe, expect, it } from "vitest";
import { type CutOff, isResumable, supersededOf, unendedOf } from "./resumable.ts";

const session = (id: string, more: Partial<CutOff> = {}): CutOff => ({
  id,
  run_id: id,
  kind: "run",
  status: "interrupted",
  resumable: 1,
  worktree_id: "w1",
  plan_path: "plan.md",
  host_id: "here",
  started_at: "2026-11-15T10:00:00.000Z",
  interrupted_at: "2026-11-15T11:00:00.000Z",
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

  it("is offered until a later run of its plan begins, wherever that works", () => {
    const later = session("b", { worktree_id: "w2", started_at: "2026-11-15T12:00:00.000Z" });
    const ids = (more: Partial<CutOff>) => offered([{ ...later, ...more }, session("a")]);
    expect(ids({ status: "completed" })).toEqual([]);
    expect(ids({ status: "in_progress" })).toEqual([]);
    expect(ids({})).toEqual(["b"]);
    // One that ran beside it has not taken its place; neither has one of another machine, or for another plan.
    expect(ids({ started_at: "2026-11-15T10:30:00.000Z" })).toEqual(["b", "a"]);
    expect(ids({ host_id: "elsewhere" })).toEqual(["b", "a"]);
    expect(ids({ plan_path: "other.md" })).toEqual(["b", "a"]);
    expect(ids({ run_id: "a" })).toEqual(["b", "a"]);
    expect(ids({ kind: "verify", resumable: 0 })).toEqual(["a"]);
  });

  it("is offered after a verification, which only looks", () => {
    expect(offered([session("b", { kind: "verify", resumable: 0 }), session("a")])).toEqual(["a"]);
  });

  it("is not offered when its plan is done", () => {
    expect(
      offered([session("a"), session("i", { plan_path: null, worktree_id: "w2" })], ["plan.md"]),
    ).toEqual(["i"]);
  });

  it("is not offered when no record says what it was asked to do", () => {
    expect(offered([session("a", { resumable: 0 })])).toEqual([]);
  });
});

describe("a session that was cut off after the last step", () => {
  const unended = (sessions: readonly CutOff[], done = ["plan.md"]) => [
    ...unendedOf(sessions, new Set(done)),
  ];

  it("is one of the last run of a plan that is done", () => {
    expect(unended([session("a")])).toEqual(["a"]);
    expect(unended([session("a")], [])).toEqual([]);
    expect(unended([session("a", { resumable: 0 })])).toEqual([]);
  });

  it("is each worker's that did not end before", () => {
    const workers = ["a", "b", "c"].map((id) => session(id, { run_id: "r", worktree_id: id }));
    expect(unended([{ ...workers[0]!, status: "completed" }, ...workers.slice(1)])).toEqual(["b", "c"]);
  });

  it("is not one of an earlier run, wherever the later one worked; a verification only looks", () => {
    const later = session("b", { status: "completed", worktree_id: "w2" });
    expect(unended([later, session("a")])).toEqual([]);
    expect(unended([{ ...later, kind: "verify" }, session("a")])).toEqual(["a"]);
    expect(unended([{ ...later, plan_path: "other.md" }, session("a")])).toEqual(["a"]);
  });
});
