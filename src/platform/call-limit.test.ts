import { expect, it } from "vitest";
import { callLimit } from "./call-limit.ts";

it("lets a burst pass, then as many as come in, and says how long to wait", () => {
  let nowMs = 0;
  const wait = callLimit({ atOnce: 40, perSecond: 10 }, () => nowMs);
  const passed = () => Array.from({ length: 100 }, wait).filter((ms) => ms === 0).length;
  expect(passed()).toBe(40);
  expect(wait()).toBe(100);
  nowMs += 99;
  expect(wait()).toBeGreaterThan(0);
  nowMs += 1;
  expect(wait()).toBe(0);
  nowMs += 3_600_000;
  expect(passed()).toBe(40);
});
