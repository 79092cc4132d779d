import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toInstant } from "../../domain/instant.ts";
import type { WorkerEvent } from "../../runs/work/run-event.ts";
import type { Progress } from "../context.ts";
import { type LiveKeys, liveRun, type PlanLine } from "./live-run.ts";
import { plainPaint } from "./paint.ts";
import { runLines } from "./run-lines.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function view(count: (plan: string) => Promise<PlanLine | undefined>, keys?: LiveKeys) {
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
  const live = liveRun(progress, { lineFor: runLines("/repo"), cwd: "/repo", nowMs: Date.now, count, keys });
  const report = (happening: WorkerEvent) =>
    live.report({ worker: 1, at: "2026-11-16T09:00:00.000Z", ...happening });
  return { report, end: () => live.end(), drawn: () => drawn, told };
}

const counted = (plan: string, stepsCompleted: number): PlanLine => ({
  plan,
  stepsTotal: 4,
  stepsCompleted,
  stepsWorking: 1,
  stepsStopped: 0,
  stepsInterrupted: 0,
  stepsBlocked: 0,
  stepsUnreachable: 0,
  runningSince: null,
  remainingMs: null,
  costUsd: null,
});

const BEGIN: WorkerEvent = { event: "plan", plan: "plan.md", total: 4, completed: 0 };

it("counts what others have completed while its own workers are busy", async () => {
  let completed = 0;
  const { report, drawn, end } = view(async (plan) => counted(plan, completed));
  report(BEGIN);
  expect(drawn()[0]).toMatch(/ 0\/4 · 0 s · time left unknown$/);
  completed = 3;
  await vi.advanceTimersByTimeAsync(5000);
  expect(drawn()[0]).toMatch(/ 3\/4 · 1 working$/);
  await end();
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
  expect([looks, stuck.drawn()[0]]).toEqual([1, expect.stringMatching(/ 1\/4 · 20 s · time left unknown$/)]);
  void stuck.end();
  const failing = view(() => Promise.reject(new Error("busy")));
  failing.report({ ...BEGIN, completed: 2 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(failing.drawn()[0]).toMatch(/ 2\/4 · 20 s · time left unknown$/);
  void failing.end();
});

it("breaks what stays on the screen between words, and no command that people copy", () => {
  const { report, told, end } = view(async () => undefined);
  const back = `pawl snapshot restore refs/pawl/snapshots/plan-w1/20261116T110042051Z-672184 --to plan-w1-restored`;
  report({
    event: "note",
    text: `1 uncommitted file of /repo/.pawl/worktrees/plan-w1 put aside; restore with: ${back}`,
  });
  report({ event: "completed", step: "step-1", commit: "0123456789abcdef" });
  void end();
  expect(told).toEqual([
    "[1] 1 uncommitted file of /repo/.pawl/worktrees/plan-w1 put aside; restore with:",
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
  void end();
});

it("keeps the headline of a failed attempt on the screen, and its output below", () => {
  const { report, told, end } = view(async () => undefined);
  report({
    event: "verdict",
    step: "step-1",
    attempt: 2,
    outcome: "failed",
    because: "npm test failed",
    where: undefined,
    failed: { what: "npm test", timedOut: false, exitCode: 1, most: 3, log: "/repo/.git/pawl/logs/2.log" },
  });
  report({ event: "said", step: "step-1", text: "1 test failed" });
  void end();
  expect(told).toEqual([
    "[1] step-1: npm test failed (exit 1), attempt 2 of 3; log .git/pawl/logs/2.log",
    "[1] step-1: | 1 test failed",
  ]);
});

it("keeps on the screen what an agent was refused, why it waits, and who takes over", () => {
  const { report, told, end } = view(async () => undefined);
  const of = { step: "step-1", agent: "claude" };
  report({ event: "refused", ...of, what: "npm test", allowWith: "allow in pawl.toml" });
  report({ event: "retrying", ...of, trouble: "offline", said: "retrying (1 of 10): overloaded" });
  report({ event: "silent", ...of, silentMs: 600_000 });
  report({
    event: "agent-changed",
    step: "step-1",
    from: "claude",
    to: "codex",
    until: undefined,
    because: "usage limit",
  });
  void end();
  // The terminal of this test breaks lines.
  expect(told.join("\n").replaceAll(/\s+/g, " ")).toBe(
    "[1] step-1: claude was refused: npm test. Allow it with allow in pawl.toml " +
      "[1] step-1: claude waits for its model's server: retrying (1 of 10): overloaded " +
      "[1] step-1: claude printed nothing and changed no file for 10 min; it is interrupted " +
      "[1] step-1: claude cannot continue (usage limit); codex takes over",
  );
});

it("puts the totals on a line of their own where a narrow terminal has no room beside the plan", async () => {
  const runningSince = toInstant(Date.now());
  const { report, drawn, end } = view(async (plan) => ({
    ...counted(plan, 2),
    stepsBlocked: 1,
    runningSince,
    remainingMs: 120_000,
    costUsd: 2.1,
  }));
  report({ ...BEGIN, plan: "docs/plans/rework-the-billing-of-recurring-orders-of-all-customers.md" });
  await vi.advanceTimersByTimeAsync(2500);
  expect(drawn()).toEqual([
    "docs/plans/rework-the-billin…-orders-of-all-customers.md [##########----------]",
    "2/4 · 1 working · 1 blocked · 3 s · about 2 min left · $2.10",
  ]);
  await end();
});

it("listens to keys from the first session on, and gives the terminal back", async () => {
  let press: (key: string) => void = () => undefined;
  const done: string[] = [];
  const { report, drawn, told, end } = view(async () => undefined, {
    watch: async (onKey) => {
      press = onKey;
      return () => void done.push("unwatched");
    },
    stop: () => void done.push("stopped"),
    page: () => void done.push("page"),
  });
  report(BEGIN);
  expect(drawn()).toHaveLength(1);
  report({ event: "session", session: "s-1", worktree: "/repo/w1", resumed: false });
  expect(drawn().at(-1)).toBe("s stop · l logs · p page");
  report({
    event: "command",
    step: "step-1",
    command: "implement",
    again: false,
    log: "1.log",
    iteration: 1,
    lines: () => [],
  });
  for (const key of ["l", "p", "s", "x"]) press(key);
  await end();
  expect([told, done]).toEqual([["[1] log 1.log"], ["page", "stopped", "unwatched"]]);
});

it("shortens a long name in its middle where something is said of its step", async () => {
  const { report, told, end } = view(async () => undefined);
  const step = `step-${"x".repeat(50)}-last`;
  report({ event: "blocked", step, reason: "agent_failed", note: "3 attempts failed" });
  await end();
  expect(told[0]).toMatch(/^\[1\] step-x+…x+-last: blocked/);
  expect(told[0]!.length).toBeLessThanOrEqual(80);
});
