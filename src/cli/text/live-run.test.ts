import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WorkerEvent } from "../../runs/work/run-event.ts";
import type { Progress } from "../context.ts";
import { liveRun, type PlanLine } from "./live-run.ts";
import { plainPaint } from "./paint.ts";
import { runLines } from "./run-lines.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function view(count: (plan: string) => Promise<PlanLine | undefined>) {
  let drawn: readonly string[] = [];
  const told: string[] = [];
  const progress: Progress = {
    mode: "live",
    paint: plainPaint(80),
    line: (text) => void told.push(...text.split("\n")),
    redraw: (lines) => void (drawn = lines),
    columns: () => 80,
    rows: () => 24,
  };
  const live = liveRun(progress, { lineFor: runLines("/repo"), nowMs: Date.now, count });
  const report = (happening: WorkerEvent) =>
    live.report({ worker: 1, at: "2026-11-16T09:00:00.000Z", ...happening });
  return { report, end: () => live.end(), drawn: () => drawn, told };
}

const BEGIN: WorkerEvent = { event: "plan", plan: "plan.md", total: 4, completed: 0 };

it("counts what others have completed while its own workers are busy", async () => {
  let completed = 0;
  const { report, drawn, end } = view(async (plan) => ({ plan, total: 4, completed }));
  report(BEGIN);
  expect(drawn()[0]).toMatch(/0\/4$/);
  completed = 3;
  await vi.advanceTimersByTimeAsync(5000);
  expect(drawn()[0]).toMatch(/3\/4$/);
  end();
  expect(drawn()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(drawn()).toEqual([]);
});

it("keeps the count it has where it cannot look, and does not look twice at once", async () => {
  let looks = 0;
  const stuck = view(() => {
    looks += 1;
    return new Promise(() => undefined);
  });
  stuck.report({ ...BEGIN, completed: 1 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([looks, stuck.drawn()[0]]).toEqual([1, expect.stringMatching(/1\/4$/)]);
  stuck.end();
  const failing = view(() => Promise.reject(new Error("busy")));
  failing.report({ ...BEGIN, completed: 2 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(failing.drawn()[0]).toMatch(/2\/4$/);
  failing.end();
});

it("breaks what stays on the screen between words, and no command that people copy", () => {
  const { report, told, end } = view(async () => undefined);
  const back = `pawl snapshot restore refs/pawl/snapshots/plan-w1/20261116T110042051Z-672184 --to plan-w1-restored`;
  report({
    event: "note",
    text: `1 uncommitted file of /repo/.pawl/worktrees/plan-w1 put aside; back with: ${back}`,
  });
  report({ event: "completed", step: "step-1", commit: "0123456789abcdef" });
  end();
  expect(told).toEqual([
    "[1] 1 uncommitted file of /repo/.pawl/worktrees/plan-w1 put aside; back with:",
    `    ${back}`,
    "[1] step-1: completed with 0123456789ab",
  ]);
});

it("says what a step is about while its agent says nothing", () => {
  const { report, drawn, end } = view(async () => undefined);
  const lines: string[] = [];
  report({ event: "claimed", step: "step-1", title: "Dig a hole", again: false, remaining: 4 });
  const command: WorkerEvent = {
    event: "command",
    step: "step-1",
    command: "implement",
    again: false,
    log: "1.log",
    iteration: 1,
    lines: () => lines,
  };
  report(command);
  expect(drawn()).toEqual(["[1] step-1 implement 0:00  Dig a hole"]);
  lines.push("digging");
  report(command);
  expect(drawn()).toEqual(["[1] step-1 implement 0:00  digging"]);
  report({ event: "claimed", step: "step-2", title: "Fill it", again: false, remaining: 3 });
  expect(drawn()).toEqual(["[1] step-2 claimed 0:00  Fill it"]);
  end();
});
