import { expect, it } from "vitest";
import type { RecoverAnswer } from "../../recovery/recover.ts";
import type { FindingView } from "../../recovery/subject.ts";
import { plainPaint } from "./paint.ts";
import { recoveryText } from "./show-recovery.ts";

it("says where to look at a step that is with a person already", () => {
  const finding: RecoverAnswer["findings"][number] = {
    rule: "verification-escalated",
    kind: "step",
    subject: "my plan.md#step-1",
    planPath: "my plan.md",
    anchor: "step-1",
    runId: null,
    found: "step-1 awaits a person's review.",
    ofRun: null,
    automatic: null,
    choices: [],
    said: [],
    refused: [],
    steps: ["step-1"],
    weight: "decide",
    actions: ["retry"],
  };
  const answer: RecoverAnswer = { dryRun: false, findings: [finding], repaired: [], open: [finding] };
  expect(recoveryText(answer, plainPaint(80), 0).split("\n")).toEqual([
    "decide step-1 awaits a person's review.",
    "       pawl explain 'my plan.md' step-1",
    "1 finding, 1 decision left.",
  ]);
});

it("shows what the failed check printed, with its log, rather than the agent's last words", () => {
  const finding: FindingView = {
    ...worker(1),
    planPath: "plan.md",
    anchor: "step-1",
    choices: [],
    said: ["done"],
  };
  const failure = {
    checked: "npm test",
    together: false,
    lines: ["1 test failed"],
    attempt: 3,
    exitCode: 1,
    log: "/logs/0006-verify.log",
  };
  const stopped = {
    planPath: "plan.md",
    anchor: "step-1",
    title: "t",
    status: "blocked",
    reason: null,
    note: null,
  };
  const answer: RecoverAnswer = { dryRun: false, findings: [finding], repaired: [], open: [finding] };
  const lines = recoveryText(answer, plainPaint(100), 0, [
    { ...stopped, said: [], refused: [], failure },
  ]).split("\n");
  expect(lines.slice(1, -1)).toEqual([
    "       | 1 test failed",
    "       log /logs/0006-verify.log",
    "       pawl explain plan.md step-1",
  ]);
});

const worker = (number: number, part: Partial<FindingView> = {}): FindingView => ({
  rule: "interrupted-session",
  kind: "session",
  subject: `s-0000000${number}-aaaa`,
  planPath: "plan.md",
  anchor: null,
  runId: "r-12345678-aaaa",
  found: `Session s-0000000${number} was interrupted at step-${number}, implement (process_kill).`,
  ofRun: "was interrupted (process_kill).",
  automatic: null,
  choices: [{ key: "R", repair: "resume", because: "it can continue where it stopped" }],
  steps: [`step-${number}`],
  weight: "decide",
  actions: [],
  said: [],
  refused: [],
  ...part,
});

it("shows one killed run with three workers as one matter with one answer", () => {
  const open = [worker(1), worker(2), worker(3)];
  const answer: RecoverAnswer = { dryRun: false, findings: open, repaired: [], open };
  expect(recoveryText(answer, plainPaint(80), 0).split("\n")).toEqual([
    "decide Run r-12345678 of plan.md with 3 workers at step-1, step-2, step-3 was",
    "       interrupted (by a kill or crash).",
    "       One answer for all 3 workers of this run.",
    "       [R] Resume (continue where it stopped)",
    "           --answer interrupted-session:r-12345678=R",
    "1 finding, 1 decision left.",
  ]);
});

it("does not say that nothing is left where a repair failed", () => {
  const { rule, subject } = worker(1, {});
  const repaired = [
    { rule, subject, repair: "break-down", because: "too much", outcome: "no agent", done: false } as const,
  ];
  const answer: RecoverAnswer = { dryRun: false, findings: [worker(1, {})], repaired, open: [] };
  expect(recoveryText(answer, plainPaint(100), 0).split("\n").at(-1)).toBe("1 finding, 1 repair failed.");
});

it("says once what was done about all workers of a run", () => {
  const part = {
    choices: [],
    automatic: { repair: "mark-interrupted", because: "its process is gone" },
    ofRun: "was cut off: its process is gone.",
    weight: "proven",
  } as const;
  const findings = [worker(1, part), worker(2, part)];
  const repaired = findings.map(({ rule, subject }) => ({
    rule,
    subject,
    repair: "mark-interrupted",
    because: "its process is gone",
    outcome: "recorded",
    done: true,
  }));
  const answer: RecoverAnswer = { dryRun: false, findings, repaired, open: [] };
  expect(recoveryText(answer, plainPaint(100), 0).split("\n")).toEqual([
    "done   Run r-12345678 of plan.md with 2 workers at step-1, step-2 was cut off: its process is gone.",
    "       Recorded",
    "1 finding, nothing left to decide.",
  ]);
});
