import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { turnWatch } from "./turn-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells the longest turn since it was asked, and takes off what others had of the processor", () => {
  let now = 0;
  let waited = 0;
  const turns = turnWatch(
    () => now,
    () => waited,
  );
  const pass = (ms: number, ofOthers = 0) => {
    now += ms;
    waited += ofOthers;
    vi.advanceTimersByTime(10);
  };
  expect(turns.read()).toEqual({ longestMs: 0, longestByClockMs: 0 });
  pass(10);
  pass(70, 55);
  pass(30);
  expect(turns.read()).toEqual({ longestMs: 30, longestByClockMs: 70 });
  expect(turns.read()).toEqual({ longestMs: 0, longestByClockMs: 0 });
  expect(vi.getTimerCount()).toBe(1);
  pass(61_000);
  expect(vi.getTimerCount()).toBe(0);
});

it("sees a turn that was kept by waiting as well as by working", async () => {
  vi.useRealTimers();
  const turns = turnWatch();
  turns.read();
  await new Promise((go) => setTimeout(go, 20));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);
  expect(turns.read().longestMs).toBeGreaterThanOrEqual(75);
});
