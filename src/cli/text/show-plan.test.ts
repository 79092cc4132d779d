import { expect, it } from "vitest";
import { toInstant } from "../../domain/instant.ts";
import type { PlanView, StepView } from "../../steps/plan-view.ts";
import { displayWidth } from "./layout.ts";
import { plainPaint } from "./paint.ts";
import { showPlan } from "./show-plan.ts";

const AT = "2026-11-16T09:00:00.000Z";

const STEP: StepView = {
  anchor: "step-1",
  title: "Read the header",
  stepIndex: 0,
  parentAnchor: null,
  status: "pending",
  claimedBy: null,
  otherHost: null,
  claim: 0,
  sessionId: null,
  claimedAt: null,
  leaseExpiresAt: null,
  leaseExpired: false,
  ownerGone: false,
  stopped: null,
  startedAt: null,
  completedAt: null,
  commitHash: null,
  completeReason: null,
  reopenReason: null,
  blockReason: null,
  blockNote: null,
  dependsOn: [],
  blockedBy: [],
  checklist: {
    tasksTotal: 0,
    tasksCompleted: 0,
    testsTotal: 0,
    testsCompleted: 0,
    checkpointsTotal: 0,
    checkpointsCompleted: 0,
    deferred: 0,
  },
  items: [],
  substeps: [],
  artifacts: [],
  lateResults: [],
  verification: null,
  usage: null,
};

const PLAN: PlanView = {
  planPath: "plan.md",
  planHash: "0",
  format: "tugplan",
  phaseTitle: null,
  status: "active",
  createdAt: AT,
  updatedAt: AT,
  usage: null,
  totals: {
    steps: 1,
    stepsCompleted: 0,
    substeps: 0,
    substepsCompleted: 0,
    items: 0,
    itemsCompleted: 0,
    itemsDeferred: 0,
  },
  steps: [STEP],
};

function notesOf(step: Partial<StepView>): readonly string[] {
  const plan = { ...PLAN, steps: [{ ...STEP, ...step }] };
  const lines = showPlan(plan, "/repo", plainPaint(80)).split("\n");
  return lines.slice(lines.findIndex((line) => line.includes("step-1")) + 1, -2);
}

it("says to the end who holds a step and for how long", () => {
  const notes = notesOf({
    status: "awaiting_verification",
    claimedBy: "/repo/.pawl/worktrees/plan-w2",
    claim: 1,
    sessionId: "s-ede17cc5-88ac-4a48-8579-a1bc9e191a96",
    leaseExpiresAt: toInstant(Date.now() + 2 * 3_600_000),
  });
  expect(notes).toEqual([
    "    awaiting verification by .pawl/worktrees/plan-w2 (s-ede17cc5), claim 1,",
    "    lease ends in 2h",
  ]);
});

it("says of a session that is gone that its step is free, not when its lease ends", () => {
  const notes = notesOf({
    status: "in_progress",
    claimedBy: "/repo/.pawl/worktrees/plan-w2",
    claim: 1,
    sessionId: "s-ede17cc5-88ac-4a48-8579-a1bc9e191a96",
    leaseExpiresAt: toInstant(Date.now() + 2 * 3_600_000),
    ownerGone: true,
  });
  expect(notes.map((note) => note.trim()).join(" ")).toBe(
    "in progress by .pawl/worktrees/plan-w2 (s-ede17cc5), claim 1; that session is gone, and the next claim may take it",
  );
});

it("gives a long reason three lines, and says that there is more", () => {
  const notes = notesOf({ status: "blocked", blockReason: "partial", blockNote: "word ".repeat(200) });
  expect(notes).toHaveLength(3);
  expect(notes.at(-1)).toMatch(/…$/);
  for (const note of notes) expect(displayWidth(note)).toBeLessThanOrEqual(80);
});

it("says in words why a step is blocked", () => {
  expect(notesOf({ status: "blocked", blockReason: "verification_escalated", blockNote: "3 times" })).toEqual(
    ["    blocked (attempts used up): 3 times"],
  );
  expect(notesOf({ status: "blocked", blockReason: "partial" })).toEqual(["    blocked (partial)"]);
});

it("draws no bar that the terminal would break in two", () => {
  const step = { ...STEP, checklist: { ...STEP.checklist, tasksTotal: 2, tasksCompleted: 1 } };
  const lines = (columns: number) =>
    showPlan({ ...PLAN, steps: [step] }, "/", plainPaint(columns)).split("\n");
  expect(lines(80)).toContain("    Tasks:           1/2   50%  [##########----------]");
  expect(lines(40)).toContain("    Tasks:           1/2   50%");
});
