import { describe, expect, it } from "vitest";
import { growth } from "../../../test/support/growth.ts";
import { HOSTILE } from "../../../test/support/hostile-plans.ts";
import { asRead, NOW, progressOf } from "../../../test/support/progress.ts";
import { flatten } from "../../domain/plan.ts";
import { chooseFormat, FORMATS } from "./formats.ts";
import { foldFolder } from "./plan-folder.ts";
import { writePlan } from "./write-plan.ts";

const SMALL = 16 * 1024;
const TIMES = 4;

/** Linear is 4, quadratic 16. */
const MOST = 9;

describe("a file that is four times as large takes about four times as long", () => {
  const cases = Object.entries(HOSTILE).flatMap(([format, kinds]) =>
    Object.entries(kinds).map(([kind, make]) => [format, kind, make] as const),
  );

  it.each(cases)("to be read: %s, %s", (name, _, make) => {
    const format = FORMATS.find((one) => one.name === name)!;
    const [small, large] = [make(SMALL), make(SMALL * TIMES)];
    expect(
      growth(
        () => format.read(small),
        () => format.read(large),
        MOST,
      ),
    ).toBeLessThan(MOST);
  });

  it.each(cases)("to be recognised: %s, %s", (_, _kind, make) => {
    const [small, large] = [make(SMALL), make(SMALL * TIMES)];
    expect(
      growth(
        () => chooseFormat("plan", small, false),
        () => chooseFormat("plan", large, false),
        MOST,
      ),
    ).toBeLessThan(MOST);
  });

  it("to be written: tags in many notes", () => {
    const format = FORMATS.find(({ name }) => name === "task-files")!;
    const write = (size: number) => {
      const text = HOSTILE["task-files"]!["notes"]!(size);
      const steps = new Map([["task-1", { ...asRead("in_progress"), isUntouched: false }]]);
      return () => writePlan(format, { text, companions: undefined }, { steps, now: NOW });
    };
    expect(growth(write(SMALL), write(SMALL * TIMES), MOST)).toBeLessThan(MOST);
  });
});

describe("more than a person writes", () => {
  it.each([
    ["P008", `{"id":"1","subtasks":[${'{"id":"1-1"},'.repeat(50_001)}"2"]}`],
    ["P009", `{"id":"1","dependencies":[${'"2",'.repeat(100_001)}"2"]}`],
  ])("is refused with %s, not read to its end", (code, text) => {
    const format = FORMATS.find(({ name }) => name === "task-files")!;
    const plan = format.read(foldFolder({ files: [{ name: "task-1.json", text }], archived: [] }));
    expect(plan.diagnostics.filter(({ severity }) => severity === "error").map((one) => one.code)).toContain(
      code,
    );
    expect(flatten(plan).length).toBeLessThanOrEqual(50_001);
    expect(progressOf(plan).steps.size).toBeGreaterThan(0);
  });
});
