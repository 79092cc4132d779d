import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gather } from "../../ui/gather.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("asks in the moment of the first news, and once for all that follows it", async () => {
  let calls = 0;
  const { soon, stop } = gather(async () => {
    calls += 1;
    return undefined;
  });
  soon();
  soon();
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toBe(1);
  for (let ms = 0; ms < 100; ms += 10) {
    soon();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(calls).toBe(1);
  await vi.advanceTimersByTimeAsync(30);
  expect(calls).toBe(2);
  stop();
  soon();
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toBe(2);
});

it("never asks twice at once, and asks again for what came while it asked", async () => {
  let calls = 0;
  let answer: (again?: number) => void = () => undefined;
  const { soon } = gather(() => {
    calls += 1;
    return new Promise<number | undefined>((done) => (answer = done));
  });
  soon();
  await vi.advanceTimersByTimeAsync(1);
  soon();
  await vi.advanceTimersByTimeAsync(5000);
  expect(calls).toBe(1);
  answer();
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toBe(2);
  // A reader that was asked to come back later does, without any news.
  answer(1000);
  await vi.advanceTimersByTimeAsync(900);
  expect(calls).toBe(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toBe(3);
  answer();
  await vi.advanceTimersByTimeAsync(5000);
  expect(calls).toBe(3);
});
