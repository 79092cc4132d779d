import { describe, expect, it } from "vitest";
import { durationMs } from "./duration.ts";

describe("durationMs", () => {
  it.each([
    ["90m", 5_400_000],
    ["12h", 43_200_000],
    ["7d", 604_800_000],
    ["2w", 1_209_600_000],
    ["0d", 0],
  ])("%s is %i", (text, ms) => {
    expect(durationMs(text, "--older-than")).toBe(ms);
  });

  it.each(["", "7", "d", "-1d", "1.5d", "7 d", "7D", "1y", "9999999d"])("refuses %j", (text) => {
    expect(() => durationMs(text, "--older-than")).toThrow("--older-than must be a time");
  });
});
