import { describe, expect, it } from "vitest";
import { planText, SMALL_PLAN } from "../../../../test/support/plans.ts";
import { readTugplan } from "../tugplan.ts";
import { breakDownStep } from "./break-down.ts";

const PARTS = [
  { title: "First", text: "Words.", tasks: ["a"] },
  { title: "Second", text: "", tasks: ["b", "c"] },
];

const stepOf = (text: string, anchor: string) =>
  readTugplan(text).steps.find((step) => step.anchor === anchor)!;

describe("breaking down a step of a Markdown plan", () => {
  it("puts substeps behind its words, which stay, and changes no other step", () => {
    for (const anchor of ["step-0", "step-2"]) {
      const after = breakDownStep(SMALL_PLAN, stepOf(SMALL_PLAN, anchor), PARTS)!;
      const before = readTugplan(SMALL_PLAN);
      const plan = readTugplan(after);
      expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(plan.steps.map((step) => step.anchor)).toEqual(before.steps.map((step) => step.anchor));
      const made = stepOf(after, anchor);
      expect(made.items).toHaveLength(stepOf(SMALL_PLAN, anchor).items.length);
      expect(made.substeps.map(({ anchor: name, title, items }) => [name, title, items.length])).toEqual([
        [`${anchor}-1`, "First", 1],
        [`${anchor}-2`, "Second", 2],
      ]);
      expect(made.substeps[1]!.dependsOn.map((one) => one.anchor)).toEqual([`${anchor}-1`]);
      for (const line of SMALL_PLAN.split("\n")) expect(after.split("\n")).toContain(line);
    }
  });

  it("keeps the line ends of the file", () => {
    const text = planText([{ number: "1", tasks: ["x"] }]).replaceAll("\n", "\r\n");
    expect(breakDownStep(text, stepOf(text, "step-1"), PARTS)!.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("has no place for substeps below a step without a number", () => {
    const text = "## Plan\n\n#### Step: Alone {#alone}\n\n- [ ] x\n";
    expect(breakDownStep(text, stepOf(text, "alone"), PARTS)).toBeUndefined();
  });
});
