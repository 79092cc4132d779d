import { expect, it } from "vitest";
import type { SessionView } from "../../sessions/session-view.ts";
import { displayWidth } from "./layout.ts";
import { plainPaint } from "./paint.ts";
import { sessionLines } from "./show-sessions.ts";

const AT = "2026-11-16T09:00:00.000Z";
const session = {
  id: "s-1f0c2a3b-0000-4000-8000-000000000000",
  status: "interrupted",
  planPath: "plan.md",
  kind: "run",
  startedAt: AT,
  interruptedAt: AT,
  interruptionType: "user_interrupt",
  resumeWith: "pawl resume s-1f0c2a3b",
  stopped: null,
  pausedUntil: null,
  here: true,
  at: { anchor: "step-3", iteration: 1, command: "implement", endedAt: null },
} as SessionView;

it("is broken between its parts in a narrow terminal, and the command that people copy stays whole", () => {
  const lines = (columns: number) => sessionLines(session, plainPaint(columns), Date.parse(AT) + 8000);
  expect(lines(80)).toEqual([
    "s-1f0c2a3b  interrupted  run  plan.md  step-3, implement  started 8s ago",
    "  ⚠ interrupted 8s ago by SIGINT at step-3, implement",
    "    resume with: pawl resume s-1f0c2a3b",
  ]);
  expect(lines(40)).toEqual([
    "s-1f0c2a3b  interrupted",
    "  run  plan.md  step-3, implement",
    "  started 8s ago",
    "  ⚠ interrupted 8s ago by SIGINT at",
    "    step-3, implement",
    "    resume with: pawl resume s-1f0c2a3b",
  ]);
  expect(lines(40).every((line) => displayWidth(line) <= 40)).toBe(true);
});

it("says in whole words that a runner is stopped, over several lines where need be", () => {
  const stopped =
    "stopped (pid 28145): continue it with fg, or take its step over with: pawl state release plan.md step-1";
  const lines = sessionLines({ ...session, status: "in_progress", stopped }, plainPaint(60), Date.parse(AT));
  expect(lines[0]).toContain("stopped");
  expect(lines.join("\n")).not.toContain("running");
  expect(lines.join("\n")).not.toMatch(/\uFFFD/);
  expect(lines.every((line) => !line.includes("\n"))).toBe(true);
});

it("has no marker once another session continued it, or all of its plan is done", () => {
  for (const pausedUntil of [null, AT]) {
    const superseded = { ...session, resumeWith: null, pausedUntil };
    const lines = sessionLines(superseded, plainPaint(80), Date.parse(AT) + 8000);
    expect(lines).toEqual(["s-1f0c2a3b  interrupted  run  plan.md  step-3, implement  started 8s ago"]);
  }
});
