import { expect, it } from "vitest";
import type { SessionView } from "../../sessions/session-view.ts";
import { groupRuns } from "../../views/runs.ts";
import { plainPaint } from "./paint.ts";
import { runLinesOf } from "./show-runs.ts";

const AT = "2026-11-16T09:00:00.000Z";

const worker = (number: number): SessionView =>
  ({
    id: `s-0000000${number}-0000-4000-8000-000000000000`,
    runId: "r-1f0c2a3b-0000-4000-8000-000000000000",
    status: "interrupted",
    planPath: "plan.md",
    kind: "run",
    worktree: `/repo/.pawl/worktrees/plan-w${number}`,
    startedAt: AT,
    endedAt: null,
    interruptedAt: AT,
    interruptionType: "process_kill",
    resumable: true,
    resumeWith: `pawl resume s-0000000${number}`,
    stopped: null,
    pausedUntil: null,
    here: true,
    usage: null,
    at: { anchor: `step-${number}`, iteration: 1, command: "implement", endedAt: null },
  }) as unknown as SessionView;

it("is one row with one resume command, and its workers below it", () => {
  const [run, ...others] = groupRuns([worker(3), worker(2), worker(1)]);
  expect(others).toEqual([]);
  expect(runLinesOf(run!, plainPaint(100), Date.parse(AT) + 8000)).toEqual([
    "r-1f0c2a3b  interrupted  run  plan.md  3 workers  started 8s ago",
    "  ⚠ interrupted 8s ago by a kill or crash; resume with: pawl resume s-00000001",
    "    s-00000001  plan-w1  step-1, implement",
    "    s-00000002  plan-w2  step-2, implement",
    "    s-00000003  plan-w3  step-3, implement",
  ]);
});
