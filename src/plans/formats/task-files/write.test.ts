import { expect, it } from "vitest";
import { NOW, progressOf } from "../../../../test/support/progress.ts";
import { readTaskFiles } from "../task-files.ts";
import { foldFolder } from "../plan-folder.ts";
import type { StepState } from "../plan-format.ts";
import { writeTaskFiles } from "./write.ts";

const TASK = { id: "task-1", title: "One", status: "Finished", verification_attempts: 2 };

/** The task's file after the store has it in this state. */
function written(task: object, state: Partial<StepState>): Record<string, unknown> {
  const text = `${JSON.stringify(task, null, 2)}\n`;
  const folder = foldFolder({ files: [{ name: "task-1.json", text }], archived: [] });
  const progress = progressOf(readTaskFiles(folder), { "task-1": state });
  const { edits } = writeTaskFiles({ text: folder, companions: undefined }, progress);
  return JSON.parse(edits[0]?.after ?? text) as Record<string, unknown>;
}

const VERDICTS = [{ outcome: "failed" as const, because: "a test failed", at: NOW }];

it("tells the file of a finished task nothing that others wrote before Pawl", () => {
  expect(written(TASK, { status: "completed", verificationAttempts: 0, verdicts: VERDICTS })).toEqual(TASK);
});

it("tells it where Pawl completed the task itself", () => {
  const state = { status: "completed" as const, completedAt: NOW, verificationAttempts: 1 };
  expect(written(TASK, { ...state, verdicts: VERDICTS })).toMatchObject({
    status: "Finished",
    verification_attempts: 1,
    verification_history: [{ attempt: 1, result: "fail", summary: "a test failed" }],
  });
});

it("tells it where a person reopened the task", () => {
  const state = { status: "pending" as const, isReopened: true, verificationAttempts: 0 };
  expect(written(TASK, { ...state, verdicts: VERDICTS })).toMatchObject({
    status: "Pending",
    verification_attempts: 0,
    verification_history: [{ result: "fail" }],
  });
});

it("keeps a file's finished where the step is open and was not reopened", () => {
  const state = { status: "pending" as const, verificationAttempts: 0 };
  expect(written(TASK, { ...state, verdicts: VERDICTS })).toEqual(TASK);
});

it("takes the day of completion back with the completion, and says again that a task is broken down", () => {
  const state = { status: "pending" as const, isReopened: true, verificationAttempts: 0 };
  const task = { ...TASK, completion_date: "2026-11-01", subtasks: [{ id: "1.1", title: "Part" }] };
  expect(written(task, state)).toMatchObject({ status: "Broken Down", completion_date: null });
  expect(written({ ...TASK, completion_date: "2026-11-01" }, state)).toMatchObject({
    status: "Pending",
    completion_date: null,
  });
});

it("gives a verdict the number that the run gave it", () => {
  const state = { status: "completed" as const, completedAt: NOW, verificationAttempts: 2 };
  const verdicts = [{ attempt: 2, outcome: "passed" as const, because: "all good", at: NOW }];
  expect(written(TASK, { ...state, verdicts })).toMatchObject({
    verification_history: [{ attempt: 2, result: "pass" }],
  });
});

it("removes a note that begins with a tag together with the tag", () => {
  const task = {
    id: "task-1",
    title: "One",
    status: "Blocked",
    notes: ["[AGENT TIMEOUT] after 30 min", "mine"],
  };
  expect(written(task, { status: "pending", verificationAttempts: 0 })).toMatchObject({ notes: ["mine"] });
});
