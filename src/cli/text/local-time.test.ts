import { afterEach, expect, it, vi } from "vitest";
import { localTime, localTimes, timeOfDay } from "./local-time.ts";

const AT = "2026-11-16T23:37:03.170Z";

afterEach(() => void vi.restoreAllMocks());

it("shows an instant by the clock of whoever reads it", () => {
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
  expect(localTimes("20261116T233703Z 2026-11-16 T09:00Z")).toBe("20261116T233703Z 2026-11-16 T09:00Z");
});
