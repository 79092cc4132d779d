import { afterEach, describe, expect, it, vi } from "vitest";
import { ago, localTime, localTimes, relativeTime, timeOfDay } from "./times.ts";

const AT = "2026-11-16T23:37:03.170Z";

afterEach(() => void vi.restoreAllMocks());

it("shows an instant by the reader's clock", () => {
  // As in Kolkata, wherever this runs.
  for (const [part, there] of [
    ["getDate", 17],
    ["getHours", 5],
    ["getMinutes", 7],
  ] as const)
    vi.spyOn(Date.prototype, part).mockReturnValue(there);
  expect(localTime(AT)).toBe("2026-11-17 05:07:03");
  expect(timeOfDay(AT)).toBe("05:07:03");
});

it("changes instants inside a text, and nothing else", () => {
  expect(localTimes(`held until ${AT} unless renewed`)).toBe(`held until ${localTime(AT)} unless renewed`);
  const none = "20261116T233703Z 2026-11-16 T09:00Z 2026-13-32T99:00:00Z";
  expect(localTimes(none)).toBe(none);
});

it("has nothing in the future that is over, whatever the clocks say", () => {
  const now = Date.parse(AT);
  expect(ago("2026-11-16T21:37:03.170Z", now)).toBe("2h ago");
  expect(ago("2026-11-16T23:40:00.000Z", now)).toBe("just now");
});

describe("relativeTime", () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  it.each([
    [0, "just now"],
    [999, "just now"],
    [-999, "just now"],
    [1000, "in 1s"],
    [-59_999, "59s ago"],
    [MINUTE, "in 1m"],
    [-12 * MINUTE, "12m ago"],
    [HOUR, "in 1h"],
    [HOUR + 58 * MINUTE + 59_000, "in 1h 58m"],
    [-DAY, "1d ago"],
    [-(2 * DAY + 3 * HOUR + 5), "2d 3h ago"],
    [400 * DAY, "in 400d"],
    [Number.NaN, "at an unknown time"],
    [Infinity, "at an unknown time"],
  ])("%d ms is %s", (ms, words) => {
    expect(relativeTime(ms)).toBe(words);
  });
});
