import { expect, it } from "vitest";
import type { RunView } from "../views/runs.ts";
import { alreadyRunning, nextWork } from "./resume-or-start.ts";

const run = (runId: string, part: Partial<RunView>): RunView =>
  ({
    runId,
    kind: "run",
    here: true,
    planPath: "plan.md",
    status: "completed",
    resumable: false,
    sessions: [],
    ...part,
  }) as RunView;

const cutOff = run("r-2", {
  status: "interrupted",
  resumable: true,
  sessions: [
    { id: "s-1", resumable: false },
    { id: "s-2", resumable: true },
  ] as unknown as RunView["sessions"],
});

it("resumes the newest run that was interrupted, by a worker that can be resumed", () => {
  expect(nextWork([run("r-3", {}), cutOff, run("r-1", {})])).toEqual({ kind: "resume", session: "s-2" });
});

it("starts where nothing was interrupted, and where that was in another clone", () => {
  expect(nextWork([run("r-1", {})])).toEqual({ kind: "start" });
  expect(nextWork([{ ...cutOff, here: false }])).toEqual({ kind: "start" });
  expect(nextWork([])).toEqual({ kind: "start" });
});

it("leaves a run alone that is at work, and says so with its own exit code", () => {
  const working = run("r-4", { status: "in_progress" });
  expect(nextWork([working, cutOff])).toEqual({ kind: "running", run: working });
  expect(alreadyRunning(working).exitCode).toBe(6);
});
