import { describe, expect, it } from "vitest";
import type { SessionView } from "../sessions/index.ts";
import { groupRuns } from "./runs.ts";

const session = (id: string, more: Partial<SessionView> = {}): SessionView =>
  ({
    id,
    runId: "r-1",
    planPath: "plan.md",
    status: "interrupted",
    worktree: `/w/plan-w${id.slice(2)}`,
    startedAt: "2026-11-16T09:00:00.000Z",
    endedAt: null,
    interruptedAt: "2026-11-16T09:05:00.000Z",
    interruptionType: "process_kill",
    pausedUntil: null,
    resumable: true,
    resumeWith: `pawl resume ${id}`,
    here: true,
    usage: null,
    ...more,
  }) as SessionView;

describe("sessions of one run", () => {
  it("are one run with one command that resumes all of it", () => {
    const [run, ...others] = groupRuns([session("s-10"), session("s-2"), session("s-1")]);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ runId: "r-1", status: "interrupted", resumable: true, planPath: "plan.md" });
    expect(run!.sessions.map(({ id }) => id)).toEqual(["s-1", "s-2", "s-10"]);
    expect(run!.resumeWith).toBe("pawl resume s-1");
    expect(run!.endedAt).toBe("2026-11-16T09:05:00.000Z");
  });

  it("are at work while one of them is, and then nothing is resumed", () => {
    const [run] = groupRuns([session("s-1"), session("s-2", { status: "in_progress", resumable: false })]);
    expect(run).toMatchObject({ status: "in_progress", endedAt: null, resumable: false, resumeWith: null });
  });

  it("sum what they used and which steps they did", () => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.5, unpricedTokens: 0 };
    const steps = new Map([
      ["s-1 completed", 2],
      ["s-2 completed", 1],
      ["s-2 blocked", 1],
    ]);
    const [run] = groupRuns([session("s-1", { usage }), session("s-2", { usage })], steps);
    expect(run).toMatchObject({ stepsCompleted: 3, stepsBlocked: 1, usage: { costUsd: 1, inputTokens: 20 } });
  });

  it("stay apart from those of another run, and a session without a run is one by itself", () => {
    const runs = groupRuns([
      session("s-1"),
      session("s-2", { runId: "r-2" }),
      session("s-3", { runId: null }),
    ]);
    expect(runs.map(({ runId }) => runId)).toEqual(["r-1", "r-2", "s-3"]);
  });
});
