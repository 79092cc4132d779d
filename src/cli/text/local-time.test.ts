import { afterEach, expect, it } from "vitest";
import { localTime, localTimes, timeOfDay } from "./local-time.ts";

const zone = process.env["TZ"];

afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

it.each([
  ["UTC", "2026-11-16 23:37:03"],
  ["Asia/Kolkata", "2026-11-17 05:07:03"],
  ["America/New_York", "2026-11-16 18:37:03"],
])("shows an instant by the clock of %s", (TZ, shown) => {
  process.env["TZ"] = TZ;
  expect(localTime("2026-11-16T23:37:03.170Z")).toBe(shown);
  expect(timeOfDay("2026-11-16T23:37:03.170Z")).toBe(shown.slice(11));
});

it("changes instants inside a text, and nothing else", () => {
  process.env["TZ"] = "UTC";
  expect(localTimes("held until 2026-11-16T23:37:03.170Z unless renewed")).toBe(
    "held until 2026-11-16 23:37:03 unless renewed",
  );
  expect(localTimes("20261116T233703Z 2026-11-16 T09:00Z")).toBe("20261116T233703Z 2026-11-16 T09:00Z");
});
