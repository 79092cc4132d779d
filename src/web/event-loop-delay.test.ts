import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventLoopDelay } from "./event-loop-delay.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells the longest turns since it was asked, and takes off what others had of the processor", () => {
  let now = 0;
  const times = { busy: 0, waited: 0 };
  const turns = eventLoopDelay(
    () => now,
    () => ({ ...times }),
  );
  const pass = (ms: number, { busy = 0, waited = 0 } = {}) => {
    now += ms;
    times.busy += busy;
    times.waited += waited;
    vi.advanceTimersByTime(10);
  };
  expect(turns.read()).toEqual({ busiestMs: 0, longestMs: 0 });
  pass(10, { busy: 2 });
  pass(70, { busy: 12, waited: 55 });
  pass(30, { busy: 8 });
  expect(turns.read()).toEqual({ busiestMs: 12, longestMs: 30 });
  expect(turns.read()).toEqual({ busiestMs: 0, longestMs: 0 });
  expect(vi.getTimerCount()).toBe(1);
  pass(61_000);
  expect(vi.getTimerCount()).toBe(0);
});

it("sees a turn that was kept by working, and one that was kept by waiting", async () => {
  vi.useRealTimers();
  const turns = eventLoopDelay();
  turns.read();
  await new Promise((go) => setTimeout(go, 20));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);
  expect(turns.read().longestMs).toBeGreaterThanOrEqual(75);
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 80_000);
  expect(turns.read().busiestMs).toBeGreaterThanOrEqual(40);
});
