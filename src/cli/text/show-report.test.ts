import { expect, it } from "vitest";
import type { ReportAnswer } from "../../views/index.ts";
import { plainPaint } from "./paint.ts";
import { markdownReport, terminalReport } from "./show-report.ts";
import { localTime } from "./times.ts";

const SINCE = "2026-11-15T11:00:00.000Z";
const NOTHING = { stepsDone: 0, stepsBlocked: 0, retries: 0, agentMs: 0, usage: null, done: [], blocked: [] };

const ANSWER: ReportAnswer = {
  since: SINCE,
  until: "2026-11-15T12:00:00.000Z",
  stepsDone: 1,
  stepsBlocked: 1,
  retries: 2,
  agentMs: 20 * 60_000,
  usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.5, unpricedTokens: 0 },
  plans: [
    {
      planPath: "plan.md",
      stepsTotal: 3,
      stepsCompleted: 1,
      stepsDone: 1,
      stepsBlocked: 1,
      retries: 2,
      agentMs: 20 * 60_000,
      usage: null,
      done: [
        {
          anchor: "step-1",
          title: "Sum *all*",
          commit: "3f9c2a1d0b4eaaaa",
          completedAt: SINCE,
          durationMs: 90_000,
        },
      ],
      blocked: [
        {
          planPath: "plan.md",
          anchor: "step-2",
          title: "Print",
          status: "blocked",
          reason: "verification_exhausted",
          note: "3 attempts failed",
          said: [],
          refused: [],
          failure: {
            checked: "npm test",
            together: false,
            lines: ["```", "1 of 3 failed"],
            attempt: 3,
            exitCode: 1,
            log: "/l/1.log",
          },
          command: "pawl explain plan.md step-2",
        },
      ],
    },
    { ...NOTHING, planPath: "old.md", stepsTotal: 2, stepsCompleted: 2 },
  ],
  decisions: [{ found: "Session s-1 was interrupted.", command: "pawl recover" }],
  undiagnosed: null,
  disk: { worktrees: 1, worktreeBytes: 2048, logBytes: 10, freeableBytes: 0 },
};

it("is one screen for a terminal: sums, each plan with its evidence, what needs a person, disk", () => {
  expect(terminalReport(ANSWER, plainPaint(120))).toEqual([
    `Since ${localTime(SINCE)}: 1 step done, 1 blocked, 2 retries, 20 min of agent time, $0.50`,
    "",
    "plan.md  1/3 steps; 1 step done, 1 blocked, 2 retries, 20 min of agent time",
    "  done     step-1 Sum *all* 3f9c2a1d0b4e, 2 min",
    "  blocked  step-2 verification exhausted: 3 attempts failed",
    "           | ```",
    "           | 1 of 3 failed",
    "           attempt 3, log /l/1.log",
    "           pawl explain plan.md step-2",
    "",
    "Needs a person",
    "  Session s-1 was interrupted.",
    "           pawl recover",
    "",
    "No change in old.md: 2/2 steps.",
    "Disk: 1 worktree 2.0 KiB, logs 10 B",
  ]);
});

it("is Markdown that output and titles cannot break", () => {
  expect(markdownReport(ANSWER, plainPaint(80))).toBe(
    `# Pawl report

Since ${localTime(SINCE)}: 1 step done, 1 blocked, 2 retries, 20 min of agent time, $0.50.

## plan.md: 1/3 steps

1 step done, 1 blocked, 2 retries, 20 min of agent time.

- [x] **step-1** Sum \\*all\\* (3f9c2a1d0b4e, 2 min)
- [ ] **step-2** Print: verification exhausted: 3 attempts failed

  \`\`\`\`text
  \`\`\`
  1 of 3 failed
  \`\`\`\`

  attempt 3, log /l/1.log.
  Next: \`pawl explain plan.md step-2\`

## Needs a person

- Session s-1 was interrupted. Next: \`pawl recover\`

No change in old.md: 2/2 steps.

Disk: 1 worktree 2.0 KiB, logs 10 B.`,
  );
});
