import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDependsOn, type StepReference, type Target } from "./depends-on.ts";

const name = (target: Target): string => (target.by === "anchor" ? `#${target.anchor}` : target.number);

const shown = (reference: StepReference): string => {
  if (reference.is === "all-preceding") return "all";
  return reference.is === "one" ? name(reference.target) : `${name(reference.from)}..${name(reference.to)}`;
};

const read = (text: string) => {
  const { references, ignored } = readDependsOn(text);
  return {
    steps: references.map(shown).join(" "),
    remarks: ignored.filter(({ suspicious }) => !suspicious).map((one) => one.text),
    unread: ignored.filter(({ suspicious }) => suspicious).map((one) => one.text),
  };
};

describe("a list of dependencies", () => {
  it.each([
    ["#step-1", "#step-1"],
    ["#step-1, #step-2", "#step-1 #step-2"],
    ["#step-1,#step-2", "#step-1 #step-2"],
    ["#step-1 #step-2", "#step-1 #step-2"],
    ["#step-1; #step-2 & #step-3", "#step-1 #step-2 #step-3"],
    ["#step-1, #step-2, and #step-3.", "#step-1 #step-2 #step-3"],
    ["both #step-1 and #step-2", "#step-1 #step-2"],
    ["[Step 1](#step-1).", "#step-1"],
    ['[Step 1](#step-1 "the keel"), [#step-2](#step-2)', "#step-1 #step-2"],
    ["[#step-1]", "#step-1"],
    ["`#step-1`, **#step-2**, _#step-3_", "#step-1 #step-2 #step-3"],
    ["`step-1`", "#step-1"],
    ["#step-cycle-keys", "#step-cycle-keys"],
    ["Step 1", "1"],
    ["Step 1, Step 4.2", "1 4.2"],
    ["Steps 1, 2 and 4", "1 2 4"],
    ["#__proto__, #constructor", "#__proto__ #constructor"],
  ])("is read from %j", (text, steps) => {
    expect(read(text)).toEqual({ steps, remarks: [], unread: [] });
  });

  it.each([
    ["#step-1 through #step-4", "#step-1..#step-4"],
    ["#step-1 – #step-4", "#step-1..#step-4"],
    ["#step-1–#step-4", "#step-1..#step-4"],
    ["#step-1 ... #step-4", "#step-1..#step-4"],
    ["#step-2..6", "#step-2..6"],
    ["`#step-1` to `#step-4`, #step-9", "#step-1..#step-4 #step-9"],
    ["[Step 1](#step-1) through [Step 4](#step-4)", "#step-1..#step-4"],
    ["Steps 1-3", "1..3"],
    ["Steps 2.1–2.3", "2.1..2.3"],
    ["Step 1 through Step 3", "1..3"],
    ["all of #step-1 through #step-4", "#step-1..#step-4"],
  ])("may be a range: %j", (text, steps) => {
    expect(read(text)).toEqual({ steps, remarks: [], unread: [] });
  });

  it.each([
    "all preceding steps",
    "All previous steps.",
    "every prior step",
    "all earlier steps",
    "all of the above",
    "all steps",
    "all other steps",
  ])("may be everything before: %j", (text) => {
    expect(read(text)).toEqual({ steps: "all", remarks: [], unread: [] });
  });

  it.each(["", "—", "–", "-", "none", "None.", "nothing", "N/A"])("may be empty: %j", (text) => {
    expect(read(text)).toEqual({ steps: "", remarks: [], unread: [] });
  });
});

describe("what is no dependency", () => {
  it.each([
    ["#step-1 (see #step-9)", "#step-1", ["(see #step-9)"]],
    ["#step-1 (a (b #step-8) c), #step-2 (d)", "#step-1 #step-2", ["(a (b #step-8) c)", "(d)"]],
    ["#step-1 (never closed, #step-9", "#step-1", ["(never closed, #step-9"]],
    [
      "— *(stands alone; #step-3 and #step-5 do not block it)*",
      "",
      ["(stands alone; #step-3 and #step-5 do not block it)*"],
    ],
    ["none (#step-1 may run beside it)", "", ["(#step-1 may run beside it)"]],
    ["#step-1 (x), the pump (for water), the crane", "#step-1", ["(x)", "the pump (for water)", "the crane"]],
    ["the pump, #step-2", "#step-2", ["the pump"]],
    ["#step-1. It needs the hull.", "#step-1", ["It needs the hull."]],
    ["all preceding steps (the hull above all)", "all", ["(the hull above all)"]],
    ["[the other plan](other.md#step-1)", "", ["[the other plan](other.md#step-1)"]],
    ["Phase 1 complete", "", ["Phase 1 complete"]],
  ])("stands in %j", (text, steps, remarks) => {
    expect(read(text)).toEqual({ steps, remarks, unread: [] });
  });

  it.each([
    ["#step-1 — it builds on #step-5", "#step-1", ["it builds on #step-5"]],
    ["#step-1. Reuses what #step-4 made.", "#step-1", ["Reuses what #step-4 made."]],
    [
      "#step-1 because of the hull, #step-9 is not needed",
      "#step-1",
      ["because of the hull, #step-9 is not needed"],
    ],
    ["#step-1, which extends #step-5, #step-6", "#step-1", ["which extends #step-5, #step-6"]],
    ["after #step-3 lands", "", ["after #step-3 lands"]],
    ["none, but see Step 4", "", ["but see Step 4"]],
  ])("is suspicious when it names steps in its prose: %j", (text, steps, unread) => {
    expect(read(text)).toEqual({ steps, remarks: [], unread });
  });
});

describe("any text", () => {
  it("is read without throwing, and every reference stands where it says", () => {
    const word = fc.constantFrom(
      "#",
      "#a",
      "#step-1",
      "step",
      "Steps",
      "1",
      "2.1",
      "(",
      ")",
      "[",
      "](",
      ",",
      "-",
      "…",
      "none",
      "all",
      "and",
      "`",
      ".",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(" ")),
        ),
        (text) => {
          for (const reference of readDependsOn(text).references) {
            expect(reference.at).toBeGreaterThanOrEqual(0);
            expect(reference.at).toBeLessThan(text.length);
          }
        },
      ),
    );
  });

  it("never finds more references than it has anchors, numbers and words", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 50 }), (numbers) => {
        const { references, ignored } = readDependsOn(numbers.map((number) => `#step-${number}`).join(", "));
        expect(references.map(shown)).toEqual(numbers.map((number) => `#step-${number}`));
        expect(ignored).toEqual([]);
      }),
    );
  });
});
