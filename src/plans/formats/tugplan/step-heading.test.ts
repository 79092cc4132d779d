import { describe, expect, it } from "vitest";
import { isStepNumber, stepHeadingOf } from "./step-heading.ts";

const step = (number: string | undefined, title: string, summary = false) => ({
  kind: "step",
  number,
  title,
  summary,
});

describe("a step heading", () => {
  it.each([
    ["Step 1: Lay the keel", step("1", "Lay the keel")],
    ["Step 0 — Lay the keel", step("0", "Lay the keel")],
    ["Step 3 – Lay the keel", step("3", "Lay the keel")],
    ["Step 3 - Lay the keel", step("3", "Lay the keel")],
    ["Step 3 -- Lay the keel", step("3", "Lay the keel")],
    ["Step 3. Lay the keel", step("3", "Lay the keel")],
    ["Step 3) Lay the keel", step("3", "Lay the keel")],
    ["Step 3 Lay the keel", step("3", "Lay the keel")],
    ["Step 3 : Lay the keel", step("3", "Lay the keel")],
    ["STEP 3: Lay the keel", step("3", "Lay the keel")],
    ["Step 4.1: Planks", step("4.1", "Planks")],
    ["Step 4.1.2: Nails", step("4.1.2", "Nails")],
    ["Step 7.4a: Tar", step("7.4a", "Tar")],
    ["Step 11b: Oakum", step("11b", "Oakum")],
    ["Step 16k — Rope", step("16k", "Rope")],
    ["Step R1a: Rework", step("R1a", "Rework")],
    ["Step 11.6.1a — Split", step("11.6.1a", "Split")],
    ["Step 5", step("5", "Step 5")],
    ["Step 5:", step("5", "Step 5")],
    ["Step 2: 3 coats of paint", step("2", "3 coats of paint")],
  ])("reads %j", (text, expected) => {
    expect(stepHeadingOf(text, false)).toEqual(expected);
  });

  it.each(["Step 4 Summary", "Step 4 summary of the hull"])("knows a summary: %j", (text) => {
    expect(stepHeadingOf(text, true)).toEqual(step("4", text, true));
  });

  it("takes an anchor in place of a number, when a separator says that a title follows", () => {
    expect(stepHeadingOf("Step: Lay the keel", true)).toEqual(step(undefined, "Lay the keel"));
    expect(stepHeadingOf("Step (hull): Lay the keel", true)).toEqual(step(undefined, "Lay the keel"));
    expect(stepHeadingOf("Step A — Lay the keel", true)).toEqual(step(undefined, "Lay the keel"));
  });

  it.each([
    "Steps",
    "Steps 1 to 3",
    "Step Status Ledger",
    "Step breakdown",
    "Step breakdown: what goes where",
    "Stepwise refinement",
    "Step-by-step guide",
    "Substeps 2.1-2.3 Summary",
    "Execution Steps",
    "Step",
    "The Step 1",
    "",
  ])("does not invent a step from %j", (text) => {
    expect(stepHeadingOf(text, true)).toBeUndefined();
  });

  it.each([
    "Step 1-3: The hull",
    "Step 1 through 3",
    "Step 1 and Step 2",
    "Step 1/2: The hull",
    "Step 4.x: Planks",
    `Step 1${".1".repeat(60)}: Too deep`,
  ])("says that %j is unclear", (text) => {
    expect(stepHeadingOf(text, true)).toMatchObject({ kind: "unclear" });
  });

  it("finds a step without number and anchor unclear", () => {
    expect(stepHeadingOf("Step: Lay the keel", false)).toMatchObject({ kind: "unclear" });
  });
});

describe("a step number", () => {
  it.each(["0", "12", "4.1", "7.4a", "R1a", "AB12"])("may be %s", (number) => {
    expect(isStepNumber(number)).toBe(true);
  });

  it.each(["", ".", "4.", ".1", "a", "4..1", "4.R1", "1ab", "1234567890"])("may not be %j", (number) => {
    expect(isStepNumber(number)).toBe(false);
  });
});
