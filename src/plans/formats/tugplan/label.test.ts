import { describe, expect, it } from "vitest";
import { labelsAt, roleOf } from "./label.ts";

describe("the role of a label", () => {
  it.each([
    ["Tasks", { role: "items", kind: "task" }],
    ["Task", { role: "items", kind: "task" }],
    ["Tasks (paint)", { role: "items", kind: "task" }],
    ["Tests (bun test)", { role: "items", kind: "test" }],
    ["Unit tests", { role: "items", kind: "test" }],
    ["Tests for the pump", { role: "items", kind: "test" }],
    ["Checkpoint", { role: "items", kind: "checkpoint" }],
    ["CHECKPOINTS", { role: "items", kind: "checkpoint" }],
    ["Checkpoint (after all parts)", { role: "items", kind: "checkpoint" }],
    ["Final Step 3 Checkpoint", { role: "items", kind: "checkpoint" }],
    ["Artifacts", { role: "untracked" }],
    ["Rollback", { role: "untracked" }],
    ["Rollback plan", { role: "untracked" }],
    ["Depends on", { role: "depends" }],
    ["Commit", { role: "commit" }],
    ["References", { role: "references" }],
    ["Test the pump", { role: "other", name: "Test the pump" }],
    ["Verification", { role: "other", name: "Verification" }],
    ["constructor", { role: "other", name: "constructor" }],
    ["__proto__", { role: "other", name: "__proto__" }],
  ])("of %j", (name, expected) => {
    expect(roleOf(name)).toEqual(expected);
  });
});

describe("the labels of a line", () => {
  it.each([
    ["**Tasks:**", [["items", ""]]],
    ["**Tasks**:", [["items", ""]]],
    ["**Tests** (by hand):", [["items", ""]]],
    ["**Tests**", [["items", ""]]],
    ["**Tests:** (by hand)", [["items", "(by hand)"]]],
    ["**Note:** the pump", [["other", "the pump"]]],
    ["**Depends on:** #a", [["depends", "#a"]]],
    ["Depends on: #a", [["depends", "#a"]]],
    ["- **Depends on:** #a", [["depends", "#a"]]],
    [
      "**Depends on:** #a · **Commit:** `hull: x`",
      [
        ["depends", "#a"],
        ["commit", "`hull: x`"],
      ],
    ],
    [
      "**Commit:** x | **References:** y",
      [
        ["commit", "x"],
        ["references", "y"],
      ],
    ],
    [
      "**Owner:** me **Depends on:** #a",
      [
        ["other", "me"],
        ["depends", "#a"],
      ],
    ],
    ["**Commit:** with **bold** words", [["commit", "with **bold** words"]]],
    ["**References:** the `**Depends on:**` lines", [["references", "the `**Depends on:**` lines"]]],
  ])("%j", (line, expected) => {
    expect(labelsAt(line).map(({ is, text }) => [is.role, text])).toEqual(expected);
  });

  it("says where the text stands", () => {
    expect(labelsAt("**Depends on:**   #a · **Commit:** x").map(({ at }) => at)).toEqual([18, 35]);
  });

  it.each([
    "**Commit after all checkpoints pass.**",
    "**Risk R1: the hull leaks** {#r1}",
    "**Tests were green.**",
    "**bold** words",
    "- **Tests:** in a list",
    "  - **Commit:** deep in a list",
    "  **Tasks:** indented",
    "**:**",
    "****",
    "**",
    "",
  ])("are none in %j", (line) => {
    expect(labelsAt(line)).toEqual([]);
  });
});
