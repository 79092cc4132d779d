import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNumbered } from "./compare-numbered.ts";

/** The same order from texts in which all numbers have one length. */
const padded = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(40, "0"));

const names = fc.string({ unit: fc.constantFrom("a", "B", "b", "0", "1", "9", "-", "_", ".") });

describe("the order of numbered names", () => {
  it.each([
    ["task-9", "task-10"],
    ["task-9", "task-9-a"],
    ["task-1", "task-1_2"],
    ["task-01", "TASK-2"],
    ["task-99999999999999999999998", "task-99999999999999999999999"],
    ["", "a"],
  ])("has %j before %j", (first, second) => {
    expect(compareNumbered(first, second)).toBeLessThan(0);
    expect(compareNumbered(second, first)).toBeGreaterThan(0);
  });

  it("is that of names whose numbers are written equally long", () => {
    fc.assert(
      fc.property(names, names, (a, b) => {
        const [keyA, keyB] = [padded(a), padded(b)];
        expect(Math.sign(compareNumbered(a, b))).toBe(keyA === keyB ? 0 : keyA < keyB ? -1 : 1);
      }),
      { numRuns: 2000 },
    );
  });
});
