import { describe, expect, it } from "vitest";
import { type NameableStep, nameSteps } from "./name-steps.ts";

const step = (title: string, section = "", id?: string): NameableStep => ({
  id,
  section,
  title,
  whole: title,
});

const names = (...steps: readonly NameableStep[]): readonly string[] => nameSteps(steps).anchors;

describe("a step's name", () => {
  it("is its id, else its title", () => {
    expect(names(step("Dig", "Ground", "T001"), step("Build a wall!", "Walls"))).toEqual([
      "T001",
      "build-a-wall",
    ]);
  });

  it("has the headings in it where others share the title or the id", () => {
    expect(names(step("Test", "Parser"), step("Test", "Printer"), step("Dig", "Printer"))).toEqual([
      "parser-test",
      "printer-test",
      "dig",
    ]);
    expect(names(step("a", "Parser", "1"), step("b", "Printer", "1"))).toEqual(["parser-1", "printer-1"]);
  });

  it("has the title in it where two have one id in one section", () => {
    expect(names(step("a", "", "T001"), step("b", "", "T001"))).toEqual(["T001-a", "T001-b"]);
  });

  it("has a digest in it where titles differ only in what a name cannot hold", () => {
    const [one, other] = names(step("Add foo()"), step("Add foo"));
    expect(one).toMatch(/^add-foo-[0-9a-f]{8}$/);
    expect(other).toMatch(/^add-foo-[0-9a-f]{8}$/);
    expect(one).not.toBe(other);
  });

  it("gives way to names that others have by their ids", () => {
    expect(nameSteps([step("dig", "Ground")], new Set(["dig"])).anchors).toEqual(["ground-dig"]);
    expect(names(step("x", "", "a-b"), step("b", "a"), step("b", "c"))[1]).not.toBe("a-b");
  });

  it("never depends on the order", () => {
    const steps = [
      step("Test", "Parser"),
      step("Test", "Printer"),
      step("Test"),
      step("Add foo()"),
      step("Add foo"),
      step("a", "", "T1"),
      step("b", "", "T1"),
    ];
    const named = new Map(names(...steps).map((name, index) => [steps[index], name]));
    const turned = steps.toReversed();
    expect(names(...turned)).toEqual(turned.map((one) => named.get(one)));
  });
});

it("says which steps nothing tells from an earlier one, and still gives each a name", () => {
  const naming = nameSteps([step("Test", "A"), step("Dig", "A"), step("Test", "A"), step("Test", "A")]);
  expect([...naming.repeated]).toEqual([
    [2, 0],
    [3, 0],
  ]);
  expect(new Set(naming.anchors).size).toBe(4);
});
