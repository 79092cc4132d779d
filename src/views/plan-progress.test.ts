import { expect, it } from "vitest";
import { remainingMs } from "./plan-progress.ts";

it("estimates the rest by the median step and the workers", () => {
  expect(remainingMs({ durations: [60_000, 10_000, 20_000], open: 4, workers: 2 })).toBe(40_000);
});

it("estimates nothing from a single step, and nothing where no step is open", () => {
  expect(remainingMs({ durations: [1000], open: 4, workers: 1 })).toBeNull();
  expect(remainingMs({ durations: [1000, 2000], open: 0, workers: 1 })).toBeNull();
});
