import { expect, it } from "vitest";
import { progressOf, progressWords } from "../../ui/progress.ts";
import type { PlanGlance, Run } from "../../ui/types.ts";

const NOW = Date.parse("2026-11-17T10:06:00.000Z");
const plan = (path: string, more: Partial<PlanGlance> = {}): PlanGlance =>
  ({
    plan_path: path,
    steps_total: 12,
    steps_completed: 9,
    lanes: { ready: 0, waiting: 0, working: 2, verifying: 1, stopped: 1, done: 9 },
    usage: { input_tokens: 1, output_tokens: 1, cost_usd: 2.1 },
    ...more,
  }) as PlanGlance;
const run = (path: string, more: Partial<Run> = {}): Run =>
  ({
    plan_path: path,
    status: "in_progress",
    started_at: "2026-11-17T10:00:00.000Z",
    steps_completed: 6,
    sessions: [],
    ...more,
  }) as Run;

it("says how far the plans are that agents work on, and about how long it takes at the speed so far", () => {
  const facts = progressOf([plan("a.md"), plan("b.md", { steps_completed: 0 })], [run("a.md")], NOW);
  expect(progressWords(facts).join(" · ")).toBe(
    "9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10",
  );
});

it("guesses nothing before the first step is done, and counts every plan while nothing runs", () => {
  expect(
    progressWords(progressOf([plan("a.md")], [run("a.md", { steps_completed: 0 })], NOW)),
  ).not.toContainEqual(expect.stringContaining("left"));
  expect(
    progressWords(progressOf([plan("a.md"), plan("b.md")], [run("a.md", { status: "completed" })], NOW))[0],
  ).toBe("18/24");
});

it("counts workers that a person stopped apart from those that work", () => {
  const sessions = ["stopped (pid 1)", null].map((stopped) => ({ stopped }) as Run["sessions"][number]);
  expect(progressWords(progressOf([plan("a.md")], [run("a.md", { sessions })], NOW)).slice(0, 3)).toEqual([
    "9/12",
    "2 working",
    "1 stopped",
  ]);
  const all = progressOf([plan("a.md")], [run("a.md", { sessions: sessions.slice(0, 1) })], NOW);
  expect(all).toMatchObject({ stopped: 1, elapsedMs: undefined, leftMs: undefined });
});
