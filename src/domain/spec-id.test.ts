import { describe, expect, it } from "vitest";
import { growth } from "../../test/support/growth.ts";
import { findSpecId } from "./spec-id.ts";

describe("the spec of a code review", () => {
  it.each([
    ["I looked.\nSpec: improve-errors", "improve-errors"],
    ["Spec: first\nOn second thought:\nSpec: second", "second"],
    ["**Spec:** `retry-loop`", "retry-loop"],
    ["- spec_id = spec-30.", "spec-30"],
    ["SPEC ID: 30\r\n", "30"],
    ["Spec: specs/better-names.md", "better-names"],
    ['{"spec_id": "iteration-7"}', "iteration-7"],
    [
      "Wrote specs/temp/iteration-1708123456-improvements.md and committed it.",
      "iteration-1708123456-improvements",
    ],
  ])("is named in %j", (answer, specId) => {
    expect(findSpecId(answer, [])).toEqual({ specId });
  });

  it.each(["Spec: none", "Nothing to improve.\n\nSpec: N/A", "spec: nothing"])(
    "is nothing to do after %j",
    (answer) => {
      expect(findSpecId(answer, ["specs/old.md"])).toBe("nothing to do");
    },
  );

  it("is the one file that was written when no line names it", () => {
    expect(findSpecId("Done.", ["src/a.ts", "specs/better-names.md"])).toEqual({ specId: "better-names" });
    expect(findSpecId("Done.", ["docs/specs/temp/x.md"])).toEqual({ specId: "x" });
    expect(findSpecId("Done.", ["specs/a.md", "specs/b.md"])).toBeUndefined();
  });

  it.each([
    "",
    "The spec: it should be better.",
    "Spec: ../../etc/passwd",
    "Spec: a/b",
    "Spec: --help",
    "Spec: .git",
    "Spec: a..b",
    `Spec: ${"x".repeat(100)}`,
    'I spec: "$(touch evil)"',
  ])("is not found in %j", (answer) => {
    expect(findSpecId(answer, [])).toBeUndefined();
  });

  it("is looked for in linear time", () => {
    const most = 9;
    for (const piece of ["spec ", "-", '"spec_id":']) {
      const [small, large] = [piece.repeat(10_000), piece.repeat(40_000)];
      expect(
        growth(
          () => findSpecId(small, []),
          () => findSpecId(large, []),
          most,
        ),
      ).toBeLessThan(most);
    }
  });
});
