import { expect, it } from "vitest";
import { progressNow } from "../../ui/progress.ts";
import type { PlanProgress } from "../../ui/types.ts";

const NOW = Date.parse("2026-11-17T10:06:00.000Z");
const plan = (more: Partial<PlanProgress> = {}): PlanProgress => ({
  plan_path: "a.md",
  steps_total: 12,
  steps_completed: 9,
  steps_working: 3,
  steps_stopped: 0,
  steps_interrupted: 0,
  steps_blocked: 1,
  steps_unreachable: 0,
  running_since: "2026-11-17T10:00:00.000Z",
  remaining_ms: 120_000,
  cost_usd: 2.1,
  ...more,
});
const RESTING = { steps_working: 0, running_since: null, remaining_ms: null, cost_usd: null };
const line = (...plans: readonly PlanProgress[]): string => progressNow(plans, NOW).join(" · ");

it("says how far the plans are that agents work on, and leaves out the others", () => {
  expect(line(plan(), plan({ ...RESTING, steps_completed: 0 }))).toBe(
    "9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10",
  );
});

it("counts several that run as one: since the first began, until the last ends", () => {
  const later = { running_since: "2026-11-17T10:05:00.000Z", remaining_ms: 600_000, cost_usd: null };
  expect(line(plan(later), plan())).toBe("18/24 · 6 working · 2 blocked · 6 min · about 10 min left · $2.10");
});

it("counts every plan while nothing runs, and what was cut off apart from what is blocked", () => {
  expect(line(plan(RESTING), plan({ ...RESTING, steps_interrupted: 2, steps_blocked: 0 }))).toBe(
    "18/24 · 2 interrupted · 1 blocked",
  );
});

it("knows no time that is left where one of the plans that run has no estimate", () => {
  const early = { steps_completed: 1, remaining_ms: null };
  expect(line(plan(), plan(early))).toBe("10/24 · 6 working · 2 blocked · 6 min · time left unknown · $4.20");
  // All that is left of it waits for a person.
  expect(line(plan(), plan({ ...early, steps_working: 0, steps_unreachable: 10 }))).toBe(
    "10/24 · 3 working · 2 blocked · 10 wait for them · 6 min · about 2 min left · $4.20",
  );
});
