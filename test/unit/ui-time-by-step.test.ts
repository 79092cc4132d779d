import { expect, it } from "vitest";
import { slowestChain, timeByStep } from "../../ui/time-by-step.ts";
import type { Command, Lifeline } from "../../ui/types.ts";

const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

const span = (number: number, anchor: string | null, from: number, until: number | null): Command => ({
  number,
  anchor,
  command: "implement",
  type: "agent",
  started_at: at(from),
  ended_at: until === null ? null : at(until),
  outcome: until === null ? null : "finished",
});

const session = (plan: string, spans: readonly Command[]): Lifeline => ({
  session_id: plan,
  run_id: null,
  plan_path: plan,
  agent: "claude",
  worktree: "/w",
  status: "in_progress",
  is_stopped: false,
  started_at: at(0),
  ended_at: null,
  spans,
  landings: [],
});

it("keeps the same step of two plans apart, and sums a step over its commands", () => {
  const sessions = [
    session("a.md", [span(1, "step-1", 0, 2), span(2, "step-1", 2, 3), span(3, null, 3, 4)]),
    session("b.md", [span(1, "step-1", 0, 10)]),
  ];
  expect(timeByStep(sessions, Date.parse(at(20)))).toEqual([
    { plan: "b.md", name: "step-1", ms: 600_000 },
    { plan: "a.md", name: "step-1", ms: 180_000 },
    { plan: "a.md", name: "implement", ms: 60_000 },
  ]);
});

it("counts a running command until now", () => {
  const sessions = [session("a.md", [span(1, "step-1", 5, null)])];
  expect(timeByStep(sessions, Date.parse(at(7)))).toEqual([{ plan: "a.md", name: "step-1", ms: 120_000 }]);
});

it("finds the chain of dependent steps that took longest, wherever they stand in the plan", () => {
  const step = (anchor: string, ...depends_on: readonly string[]) => ({
    anchor,
    depends_on,
    parent_anchor: null,
  });
  const steps = [
    step("end", "slow", "quick"),
    step("slow", "begin"),
    step("quick", "begin"),
    step("begin"),
    step("alone"),
  ];
  const times = Object.entries({ begin: 2, slow: 9, quick: 3, end: 1, alone: 11 }).map(([name, ms]) => ({
    name,
    ms,
  }));
  expect(slowestChain(steps, times)).toEqual({ anchors: ["begin", "slow", "end"], ms: 12 });
  expect(slowestChain([step("a", "b"), step("b", "a")], times)).toEqual({ anchors: [], ms: 0 });
  expect(slowestChain([], [])).toEqual({ anchors: [], ms: 0 });
});
