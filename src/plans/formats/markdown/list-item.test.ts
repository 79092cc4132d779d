import { describe, expect, it } from "vitest";
import { almostBoxAt, boxAt } from "./list-item.ts";

describe("a box", () => {
  it.each([
    ["- [ ] cut", { indent: 0, at: 2, state: "open", text: "cut" }],
    ["* [x] cut", { indent: 0, at: 2, state: "ticked", text: "cut" }],
    ["+ [X] cut", { indent: 0, at: 2, state: "ticked", text: "cut" }],
    ["- [~] cut", { indent: 0, at: 2, state: "deferred", text: "cut" }],
    ["- [-] cut", { indent: 0, at: 2, state: "dropped", text: "cut" }],
    ["1. [ ] cut", { indent: 0, at: 3, state: "open", text: "cut" }],
    ["12) [ ] cut", { indent: 0, at: 4, state: "open", text: "cut" }],
    ["0. [ ] cut", { indent: 0, at: 3, state: "open", text: "cut" }],
    ["90. [ ] cut", { indent: 0, at: 4, state: "open", text: "cut" }],
    ["      - [ ] cut", { indent: 6, at: 8, state: "open", text: "cut" }],
    ["\t- [ ] cut", { indent: 4, at: 3, state: "open", text: "cut" }],
    ["-   [ ]   cut  ", { indent: 0, at: 4, state: "open", text: "cut" }],
    ["- [ ]", { indent: 0, at: 2, state: "open", text: "" }],
    ["- [ ] [x] cut", { indent: 0, at: 2, state: "open", text: "[x] cut" }],
  ])("is read from %j", (line, expected) => {
    expect(boxAt(line)).toEqual(expected);
  });

  it.each([
    "[ ] cut",
    "-[ ] cut",
    "- [ ]cut",
    "- [ ](link)",
    "- [D01] decision",
    "- [P] legend",
    "> - [ ] quoted",
    "| [ ] | cell |",
    "- cut [ ]",
    "1234567890. [ ] cut",
    "",
  ])("is not in %j", (line) => {
    expect(boxAt(line)).toBeUndefined();
  });
});

describe("something like a box", () => {
  it.each(["- [] cut", "- [  ] cut", "- [/] cut", "- [!] cut", "- [✓] cut", "- [ x] cut", "- [x ] cut"])(
    "is noticed in %j",
    (line) => {
      expect(boxAt(line)).toBeUndefined();
      expect(almostBoxAt(line)).toBe(2);
    },
  );

  it.each([
    "- [ ] cut",
    "- [x] cut",
    "- [1] footnote",
    "- [P] legend",
    "- [](link)",
    "- [D01] decision",
    "cut",
  ])("is not seen in %j", (line) => {
    expect(almostBoxAt(line)).toBeUndefined();
  });
});
