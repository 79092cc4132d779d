import { describe, expect, it } from "vitest";
import { parentsOf } from "./family.ts";

/** Numbers in file order; each with the number of its parent, if it has one. */
const familyOf = (...numbers: readonly (string | undefined)[]): readonly (string | undefined)[] => {
  const steps = numbers.map((number) => ({
    number: number?.replace(" Summary", ""),
    summary: number?.endsWith(" Summary") ?? false,
  }));
  return parentsOf(steps).map((parent) => (parent === undefined ? undefined : numbers[parent]));
};

describe("a substep", () => {
  it("is a step whose number extends that of another", () => {
    expect(familyOf("4", "4.1", "4.2", "5")).toEqual([undefined, "4", "4", undefined]);
  });

  it("belongs to a top-level step, however deep its number", () => {
    expect(familyOf("4", "4.1", "4.1.2", "4.1.2.3")).toEqual([undefined, "4", "4", "4"]);
  });

  it("is a top-level step where there is no step to belong to", () => {
    expect(familyOf("4.1", "4.1.2", "4.2")).toEqual([undefined, "4.1", undefined]);
  });

  it("may stand before its step in the file", () => {
    expect(familyOf("4.1.1", "4.1", "4")).toEqual(["4", "4", undefined]);
  });

  it("may have letters, but letters alone make none", () => {
    expect(familyOf("7", "7.4a", "11", "11b", "R1", "R1a", "R1.2")).toEqual([
      undefined,
      "7",
      undefined,
      undefined,
      undefined,
      undefined,
      "R1",
    ]);
  });

  it("is not taken for one because digits agree", () => {
    expect(familyOf("1", "10.1", "11")).toEqual([undefined, undefined, undefined]);
  });

  it("never belongs to a summary or to a step without number", () => {
    expect(familyOf("4", "4 Summary", "4.1", undefined)).toEqual([undefined, undefined, "4", undefined]);
  });

  it("belongs to the last step before it that has the number", () => {
    const parents = parentsOf(["1", "1.1", "1", "1.1"].map((number) => ({ number, summary: false })));
    expect(parents).toEqual([undefined, 0, undefined, 2]);
  });
});
