import { describe, expect, it } from "vitest";
import { headingAt } from "./heading.ts";

const heading = (level: number, text: string, anchor: string | undefined, at: number) => ({
  level,
  text,
  anchor,
  at,
});

describe("a heading", () => {
  it.each([
    ["# Title", heading(1, "Title", undefined, 2)],
    ["   ### Title", heading(3, "Title", undefined, 7)],
    ["#\tTitle", heading(1, "Title", undefined, 2)],
    ["#### Title {#anchor}", heading(4, "Title", "anchor", 11)],
    ["#### Title {#anchor} ✅", heading(4, "Title ✅", "anchor", 11)],
    ["#### Title {#anchor} <!-- remark -->", heading(4, "Title", "anchor", 11)],
    ["#### Step 1 {#anchor}: Title", heading(4, "Step 1 : Title", "anchor", 12)],
    ["#### About `{#x}` {#anchor}", heading(4, "About `{#x}`", "anchor", 18)],
    ["## Title ##", heading(2, "Title", undefined, 3)],
    ["## C#", heading(2, "C#", undefined, 3)],
    ["##", heading(2, "", undefined, 3)],
    ["## {#only}", heading(2, "", "only", 3)],
    ["## Title {#open", heading(2, "Title {#open", undefined, 3)],
    ["## Title {#}", heading(2, "Title", "", 9)],
  ])("reads %j", (line, expected) => {
    expect(headingAt(line)).toEqual(expected);
  });

  it.each(["#Title", "    # Title", "\t# Title", "####### Title", "Title", "", "- # Title", "> # Title"])(
    "is not %j",
    (line) => {
      expect(headingAt(line)).toBeUndefined();
    },
  );
});
