import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStatement } from "../trailers/commit-statement.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import { composeMessage } from "./commit-message.ts";

const OURS = [
  { key: "Pawl-Plan", value: "plan.md" },
  { key: "Pawl-Step", value: "step-1" },
  { key: "Pawl-Claim", value: "1" },
];
const BLOCK = "Pawl-Plan: plan.md\nPawl-Step: step-1\nPawl-Claim: 1\n";
const readSteps = stepTrailerReader(["Pawl", "Tug"]);

describe("a message", () => {
  it.each([
    ["title", `title\n\n${BLOCK}`],
    ["title\n\n\n\nbody  \n\n", `title\n\nbody\n\n${BLOCK}`],
    ["title\n\nbody\n\nFixes: #3", `title\n\nbody\n\nFixes: #3\n${BLOCK}`],
    ["title\nFixes: #3", `title\nFixes: #3\n\n${BLOCK}`],
    [
      "title\n\nFixes: #3\nand prose\nof two lines",
      `title\n\nFixes: #3\nand prose\nof two lines\n\n${BLOCK}`,
    ],
    ["title\n\nPawl-Step: x\nFixes: #3", `title\n\nFixes: #3\n${BLOCK}`],
    ["title\n\nPawl-Step: x\n  folded\nPawl-Plan: y", `title\n\n${BLOCK}`],
    ["title\n\nPawl-Step: x\n\nbody", `title\n\n> Pawl-Step: x\n\nbody\n\n${BLOCK}`],
    ["Pawl-Step: x", `> Pawl-Step: x\n\n${BLOCK}`],
    ["#12 title", `#12 title\n\n${BLOCK}`],
  ])("%j", (given, expected) => {
    expect(composeMessage(given, OURS)).toBe(expected);
    expect(composeMessage(composeMessage(given, OURS), OURS)).toBe(expected);
  });

  it("refuses a value that would be two trailers", () => {
    for (const value of ["a\nPawl-Step: b", "", " a", "a\u2028b"])
      expect(() => composeMessage("x", [{ key: "Pawl-Plan", value }])).toThrow(/cannot be written/);
  });

  it("never says more than its own trailers, whatever text it is made of", () => {
    const piece = fc.constantFrom(
      "Pawl-Step: step-9", "Pawl-Plan: plan.md", "Tug-Step: step-9", "tug-plan : plan.md", "Pawl-Claim: 9", "\n", "\n\n", "\r",
      "\u2028", " ", "    ", "\t", "* ", "# ", "Signed-off-by: A <a@b>", "(cherry picked from commit abc)", "Conflicts:", "---",
      "Squashed commit of the following:", `commit ${"a".repeat(40)}`, "text", ":", "Fixes: #1", "\u0000", "\u001b[0m",
      "# ------------------------ >8 ------------------------", "Co-authored-by: A <a@b>", "This reverts commit abcdef1.",
    ); // oxfmt-ignore
    const text = fc
      .array(
        fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: fc.string({ maxLength: 8 }) }),
        {
          minLength: 1,
          maxLength: 25,
        },
      )
      .map((pieces) => `x${pieces.join("")}`);
    fc.assert(
      fc.property(text, (given) => {
        const { steps, squashed } = readStatement(composeMessage(given, OURS), readSteps);
        expect({ plans: steps?.plans, steps: steps?.steps, claims: steps?.claims }).toEqual({
          plans: ["plan.md"],
          steps: ["step-1"],
          claims: [1],
        });
        // The last part of a concatenated message ends in our own trailers.
        for (const part of squashed) expect(part.steps.steps).toEqual(["step-1"]);
      }),
      { numRuns: 10_000 },
    );
  });
});
