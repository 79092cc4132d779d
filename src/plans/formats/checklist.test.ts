import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../test/support/growth.ts";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import { checklist, readChecklist } from "./checklist.ts";
import type { StepState } from "./plan-format.ts";
import { meaningOf } from "./step-text.ts";
import { writePlan } from "./write-plan.ts";

const edges = (text: string) =>
  Object.fromEntries(
    readChecklist(text).steps.map(({ anchor, dependsOn }) => [anchor, dependsOn.map((one) => one.anchor)]),
  );

const anchors = (text: string) => readChecklist(text).steps.map(({ anchor }) => anchor);

const SPEC_KIT = `---
description: "front matter"
---
# Tasks: Hats

- [P] tasks = different files, no dependencies

## Phase 1: Setup

- [x] T001 Make the shed
- [ ] **T002** [P] [US1] Buy felt in shop/felt.md
- [ ] T003 [P] Buy ribbon
- [ ] T004 Sort everything

## Phase 2: Work

### Hats

- [ ] T012a [P] [US2] 帽子を作る
- [X] T011 [P] Second (depends on T004, T002)
- [~] T013 Perhaps

\`\`\`
- [ ] T099 only an example
\`\`\`

## Review

- [ ] All hats fit
`;

describe("a spec-kit list", () => {
  it("runs phases one after another, and tasks with [P] side by side", () => {
    expect(edges(SPEC_KIT)).toEqual({
      T001: [],
      T002: ["T001"],
      T003: ["T001"],
      T004: ["T002", "T003"],
      T012a: ["T004"],
      T011: ["T004", "T002"],
      T013: ["T012a", "T011"],
    });
  });

  it("knows titles, stories, states and what is no task", () => {
    const plan = readChecklist(SPEC_KIT);
    expect(plan.title).toBe("Tasks: Hats");
    expect(plan.steps[1]).toMatchObject({
      title: "Buy felt in shop/felt.md",
      references: "US1 · Phase 1: Setup",
      line: 11,
    });
    expect(plan.steps.map(({ progress }) => progress?.status)).toEqual([
      "completed",
      "pending",
      "pending",
      "pending",
      "pending",
      "completed",
      "on_hold",
    ]);
    expect(plan.diagnostics).toMatchObject([{ code: "P043", line: 29 }]);
  });

  it("tells tasks with one id apart, and says so", () => {
    const text = "- [ ] T001 a\n- [ ] T001 b\n- [ ] T001 c\n";
    expect(anchors(text)).toEqual(["T001-a", "T001-b", "T001-c"]);
    expect(readChecklist(text).diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["P035", 1],
      ["P035", 2],
      ["P035", 3],
    ]);
  });

  it("understands ranges, and tells of references to what is not there or not before", () => {
    const text =
      "- [ ] T001 a\n- [ ] T002 [P] b\n- [ ] T003 [P] c (depends on T001-T002)\n- [ ] T004 [P] d (depends on T009 and T004)";
    expect(edges(text)["T003"]).toEqual(["T001", "T002"]);
    expect(readChecklist(text).diagnostics.map(({ code }) => code)).toEqual(["P036", "P036"]);
  });
});

describe("any list", () => {
  it("has top-level boxes as steps in order, and nested ones as their items", () => {
    const text =
      "# Plan\n\n- [ ] **Felt** now\n  - [x] cut\n      - [ ] deeper\n  - [ ] ~~dye~~\n\n  more words\n1. [ ] brim\n* [-] gone\n- [ ] ~~struck~~\n+ [ ] last\n";
    const plan = readChecklist(text);
    expect(edges(text)).toEqual({ "felt-now": [], brim: ["felt-now"], last: ["brim"] });
    expect(plan.steps[0]).toMatchObject({
      title: "Felt now",
      items: [
        { text: "cut", box: "ticked" },
        { text: "deeper", box: "open" },
        { text: "~~dye~~", box: "dropped" },
      ],
    });
    expect(plan.diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["P049", 10],
      ["P049", 11],
    ]);
  });

  it("reads OpenSpec numbers, and puts what continues a box under it", () => {
    expect(edges("## 1. A\n- [x] 1.1 a\n- [ ] 1.2 b\n## 2. B\n- [ ] 2.1.1.1 c\n")).toEqual({
      "1.1": [],
      "1.2": ["1.1"],
      "2.1.1.1": ["1.2"],
    });
    const plan = readChecklist("- [x] 1. A\n- [x] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.2.1 c\n- [ ] 2. B\n");
    expect(plan.steps.map(({ anchor, substeps }) => [anchor, substeps.map((one) => one.anchor)])).toEqual([
      ["1", ["1.1", "1.2", "1.2.1"]],
      ["2", []],
    ]);
    expect(plan.steps[0]?.progress?.status).toBe("pending");
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(["P032"]);
  });

  it("takes a number that belongs to the words for what it is", () => {
    expect(readChecklist("- [ ] 3 hats to make\n").steps).toMatchObject([
      { anchor: "3-hats-to-make", title: "3 hats to make" },
    ]);
  });

  it("reads boxes in headings, with the boxes under them as items", () => {
    const text =
      "### Phase\n#### [ ] T-001: first\n- [ ] a\n- [x] b\n#### [x] T-002: second\n##### Detail\n- [ ] c\n## Other\n";
    expect(
      readChecklist(text).steps.map(({ anchor, title, items }) => [anchor, title, items.length]),
    ).toEqual([
      ["T-001", "first", 2],
      ["T-002", "second", 1],
    ]);
  });

  it("takes boxes with a star for what they are, and tells of those that are none", () => {
    const plan = readChecklist("- [ ] a\n  - [ ]* may be left out\n- [✓] b\n");
    expect(plan.steps).toMatchObject([{ anchor: "a", items: [{ text: "may be left out" }] }]);
    expect(plan.diagnostics).toMatchObject([{ code: "P027", line: 3, column: 3 }]);
  });

  it.each([
    ["```\n- [ ] a\n```\n", "P013"],
    [`- [ ] a\n${"x".repeat(70_000)}\n`, "P007"],
    ["- [ ] a\n<!-- open\n- [ ] b\n", "P020"],
    ["- [ ]\n", "P028"],
  ])("says what is wrong with %j", (text, code) => {
    expect(readChecklist(text).diagnostics.map((one) => one.code)).toContain(code);
  });

  it.each([
    ["the same words", (count: number) => "- [ ] same words\n".repeat(count)],
    [
      "deeper and deeper",
      (count: number) =>
        Array.from({ length: count }, (_, at) => `${" ".repeat(at % 200)}- [ ] T${at % 1000} [P] x\n`).join(
          "",
        ),
    ],
    [
      "depending on much",
      (count: number) => `- [ ] T1 a\n- [ ] T2 ${"depends on T1, ".repeat(Math.min(count, 4000))}\n`,
    ],
  ])("takes time that grows with the file and nothing else: %s", (_, text) => {
    const [small, large] = [text(2000), text(8000)];
    // Four times as much takes about four times as long; sixteen times would be quadratic.
    const most = 9;
    expect(
      growth(
        () => readChecklist(small),
        () => readChecklist(large),
        most,
      ),
    ).toBeLessThan(most);
  });
});

const write = (text: string, changes: Readonly<Record<string, Partial<StepState>>>) => {
  const { edits, problems } = writePlan(
    checklist,
    { text, companions: undefined },
    progressOf(readChecklist(text), changes),
  );
  expect(problems).toEqual([]);
  return edits[0]?.after ?? text;
};

const DONE = { status: "completed", completedAt: NOW } as const;

describe("writing a list", () => {
  it("ticks the box and changes no other byte", () => {
    const text = `\ufeff${SPEC_KIT.replaceAll("\n", "\r\n")}no end`;
    expect(write(text, { T002: DONE })).toBe(text.replace("- [ ] **T002**", "- [x] **T002**"));
    expect(write(text, { T002: { status: "in_progress" }, T003: { status: "blocked" } })).toBe(text);
  });

  it("ticks with the mark the file uses", () => {
    expect(write("- [X] a\n- [ ] b", { b: DONE })).toBe("- [X] a\n- [X] b");
    expect(write("\ufeff- [ ] a\r- [ ] b", { a: DONE })).toBe("\ufeff- [x] a\r- [ ] b");
    expect(write("# [ ] a\n", { a: DONE })).toBe("# [x] a\n");
  });

  it("ticks what was done of a step's items with the step, and takes it back with it", () => {
    const text = "- [ ] a\n  - [ ] one\n  - [ ] two\n";
    const items = (first: "completed" | "open", second: "deferred" | "open") => [
      { kind: "task" as const, ordinal: 0, status: first },
      { kind: "task" as const, ordinal: 1, status: second },
    ];
    const done = write(text, { a: { ...DONE, items: items("completed", "deferred") } });
    expect(done).toBe("- [x] a\n  - [x] one\n  - [ ] two\n");
    expect(write(text, { a: { status: "in_progress", items: items("completed", "open") } })).toBe(text);
    expect(write(done, { a: { status: "pending", isReopened: true, items: items("open", "open") } })).toBe(
      text,
    );
  });

  it("leaves ticks that people made", () => {
    expect(write("- [x] a\n", { a: { status: "pending" } })).toBe("- [x] a\n");
  });

  it("changes single characters inside boxes, whatever the file is, and the second time nothing", () => {
    const line = fc.constantFrom(
      "- [ ] T001 a",
      "- [x] T002 [P] b",
      "  - [ ] item",
      "## Phase 2",
      "",
      "```",
      "words",
      "- [~] later",
      "1. [X] 1.1 c",
      "#### [ ] T-9: h",
      "- [ ] ~~no~~",
      "\t* [ ] tab",
    );
    const end = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.infiniteStream(fc.boolean()), (lines, coins) => {
        const text = lines.map(([words, stop]) => words + stop).join("");
        const plan = readChecklist(text);
        const chosen = plan.steps
          .filter(() => coins.next().value === true)
          .map(({ anchor }) => [anchor, DONE] as const);
        const changes = Object.fromEntries(chosen);
        const after = write(text, changes);
        expect(after.length).toBe(text.length);
        for (let at = 0; at < text.length; at += 1)
          if (after[at] !== text[at]) expect(after.slice(at - 1, at + 2)).toMatch(/^\[[xX]\]$/);
        expect(meaningOf(readChecklist(after))).toBe(meaningOf(plan));
        expect(write(after, changes)).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });
});
