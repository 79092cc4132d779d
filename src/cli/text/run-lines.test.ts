import { describe, expect, it } from "vitest";
import type { WorkerEvent } from "../../runs/work/run-event.ts";
import { runLines } from "./run-lines.ts";

const AT = "2026-11-16T09:37:53.170Z";

/** Tells one thing after the other, as seen from `/repo`. */
function told(...happenings: readonly (readonly [worker: number, WorkerEvent])[]): readonly string[] {
  const lineFor = runLines("/repo");
  return happenings.map(([worker, happening]) => lineFor({ worker, at: AT, ...happening }));
}

const session = (worker: number): readonly [number, WorkerEvent] => [
  worker,
  {
    event: "session",
    session: "s-0123456789abcdef",
    worktree: `/repo/.pawl/worktrees/plan-w${worker}`,
    resumed: false,
  },
];

const command: WorkerEvent = {
  event: "command",
  step: "step-1",
  command: "implement",
  again: false,
  log: "/repo/.git/pawl/logs/s-0123/0001-implement.log",
  iteration: 1,
  lines: () => [],
};

const ended = (outcome: "finished" | "failed"): WorkerEvent => ({
  event: "command-ended",
  step: "step-1",
  command: "implement",
  outcome,
  durationMs: 1200,
  files: ["a"],
});

describe("a line of a run", () => {
  it("names a worktree as it is seen from here", () => {
    expect(told(session(1))).toEqual(["session s-01234567 started in .pawl/worktrees/plan-w1"]);
  });

  it("says why an agent waits", () => {
    expect(
      told([
        1,
        {
          event: "retrying",
          step: "step-1",
          agent: "claude",
          trouble: "offline",
          said: "retrying (1 of 10): overloaded",
        },
      ]),
    ).toEqual(["step-1: claude waits for its model's server: retrying (1 of 10): overloaded"]);
  });

  const failed = {
    what: "implement",
    timedOut: false,
    exitCode: 1,
    most: 3,
    log: "/repo/.git/pawl/logs/1.log",
  };
  const verdict = (more: Partial<Extract<WorkerEvent, { event: "verdict" }>>): WorkerEvent => ({
    event: "verdict",
    step: "step-1",
    attempt: 2,
    outcome: "failed",
    because: "the agent failed, exit code 1",
    where: undefined,
    failed,
    ...more,
  });

  it("heads a failed attempt with what failed, how, how often, and where the whole output is", () => {
    expect(told([1, verdict({})])).toEqual([
      "step-1: implement failed (exit 1), attempt 2 of 3; log .git/pawl/logs/1.log",
    ]);
    const check = { ...failed, what: "npm test", exitCode: 7, log: undefined };
    expect(
      told([1, verdict({ failed: check })], [1, verdict({ failed: { ...check, timedOut: true } })]),
    ).toEqual([
      "step-1: npm test failed (exit 7), attempt 2 of 3",
      "step-1: npm test timed out, attempt 2 of 3",
    ]);
  });

  it("gives the reason where Pawl itself found the fault, and no program ended with a code", () => {
    const own = { ...failed, what: "checklist", exitCode: null, log: undefined };
    expect(told([1, verdict({ because: "2 items are open", failed: own })])).toEqual([
      "step-1: attempt 2 of 3 failed: 2 items are open",
    ]);
    expect(told([1, command], [1, verdict({ because: "2 items are open", failed: own })]).at(-1)).toMatch(
      /2 items are open; log \S+\.log$/,
    );
  });

  it("names the log of a failed command once, in the headline of the attempt", () => {
    expect(told([1, command], [1, ended("finished")], [1, ended("failed")]).slice(1)).toEqual([
      "step-1: implement finished after 1 s, 1 file changed",
      "step-1: implement failed after 1 s, 1 file changed",
    ]);
  });

  it("says of a check of a whole tree what its result means, and names no iteration", () => {
    const check = (name: string, outcome: "finished" | "failed"): [number, WorkerEvent][] => [
      [1, { ...command, step: undefined, command: name } as WorkerEvent],
      [1, { ...ended(outcome), step: undefined, command: name } as WorkerEvent],
    ];
    expect(told(...check("counterfactual", "failed"), ...check("full", "finished"))).toEqual([
      "new tests on the old code: running",
      "new tests on the old code: they fail, as they should (1 s)",
      "full check: running",
      "full check: passed (1 s)",
    ]);
  });

  it("names what a worker waits for: a worker of this run, a worktree, another machine, nothing", () => {
    const waiting: WorkerEvent = {
      event: "waiting",
      for: ["step-1", "step-2", "step-3", "step-4"],
      holders: [
        { step: "step-1", worktree: "/repo/.pawl/worktrees/plan-w2", host: null, session: "s-2" },
        { step: "step-2", worktree: "/repo/other", host: null, session: "s-3" },
        { step: "step-3", worktree: "/repo/.pawl/worktrees/plan-w2", host: "attic", session: null },
      ],
    };
    expect(told(session(2), [1, waiting])[1]).toBe(
      "waiting for step-1 (worker 2), step-2 (held by other), step-3 (held by /repo/.pawl/worktrees/plan-w2 on machine attic), step-4",
    );
  });

  it("says how to release a claim that was made by hand: the end of no process would release it", () => {
    const waiting: WorkerEvent = {
      event: "waiting",
      for: ["step-1"],
      holders: [{ step: "step-1", worktree: "/repo", host: null, session: null }],
    };
    const plan: WorkerEvent = { event: "plan", plan: "my plan.md", total: 2, completed: 0 };
    expect(told([1, plan], [1, waiting])[1]).toBe(
      "waiting for step-1 (claimed by hand in this worktree; release it with: pawl state release 'my plan.md' step-1 --worktree .)",
    );
  });
});

it("says the time in a note by the reader's clock", () => {
  const [line] = told([1, { event: "note", text: `step-1: work from ${AT} kept: continued` }]);
  expect(line).toMatch(/^step-1: work from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d kept: continued$/);
});
