import fc from "fast-check";
import { expect, it } from "vitest";
import { fromInstant, toInstant } from "./instant.ts";

const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

it("says every moment of the calendar as the standard does, and reads it back", () => {
  fc.assert(
    fc.property(fc.integer({ min: EARLIEST, max: LATEST }), (ms) => {
      expect(toInstant(ms)).toBe(new Date(ms).toISOString());
      expect(fromInstant(toInstant(ms))).toBe(ms);
    }),
  );
});

it("keeps to years of four digits, so that text sorts as time does", () => {
  for (const ms of [EARLIEST - 1, -Infinity]) expect(toInstant(ms)).toBe("0000-01-01T00:00:00.000Z");
  for (const ms of [LATEST + 1, Infinity]) expect(toInstant(ms)).toBe("9999-12-31T23:59:59.999Z");
});
