import { describe, expect, it } from "vitest";
import { judgementIn } from "./agent-judgement.ts";

describe("the judgement of an agent", () => {
  it.each([
    ["All seen.\nVerdict: pass", "pass"],
    ["**Verdict:** fail.\n", "fail"],
    ["Verdict: pass\nNo, wait.\nverdict: FAIL", "fail"],
    ["- Verdict: `pass`\r\n", "pass"],
  ])("in %j is %s", (answer, expected) => {
    expect(judgementIn(answer)).toBe(expected);
  });

  it.each([
    "",
    "It passes.",
    "Verdict: passable",
    "My verdict: pass or fail?",
    "Verdict: pass if you squint",
  ])("in %j is none", (answer) => {
    expect(judgementIn(answer)).toBeUndefined();
  });
});
