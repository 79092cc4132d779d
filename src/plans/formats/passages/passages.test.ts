import { describe, expect, it } from "vitest";
import { parseKept } from "../read-plan.ts";
import { goalIn, passagesFor, stepProse, ticksBetween, untick } from "../passages.ts";

const PLAN = `# Greeter

**Purpose:** Greet people
by name.

### Decisions {#decisions}

#### [D01] Names (DECIDED) {#d01-names}

Names are UTF-8.

\`\`\`md
#### [D02] not a heading
\`\`\`

#### [D02] Order {#d02-order}

By age.

---

### Tables {#tables}

**Table T01: Lengths** {#t01-lengths}

| a | 1 |

**Table T02: Widths** {#t02-widths}

| b | 2 |

#### Step 1: Dig {#step-1}

**References:** [D01]

**Tasks:**
- [ ] dig
- [x] rest

##### Step 1.1: Level {#step-1-1}

- [ ] level
`;

const names = (references: string) => {
  const { found, missing } = passagesFor(PLAN, references);
  return { found: found.map(({ name, text }) => [name, text]), missing };
};

describe("what references name", () => {
  it("is found by its label, its anchor or its number, once each", () => {
    expect(names("[D02] Order, (#d02-order)").found).toEqual([["D02", "By age."]]);
    expect(names("Tables T01-T02").found).toEqual([
      ["T01", "| a | 1 |"],
      ["T02", "| b | 2 |"],
    ]);
    expect(names("[D01] Names").found[0]![1]).toContain("#### [D02] not a heading");
  });

  it("is not given twice where one part holds the other, and a step's text not at all", () => {
    expect(names("[D01], (#decisions), (#step-1)").found.map(([name]) => name)).toEqual(["#decisions"]);
  });

  it("is named where the plan does not define it; a bare word is none", () => {
    expect(names("[D07], (#nowhere), S3 and HTTP2, N/A")).toEqual({
      found: [],
      missing: ["D07", "#nowhere"],
    });
  });
});

describe("the goal of a plan", () => {
  it.each([
    [PLAN, "Greet people by name."],
    ["# A\n\nFirst words.\n\n## Goals\n\nThe goal.\n", "The goal."],
    ["# A\n\n> no\n\nFirst words\nwrapped.\n\n- [ ] a\n", "First words wrapped."],
    ["- [ ] a\n\nLater words.\n", undefined],
    ["", undefined],
  ])("is what its author says it is", (text, goal) => {
    expect(goalIn(text)).toBe(goal);
  });
});

describe("the text of a step", () => {
  it("has no items and no fields, and keeps everything else", () => {
    const body = [
      "**Depends on:** #step-0",
      "**Commit:** `feat: x`",
      "",
      "Words that matter.",
      "",
      "**References:** [D01],",
      "[D02]",
      "",
      "**Tasks:**",
      "- [ ] first",
      "  continues here",
      "  - [ ] nested",
      "",
      "**Artifacts:**",
      "- [ ] not an item",
      "",
      "**Tests:**",
      "- [ ] second",
      "",
      "---",
    ].join("\n");
    const items = [{ text: "first continues here" }, { text: "nested" }, { text: "second" }];
    expect(stepProse(body, items)).toBe("Words that matter.\n\n**Artifacts:**\n- [ ] not an item");
  });
});

describe("boxes that an agent ticked in a copy of the plan", () => {
  const ticked = PLAN.replace("- [ ] dig", "- [x] dig").replace("- [ ] level", "- [X] level");
  const read = (text: string) => parseKept(text, "tugplan");

  it("count for the step and its substeps; what was ticked before does not", () => {
    expect(ticksBetween(read(PLAN), read(ticked), "step-1")).toEqual([
      { anchor: "step-1", kind: "task", ordinal: 1 },
      { anchor: "step-1-1", kind: "task", ordinal: 1 },
    ]);
    expect(ticksBetween(read(PLAN), read(ticked), "step-1-1")).toHaveLength(1);
    expect(ticksBetween(read(PLAN), read(ticked.replace("[x] dig", "[x] dug")), "step-1")).toHaveLength(1);
  });

  it("count for a substep that has no items, once it is ticked itself", () => {
    const list = "# Implementation Plan\n\n- [ ] 1. Build\n- [ ] 1.1 Walls\n- [x] 1.2 Roof\n- [ ] 2. Paint\n";
    const kiro = (text: string) => parseKept(text, "kiro");
    const walls = [{ anchor: "1.1", kind: "task", ordinal: 1 }];
    expect(ticksBetween(kiro(list), kiro(list.replace("[ ] 1.1", "[x] 1.1")), "1")).toEqual(walls);
    expect(ticksBetween(kiro(list), kiro(list.replace("[ ] 1.1", "[x] 1.1")), "2")).toEqual([]);
    expect(ticksBetween(kiro(list), kiro(list), "1")).toEqual([]);
  });

  it("are put back, and other changes stay", () => {
    expect(untick(PLAN, ticked)).toBe(PLAN);
    expect(untick(PLAN, `new first line\n${ticked}`)).toBe(`new first line\n${PLAN}`);
    expect(untick(PLAN, ticked.replaceAll("\n", "\r\n"))).toBe(PLAN.replaceAll("\n", "\r\n"));
    expect(untick("- [ ] a\n- [x] a\n", "- [x] a\n- [ ] a\n")).toBe("- [ ] a\n- [x] a\n");
  });

  const records = (...list: readonly object[]) => `${JSON.stringify({ tasks: list }, undefined, 2)}\n`;
  const dig = { id: 1, title: "Dig", status: "done" };
  const build = { id: 2, title: "Build", status: "pending" };

  it("are put back to the records that had them, also where these were reordered or others came in", () => {
    const more = { id: 3, title: "Paint", status: "pending" };
    const done = { ...build, status: "done" };
    expect(untick(records(dig, build), records(done, dig))).toBe(records(build, dig));
    expect(untick(records(dig, build), records(more, done, dig))).toBe(records(more, build, dig));
    expect(untick(records(dig, build), records(done))).toBe(records(build));
  });

  it("go with the dates and attempts that say the same; words that were changed stay", () => {
    const done = { ...build, status: "done", completion_date: "2026-01-01" };
    expect(untick(records(dig, build), records(dig, done))).toBe(records(dig, build));
    const noted = { ...done, notes: ["it leans"] };
    expect(untick(records(dig, build), records(dig, noted))).toBe(
      records(dig, { ...noted, status: "pending" }),
    );
    expect(untick(records(dig), "{ broken")).toBe("{ broken");
  });
});
