import { describe, expect, it } from "vitest";
import { NOW, progressOf } from "../../../../test/support/progress.ts";
import { expectBytes, formatCalled } from "../../../../test/support/write-back.ts";
import type { StepState } from "../plan-format.ts";
import { writePlan } from "../write-plan.ts";

const task = (status: string, ...boxes: readonly string[]): string =>
  `---\nid: task-1\ntitle: Länge\nstatus: ${status}\n---\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n${boxes
    .map((box, index) => `- [${box}] #${index + 1} it fits ${index + 1}\n`)
    .join("")}<!-- AC:END -->\n`;

const items = (...statuses: readonly StepState["items"][number]["status"][]): StepState["items"] =>
  statuses.map((status, ordinal) => ({ kind: "checkpoint", ordinal, status }));

const ALL = items("completed", "completed", "completed", "completed");
const NONE = items("open", "open", "open", "open");

describe("the boxes of a task file", () => {
  it("are ticked with their step where they were open, and stay where they were dropped or deferred", () =>
    expectBytes("backlog-task", task("⟦To Do→Done⟧", "⟦ →x⟧", "-", "~", "x"), {
      "task-1": { status: "completed", completedAt: NOW, items: ALL },
    }));

  it("are not ticked where the store does not have their item as completed", () =>
    expectBytes("backlog-task", task("⟦To Do→Done⟧", " ", "⟦ →x⟧", "-", "x"), {
      "task-1": { status: "completed", completedAt: NOW, items: items("deferred", "completed") },
    }));

  it("are opened with a step that was reopened, unless its item stays completed", () =>
    expectBytes("backlog-task", task("⟦Done→To Do⟧", "⟦x→ ⟧", "-", "~", "x"), {
      "task-1": {
        status: "pending",
        isReopened: true,
        items: items("open", "open", "open", "completed"),
      },
    }));

  it("stay ticked where the step is open and was never completed", () =>
    expectBytes("backlog-task", task("⟦To Do→In Progress⟧", "x", "-", "~", " "), {
      "task-1": { status: "in_progress", items: NONE },
    }));

  it("stay open where the file itself said that the step is done", () => {
    const format = formatCalled("backlog-task");
    const text = task("Done", " ", " ");
    const progress = progressOf(format.read(text), { "task-1": { status: "completed", items: ALL } });
    expect(writePlan(format, { text, companions: undefined }, progress).edits).toEqual([]);
  });
});
