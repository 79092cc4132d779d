import { expect, it } from "vitest";
import type { RunAnswer } from "../runs/finish/run-answer.ts";
import { runOutcome } from "./run-outcome.ts";
import { displayWidth } from "./text/layout.ts";
import { plainPaint } from "./text/paint.ts";

const ANSWER: RunAnswer = {
  planPath: "plan.md",
  runId: "r-1",
  sessions: [],
  branch: "pawl/plan",
  ended: "stuck",
  signal: null,
  completed: [],
  blocked: [],
  waiting: [],
  pausedUntil: null,
  because: null,
  resumeWith: null,
  toMerge: false,
  notVerified: null,
  usage: null,
  durationMs: 1000,
  warnings: [],
};

const linesOf = (part: Partial<RunAnswer>): readonly string[] =>
  runOutcome({ ...ANSWER, ...part })
    .text(plainPaint(80))
    .split("\n");

it("cuts a long title, not the commit and the time behind it", () => {
  const title = "Make the part of the machine that has a title which no one can read in one breath";
  const lines = linesOf({
    completed: [{ anchor: "step-12", title, commit: "0123456789abcdef", durationMs: 1400 }],
  });
  const done = lines.find((line) => line.includes("step-12")) ?? "";
  expect(displayWidth(done)).toBe(80);
  expect(done).toMatch(/^ {2}done {5}step-12 Make the part .*… 0123456789ab 1\.4 s$/);
});

const WAITING = {
  anchor: "step-13",
  title: "The last one",
  reason: "dependencies",
  blockedBy: [],
  heldBy: null,
  otherHost: null,
  session: null,
  stopped: null,
  until: null,
  note: null,
} as const;

it("says why a step waits that an earlier run has left to a person", () => {
  const [, line] = linesOf({ waiting: [{ ...WAITING, reason: "on_hold", note: "Ada is away" }] });
  expect(line).toBe("  waits    step-13 on hold: Ada is away");
});

it("starts what a step waits for below each other", () => {
  const blockedBy = Array.from({ length: 12 }, (_, index) => `step-${index + 1}`);
  const lines = linesOf({
    waiting: [{ ...WAITING, blockedBy }],
  });
  expect(lines.slice(1, 3)).toEqual([
    "  waits    step-13 for step-1, step-2, step-3, step-4, step-5, step-6, step-7,",
    "                   step-8, step-9, step-10, step-11, step-12",
  ]);
});

it("shortens a long anchor in its middle, and leaves room for what is said about it", () => {
  const anchor = "rework-the-billing-of-recurring-orders-for-all-customers-a1";
  const lines = linesOf({
    blocked: [
      { anchor, title: "t", reason: "agent_failed", note: "3 attempts failed; the last: it never ended" },
    ],
  });
  expect(lines.slice(1, 3)).toEqual([
    "  blocked  rework-the-b…ustomers-a1 3 attempts failed; the last: it never ended",
    "  branch   pawl/plan, after 1.0 s",
  ]);
  expect(lines.at(-1)).toBe(`next: pawl explain plan.md ${anchor}`);
});

it("shows what a failed check printed rather than the agent's last words", () => {
  const lines = linesOf({
    blocked: [
      {
        anchor: "a",
        title: "t",
        reason: "verification_escalated",
        note: "n",
        said: ["I am done"],
        output: ["1 test failed"],
        log: "/logs/0002-verify.log",
      },
    ],
  });
  expect(lines.slice(2, 4)).toEqual(["           | 1 test failed", "           log /logs/0002-verify.log"]);
});

it.each([
  ["edited", 5],
  ["blocked", 5],
  ["on_hold", 5],
  ["held", 6],
] as const)("says by its exit code whether a person must decide: a step that is %s", (reason, code) => {
  expect(runOutcome({ ...ANSWER, waiting: [{ ...WAITING, reason }] }).exitCode).toBe(code);
});
