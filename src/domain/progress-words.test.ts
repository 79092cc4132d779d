import { expect, it } from "vitest";
import { toInstant } from "./instant.ts";
import { progressWords, roughTime, type ProgressFacts } from "./progress-words.ts";

const FACTS = {
  stepsTotal: 12,
  stepsCompleted: 9,
  stepsWorking: 3,
  stepsStopped: 0,
  stepsInterrupted: 0,
  stepsBlocked: 1,
  stepsUnreachable: 0,
  runningSince: toInstant(0),
  remainingMs: 120_000,
  costUsd: 2.1,
};

const line = (facts: ProgressFacts, nowMs: number): string => progressWords(facts, nowMs).join(" · ");

it("says how far a plan is, who works, what it took and what is left", () => {
  expect(line(FACTS, 360_000)).toBe("9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10");
});

it("counts what was cut off apart from what is blocked", () => {
  expect(
    line({ ...FACTS, stepsWorking: 0, stepsInterrupted: 2, runningSince: null, remainingMs: null }, 0),
  ).toBe("9/12 · 2 interrupted · 1 blocked · $2.10");
});

it("counts no time of work that is stopped", () => {
  expect(line({ ...FACTS, stepsWorking: 0, stepsStopped: 3, remainingMs: null }, 360_000)).toBe(
    "9/12 · 3 stopped · 1 blocked · $2.10",
  );
});

it("leaves out what there is none of", () => {
  const idle = {
    ...FACTS,
    stepsWorking: 0,
    stepsBlocked: 0,
    runningSince: null,
    remainingMs: null,
    costUsd: null,
  };
  expect(line(idle, 0)).toBe("9/12");
});

it("counts what waits for a blocked step, and says where no time can be estimated", () => {
  const early = { ...FACTS, stepsWorking: 1, stepsUnreachable: 1, remainingMs: null, costUsd: null };
  expect(line({ ...early, stepsCompleted: 10, stepsWorking: 0 }, 360_000)).toBe(
    "10/12 · 1 blocked · 1 waits for it · 6 min",
  );
  expect(line({ ...early, stepsCompleted: 1 }, 360_000)).toBe(
    "1/12 · 1 working · 1 blocked · 1 waits for it · 6 min · time left unknown",
  );
  expect(line({ ...early, stepsCompleted: 3, stepsInterrupted: 1, stepsUnreachable: 3 }, 360_000)).toBe(
    "3/12 · 1 working · 1 interrupted · 1 blocked · 3 wait for them · 6 min · time left unknown",
  );
  expect(line({ ...early, stepsCompleted: 10, stepsWorking: 0, stepsBlocked: 0 }, 0)).toBe(
    "10/12 · 1 waits for optional steps · 0 s · time left unknown",
  );
});

it("gives times as people say them", () => {
  expect([0, 40_000, 90_000, 7_500_000, 7_200_000].map(roughTime)).toEqual([
    "0 s",
    "40 s",
    "2 min",
    "2 h 5 min",
    "2 h",
  ]);
});
