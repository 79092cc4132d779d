import { describe, expect, it } from "vitest";
import { flatten, type Plan, type PlanStep } from "../../domain/plan.ts";
import { readTugplan } from "./tugplan.ts";
import { MAX_DEPENDENCIES } from "./tugplan/resolve-dependencies.ts";
import { MAX_STEPS } from "./plan-words.ts";
import { MAX_LINE_LENGTH } from "./markdown/visible-lines.ts";

const read = (...lines: readonly string[]): Plan => readTugplan(lines.join("\n"));

const all = (plan: Plan): readonly PlanStep[] => flatten(plan).map(({ step }) => step);

const stepOf = (plan: Plan, anchor: string): PlanStep => {
  const step = all(plan).find((candidate) => candidate.anchor === anchor);
  if (!step) throw new Error(`no ${anchor}`);
  return step;
};

/** Anchors in order, substeps in parentheses. */
const shape = (plan: Plan): string =>
  plan.steps
    .map(({ anchor, substeps }) =>
      substeps.length === 0 ? anchor : `${anchor}(${substeps.map((substep) => substep.anchor).join(" ")})`,
    )
    .join(" ");

const waits = (plan: Plan, anchor: string): string =>
  stepOf(plan, anchor)
    .dependsOn.map((dependency) => dependency.anchor)
    .join(" ");

const items = (step: PlanStep): readonly string[] => step.items.map(({ kind, text }) => `${kind}: ${text}`);

/** `line:column name`, without what is only noticed. */
const problems = (plan: Plan): readonly string[] =>
  plan.diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ line, column, name }) => `${line}:${column} ${name}`);

const notes = (plan: Plan): readonly string[] =>
  plan.diagnostics.filter(({ severity }) => severity === "info").map(({ line, name }) => `${line} ${name}`);

describe("the steps of a plan", () => {
  it("are its headings of level 3 to 5 with a number, substeps inside their steps", () => {
    const plan = read(
      "# A boat",
      "#### Step 0: Keel {#step-0}",
      "#### Step 1: Hull {#step-1}",
      "##### Step 1.1: Ribs {#step-1-1}",
      "##### Step 1.2: Planks {#planks}",
      "#### Step 1 Summary {#step-1-summary}",
      "### Step 2 — Mast {#step-2}",
      "#### Step R1a: Rework {#step-R1a}",
    );
    expect(shape(plan)).toBe("step-0 step-1(step-1-1 planks) step-1-summary step-2 step-R1a");
    expect(all(plan).map(({ title, line }) => `${line} ${title}`)).toEqual([
      "2 Keel",
      "3 Hull",
      "4 Ribs",
      "5 Planks",
      "6 Step 1 Summary",
      "7 Mast",
      "8 Rework",
    ]);
    expect(plan.diagnostics).toEqual([]);
  });

  it("may have substeps whose headings have the same level", () => {
    const plan = read("### Step 7: a", "### Step 7.5: b", "### Step 7.5.1: c", "### Step 8: d");
    expect(shape(plan)).toBe("step-7(step-7-5 step-7-5-1) step-8");
  });

  it("get an anchor made of their number when they have none, which is noted once", () => {
    const plan = read(
      "### Step 1: a",
      "### Step 4.1: b",
      "### Step 4 Summary",
      "### Step R1a: c",
      "### Step 9: d {#d}",
    );
    expect(shape(plan)).toBe("step-1 step-4-1 step-4-summary step-R1a d");
    expect(notes(plan)).toEqual(["1 plan/default-anchor"]);
    const messages = [plan, read("### Step 2: a")].map(({ diagnostics }) => diagnostics[0]?.message);
    expect(messages).toEqual([
      "4 steps have no anchor of their own; their numbers make one, “step-1” here.",
      "One step has no anchor of its own; its number makes it “step-2”.",
    ]);
  });

  it("may do without a number when they have an anchor, which is noted", () => {
    const plan = read("### Step: Keel {#keel}", "### Step (hull): Planks {#hull}");
    expect(shape(plan)).toBe("keel hull");
    expect(notes(plan)).toEqual(["1 plan/unnumbered-step", "2 plan/unnumbered-step"]);
  });

  it("are never made of other headings", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "### Steps {#steps}",
      "### Step Status Ledger {#ledger}",
      "#### Step breakdown {#breakdown}",
      "##### Substeps 1.1-1.3 Summary {#sum}",
      "> ### Step 2: quoted",
      "    ### Step 3: code",
    );
    expect(shape(plan)).toBe("a");
    expect(plan.diagnostics).toEqual([]);
  });

  it("are not read from headings that only look like them, which is a warning", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "## Step 2: b",
      "###### Step 3: c",
      "### Step: d",
      "### Step 4-6: e",
    );
    expect(shape(plan)).toBe("a");
    expect(problems(plan)).toEqual([
      "2:1 plan/unread-heading",
      "3:1 plan/unread-heading",
      "4:1 plan/unread-heading",
      "5:1 plan/unread-heading",
    ]);
  });

  it("are not read from fences, comments and front matter", () => {
    const plan = read(
      "---",
      "### Step 0: front",
      "---",
      "### Step 1: a {#a}",
      "````md",
      "### Step 2: b",
      "```",
      "- [ ] not an item",
      "````",
      "~~~",
      "### Step 3: c",
      "~~~",
      "<!--",
      "### Step 4: d",
      "- [ ] not an item either",
      "-->",
      "- [ ] an item",
    );
    expect(shape(plan)).toBe("a");
    expect(items(stepOf(plan, "a"))).toEqual(["task: an item"]);
  });

  it("survive CRLF and a byte order mark", () => {
    const plan = readTugplan("\ufeff### Step 1: a {#a}\r\n\r\n**Tasks:**\r\n- [ ] x\r\n  y\r\n");
    expect(stepOf(plan, "a")).toMatchObject({ title: "a", body: "**Tasks:**\n- [ ] x\n  y" });
    expect(items(stepOf(plan, "a"))).toEqual(["task: x y"]);
  });
});

describe("the extent of a step", () => {
  const plan = read(
    "#### Step 1: a {#a}",
    "- [ ] of a",
    "##### Step 1.1: b {#b}",
    "- [ ] of b",
    "###### Details",
    "- [ ] of b, too",
    "##### Remarks",
    "- [ ] of a again",
    "#### Not a step",
    "- [ ] outside",
    "### Exit criteria",
    "- [ ] outside, too",
  );

  it("ends at the next heading of its level or above", () => {
    expect(items(stepOf(plan, "b"))).toEqual(["task: of b", "task: of b, too"]);
    expect(items(stepOf(plan, "a"))).toEqual(["task: of a", "task: of a again"]);
  });

  it("assigns the boxes behind it to no step, and counts them in one note", () => {
    expect(plan.diagnostics.filter(({ name }) => name === "plan/boxes-outside")).toMatchObject([
      { severity: "info", line: 10, message: "2 boxes stand outside the steps, the first here." },
    ]);
  });

  it("is its body, without its heading and without its substeps", () => {
    expect(stepOf(plan, "a").body).toBe("- [ ] of a\n##### Remarks\n- [ ] of a again");
    expect(stepOf(plan, "b").body).toBe("- [ ] of b\n###### Details\n- [ ] of b, too");
  });
});

describe("the items of a step", () => {
  const itemsOf = (...lines: readonly string[]) => items(stepOf(read("### Step 1: a {#a}", ...lines), "a"));

  it("are of the kind their label says", () => {
    expect(
      itemsOf(
        "- [ ] before any label",
        "**Tasks:**",
        "- [ ] one",
        "**Tests (by hand):**",
        "- [ ] two",
        "**Checkpoints:**",
        "- [ ] three",
        "**Final Step 1 Checkpoint:**",
        "- [ ] four",
      ),
    ).toEqual(["task: before any label", "task: one", "test: two", "checkpoint: three", "checkpoint: four"]);
  });

  it("may stand under headings in place of labels", () => {
    expect(itemsOf("#### Tests", "- [ ] one", "#### Checkpoint", "- [ ] two")).toEqual([
      "test: one",
      "checkpoint: two",
    ]);
  });

  it("are no longer tests after another label, whatever it is", () => {
    expect(
      itemsOf("**Tests:**", "- [ ] one", "**References:** x", "- [ ] two", "**Notes:**", "- [ ] three"),
    ).toEqual(["test: one", "task: two", "task: three"]);
  });

  it("keep their label over bold words and fences", () => {
    expect(
      itemsOf(
        "**Tests:**",
        "- [ ] one",
        "  **Mind:** this",
        "**Green since May.**",
        "```",
        "**Tasks:**",
        "```",
        "- [ ] two",
      ),
    ).toEqual(["test: one **Mind:** this", "test: two"]);
  });

  it("say what their box says", () => {
    const step = stepOf(
      read("### Step 1: a {#a}", "- [ ] a", "- [x] b", "- [X] c", "- [~] d", "- [-] e"),
      "a",
    );
    expect(step.items.map(({ box }) => box)).toEqual(["open", "ticked", "ticked", "deferred", "dropped"]);
    expect(step.items.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
  });

  it("may be nested or numbered", () => {
    expect(itemsOf("- [ ] a", "    - [ ] b", "\t\t- [ ] c", "1. [ ] d", "2) [ ] e")).toEqual([
      "task: a",
      "task: b",
      "task: c",
      "task: d",
      "task: e",
    ]);
  });

  it("go on in indented lines, up to a blank one", () => {
    expect(
      itemsOf(
        "- [ ] a",
        "  b",
        "      c  ",
        "- [ ] d",
        "not e",
        "- [ ] f",
        "",
        "  not g",
        "  - [ ] h",
        "    i",
      ),
    ).toEqual(["task: a b c", "task: d", "task: f", "task: h i"]);
  });

  it("take a list of plain points into their text", () => {
    expect(itemsOf("- [ ] checks:", "  - the hull", "  - the mast", "- [ ] next")).toEqual([
      "task: checks: - the hull - the mast",
      "task: next",
    ]);
  });

  it("are not the boxes under Artifacts and Rollback, which are counted in one note", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "**Artifacts:**",
      "- [ ] x",
      "**Rollback:**",
      "- [ ] y",
      "**Tasks:**",
      "- [ ] z",
    );
    expect(items(stepOf(plan, "a"))).toEqual(["task: z"]);
    expect(notes(plan)).toEqual(["3 plan/boxes-untracked"]);
  });

  it("are tasks under a label that says nothing, which is noted once", () => {
    const plan = read("### Step 1: a {#a}", "**Paint:**", "- [ ] x", "**Varnish:**", "- [ ] y");
    expect(plan.diagnostics).toMatchObject([
      {
        name: "plan/boxes-as-tasks",
        line: 3,
        message: "2 boxes stand under “Paint” and another label, the first here.",
      },
    ]);
  });

  it("are not made of what is no box, or of nothing, without a warning", () => {
    const plan = read("### Step 1: a {#a}", "- [] x", "  - [/] y", "- [ ]", "- [P] legend");
    expect(problems(plan)).toEqual(["2:3 plan/unread-box", "3:5 plan/unread-box", "4:1 plan/empty-item"]);
    expect(items(stepOf(plan, "a"))).toEqual(["task: "]);
  });
});

describe("the fields of a step", () => {
  const fieldsOf = (...lines: readonly string[]) => {
    const { commit, references } = stepOf(read("### Step 1: a {#a}", ...lines), "a");
    return { commit, references };
  };

  it("are its commit message without backticks, and its references", () => {
    expect(fieldsOf("**Commit:** `hull: add ribs`", "", "**References:** [D01] oak,", "(#d01-oak)")).toEqual({
      commit: "hull: add ribs",
      references: "[D01] oak, (#d01-oak)",
    });
  });

  it("may share a line", () => {
    expect(fieldsOf("**Depends on:** — · **Commit:** hull: use `oak` · **References:** x")).toEqual({
      commit: "hull: use `oak`",
      references: "x",
    });
  });

  it("end with their line or paragraph", () => {
    expect(fieldsOf("**Commit:** `a`", "prose", "", "**References:** b", "", "prose")).toEqual({
      commit: "a",
      references: "b",
    });
  });

  it.each(["#### Details", "> a quotation", "| a | table |", "---", "- a point"])("end before %j", (line) => {
    expect(fieldsOf("**References:** b", line).references).toBe("b");
  });

  it("are undefined when they say nothing", () => {
    expect(fieldsOf("**Commit:**", "**References:**")).toEqual({ commit: undefined, references: undefined });
  });

  it("count once, which is noted", () => {
    const plan = read("### Step 1: a {#a}", "**Commit:** x", "", "**Commit:** y");
    expect(stepOf(plan, "a").commit).toBe("x");
    expect(notes(plan)).toEqual(["4 plan/repeated-field"]);
  });
});

describe("the dependencies of a step", () => {
  const fleet = (...lines: readonly string[]) =>
    read(
      "### Step 1: a {#a}",
      "### Step 2: b {#b}",
      "### Step 3: c {#c}",
      "#### Step 3.1: d {#d}",
      "### Step 4: e {#e}",
      ...lines,
    );

  it("are what its list says, each with its line", () => {
    const plan = fleet("**Depends on:** #a, #d");
    expect(stepOf(plan, "e").dependsOn).toEqual([
      { anchor: "a", line: 6 },
      { anchor: "d", line: 6 },
    ]);
    expect(plan.diagnostics).toEqual([]);
  });

  it("go on in wrapped lines, but not into prose", () => {
    expect(waits(fleet("**Depends on:** #a,", "#b", "and #c", "It also reads #d."), "e")).toBe("a b c");
    expect(waits(fleet("**Depends on:** #a (for", "what #b left,", "and more), #c"), "e")).toBe("a c");
    expect(waits(fleet("**Depends on:** —", "This is like #b."), "e")).toBe("");
    expect(fleet("**Depends on:** #a", "It also reads #d.").diagnostics).toEqual([]);
    expect(fleet("**Depends on:** #a", "- #b is a point of something else").diagnostics).toEqual([]);
  });

  it("may be a list of points", () => {
    const plan = fleet("**Depends on:**", "- #a", "- [Step 2](#b) (the hull)", "", "- #c");
    expect(waits(plan, "e")).toBe("a b");
    expect(plan.diagnostics).toMatchObject([{ name: "plan/dependency-remark", line: 8, column: 16 }]);
    expect(waits(fleet("**Depends on:**", "", "- #a", "- Step 2", "", "- #c"), "e")).toBe("a b");
    expect(waits(fleet("**Depends on:**", "", "Prose about #a.", "- #b"), "e")).toBe("");
    expect(waits(fleet("**Depends on:**", "Step 1,", "#b"), "e")).toBe("a b");
  });

  it("may stand in several lines, and count once each", () => {
    expect(waits(fleet("**Depends on:** #a, #a", "", "**Depends on:** #b, #a"), "e")).toBe("a b");
  });

  it("may be a range of siblings, which leaves out the step itself", () => {
    expect(waits(fleet("**Depends on:** #a through #c"), "e")).toBe("a b c");
    expect(waits(fleet("**Depends on:** Steps 1-4"), "e")).toBe("a b c");
    expect(waits(fleet("**Depends on:** #c – #a"), "e")).toBe("a b c");
    expect(waits(fleet("**Depends on:** #a through #d"), "e")).toBe("a d");
    const plan = read(
      "### Step 1: a {#a}",
      "#### Step 1.1: b",
      "#### Step 1.2: c",
      "#### Step 1.3: d",
      "**Depends on:** #step-1-1 through #step-1-2",
    );
    expect(waits(plan, "step-1-3")).toBe("step-1-1 step-1-2");
  });

  it("may be all steps before it; for a substep its earlier siblings, too", () => {
    expect(waits(fleet("**Depends on:** all preceding steps"), "e")).toBe("a b c");
    const plan = read(
      "### Step 1: a",
      "### Step 2: b",
      "#### Step 2.1: c",
      "#### Step 2.2: d",
      "**Depends on:** all preceding steps",
    );
    expect(waits(plan, "step-2-2")).toBe("step-1 step-2-1");
    expect(plan.diagnostics.map(({ name }) => name)).toEqual(["plan/default-anchor"]);
  });

  it("may be named by number; of several with one number the last before it counts", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "### Step 2: b {#b}",
      "### Step 1: c {#c}",
      "### Step 2: d {#d}",
      "**Depends on:** Step 1",
    );
    expect(waits(plan, "d")).toBe("c");
    expect(problems(plan)).toEqual(["3:15 plan/duplicate-number", "4:15 plan/duplicate-number"]);
  });

  it("are found by a name that is nearly right, with a warning", () => {
    const plan = fleet("**Depends on:** #A, #step-3-1");
    expect(waits(plan, "e")).toBe("a d");
    expect(problems(plan)).toEqual(["6:17 plan/inexact-dependency", "6:21 plan/inexact-dependency"]);
  });

  it("are not made of prose, which is reported", () => {
    const plan = fleet("**Depends on:** #a (not on #b), the crane; #c. Later #d will use it.");
    expect(waits(plan, "e")).toBe("a c");
    expect(plan.diagnostics.map(({ column, name }) => `${column} ${name}`)).toEqual([
      "20 plan/dependency-remark",
      "33 plan/dependency-remark",
      "48 plan/unread-dependency",
    ]);
  });

  it("must exist, and point elsewhere", () => {
    const plan = fleet("**Depends on:** #a, #nowhere,", "#e");
    expect(waits(plan, "e")).toBe("a");
    expect(problems(plan)).toEqual(["6:21 plan/unknown-dependency", "7:1 plan/self-dependency"]);
    expect(plan.diagnostics[0]).toMatchObject({
      code: "P004",
      severity: "error",
      message: "There is no step “#nowhere”.",
      hint: "Name the anchor of a step of this plan, or take the reference out.",
    });
  });

  it("go without saying between a step and its substeps, and are left out with a warning", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "**Depends on:** #b",
      "#### Step 1.1: b {#b}",
      "**Depends on:** #a",
    );
    expect(waits(plan, "a") + waits(plan, "b")).toBe("");
    expect(problems(plan)).toEqual(["2:17 plan/implied-dependency", "4:17 plan/implied-dependency"]);
  });
});

describe("steps that wait for each other", () => {
  it("are an error that shows the cycle, at the first dependency in it", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "**Depends on:** #b",
      "### Step 2: b {#b}",
      "**Depends on:** #c",
      "### Step 3: c {#c}",
      "**Depends on:** #a",
    );
    expect(plan.diagnostics).toMatchObject([
      {
        code: "P006",
        severity: "error",
        line: 2,
        message: "These steps wait for each other: a → b → c → a.",
      },
    ]);
  });

  it("may do so through a substep", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "#### Step 1.1: b {#b}",
      "**Depends on:** #c",
      "### Step 2: c {#c}",
      "**Depends on:** #a",
    );
    expect(plan.diagnostics).toMatchObject([
      { line: 3, message: "These steps wait for each other: a → b → c → a." },
    ]);
  });

  it("may do so because a substep is worked on inside its step", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "**Depends on:** #c",
      "#### Step 1.1: b {#b}",
      "### Step 2: c {#c}",
      "**Depends on:** #b",
    );
    expect(plan.diagnostics).toMatchObject([
      { name: "plan/cycle", line: 2, message: "These steps wait for each other: b → a → c → b." },
    ]);
  });

  it("are each reported once, and long cycles in short", () => {
    const ring = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => [
        `### Step ${from + index}: x {#s${from + index}}`,
        `**Depends on:** #s${from + index === to ? from : from + index + 1}`,
      ]).flat();
    const plan = read(...ring(1, 2), ...ring(3, 40));
    expect(plan.diagnostics.map(({ message }) => message)).toEqual([
      "These steps wait for each other: s1 → s2 → s1.",
      "These steps wait for each other: s3 → s4 → s5 → s6 → s7 → s8 → s9 → s10 → s11 → s12 → … 27 more … → s40 → s3.",
    ]);
  });
});

describe("an anchor", () => {
  it("must be the only one of its kind", () => {
    const plan = read("### Step 1: a {#x}", "### Step 2: b {#x}", "### Step 3: c", "### Step 3: d");
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        name: "plan/duplicate-anchor",
        line: 2,
        column: 15,
        message: "The anchor “x” is taken by the step in line 1.",
      },
      {
        name: "plan/duplicate-anchor",
        line: 4,
        message: "The anchor “step-3” is taken by the step in line 3.",
      },
    ]);
    expect(shape(plan)).toBe("x x step-3 step-3");
  });

  it.each([
    ["", "is empty"],
    ["two words", "holds more than letters, digits, dashes, dots and underscores"],
    ["a\u0007b", "holds more than letters, digits, dashes, dots and underscores"],
    ["a\u202eb", "holds more than letters, digits, dashes, dots and underscores"],
    ["x".repeat(201), "has more than 200 characters"],
  ])("must be fit to be typed: %j", (anchor, fault) => {
    const plan = read(`### Step 1: a {#${anchor}}`);
    const [bad] = plan.diagnostics;
    expect(bad).toMatchObject({ name: "plan/bad-anchor", severity: "error", line: 1 });
    expect(bad?.message).toContain(fault);
    expect(plan.steps[0]!.anchor).toMatch(/^[a-z0-9-]{1,200}$/);
  });

  it.each(["__proto__", "constructor", "hasOwnProperty", "toString", "größe", "手順-1"])(
    "may be %s",
    (anchor) => {
      const plan = read(`### Step 1: a {#${anchor}}`, "### Step 2: b {#b}", `**Depends on:** #${anchor}`);
      expect(plan.diagnostics).toEqual([]);
      expect(waits(plan, "b")).toBe(anchor);
    },
  );

  it("may differ from the number, unless it is another one's number", () => {
    const plan = read(
      "### Step 1: a {#keel}",
      "### Step 2: b {#step-3}",
      "### Step 4.1: c {#step-4-1}",
      "### Step R1a: d {#step-r1a}",
    );
    expect(problems(plan)).toEqual(["2:15 plan/misleading-anchor"]);
  });
});

describe("the front of a plan", () => {
  it.each([
    [["## Phase 1.0: The hull {#phase}", "### Step 1: a"], "The hull"],
    [["# Boat", "## Phase 3.5C: The hull", "### Step 1: a"], "The hull"],
    [["# Phase A — The hull"], "The hull"],
    [["# Boat {#boat}", "## Phase Overview", "### Step 1: a"], "Boat"],
    [["# Boat", "## Phase Overview: why a boat", "### Step 1: a"], "Boat"],
    [["## Phase 2:", "### Step 1: a"], "Phase 2:"],
    [["### Step 1: a", "# Boat"], "Boat"],
    [["### Step 1: a"], undefined],
    [["text"], undefined],
  ])("has a title: %j", (lines, title) => {
    expect(read(...lines).title).toBe(title);
  });

  it("has the table right behind its heading as metadata, and no other", () => {
    const plan = read(
      "## Plan Metadata {#plan-metadata}",
      "",
      "| Field | Value |",
      "|------|:-----:|",
      "| Owner | Ann |",
      "| **Status** | draft \\| idea |",
      "| __proto__ | x | y |",
      "",
      "| Field | Value |",
      "|---|---|",
      "| Other | no |",
    );
    expect(plan.metadata).toEqual([
      ["Owner", "Ann"],
      ["Status", "draft | idea"],
      ["__proto__", "x | y"],
    ]);
  });

  it("may have a list of fields as metadata", () => {
    expect(read("### Plan Metadata", "- **Status:** done", "- **Risk**: low", "- **open").metadata).toEqual([
      ["Status", "done"],
      ["Risk", "low"],
    ]);
  });

  it("has no metadata where text or a table without rule follows", () => {
    expect(read("### Plan Metadata", "text", "| Owner | Ann |").metadata).toEqual([]);
    expect(read("### Plan Metadata", "| Owner | Ann |", "| a | b |").metadata).toEqual([]);
  });
});

describe("a plan that cannot be carried out", () => {
  it("has no steps", () => {
    expect(readTugplan("").diagnostics).toMatchObject([
      { code: "P001", severity: "error", line: 1, column: 1 },
    ]);
  });

  it("hides its steps in a fence that is never closed", () => {
    const plan = read("### Step 1: a {#a}", "```", "### Step 2: b", "### Step 3: c");
    expect(plan.diagnostics).toMatchObject([
      {
        name: "plan/steps-hidden",
        severity: "error",
        line: 2,
        message: "This fence is not closed and hides 2 step headings.",
      },
    ]);
  });

  it("is none because of a fence that hides nothing", () => {
    expect(problems(read("### Step 1: a {#a}", "```", "make"))).toEqual(["2:1 plan/unclosed"]);
  });

  it("is none because of a fence that its list item ends", () => {
    const plan = read("### Step 1: a {#a}", "- [ ] x", "  ```", "- [ ] y");
    expect(plan.diagnostics.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "3 This fence is not closed before line 4.",
    ]);
    expect(items(stepOf(plan, "a"))).toEqual(["task: x", "task: y"]);
  });

  it("has a line that is too long", () => {
    const plan = read("### Step 1: a {#a}", `- [ ] ${"x".repeat(MAX_LINE_LENGTH)}`, "- [ ] y");
    expect(problems(plan)).toEqual([`2:${MAX_LINE_LENGTH + 1} plan/line-too-long`]);
    expect(items(stepOf(plan, "a"))).toEqual(["task: y"]);
  });

  it("has a list of dependencies that never ends", () => {
    const plan = read(
      "### Step 1: a {#a}",
      "### Step 2: b {#b}",
      "**Depends on:** #a,",
      ...Array<string>(30_000).fill("#a,"),
    );
    expect(problems(plan)).toEqual([expect.stringMatching(/plan\/line-too-long$/)]);
    expect(waits(plan, "b")).toBe("a");
  });

  it("has more steps than are read", () => {
    const lines = Array.from({ length: MAX_STEPS + 2 }, (_, index) => `### Step ${index}: x {#s${index}}`);
    const plan = read(...lines);
    expect(plan.steps).toHaveLength(MAX_STEPS);
    expect(problems(plan)).toEqual([`${MAX_STEPS + 1}:1 plan/too-many-steps`]);
  });

  it("has more dependencies than are read", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => [
      `### Step ${index}: x {#s${index}}`,
      "**Depends on:** all preceding steps",
    ]);
    const plan = read(...lines.flat());
    expect(problems(plan)).toEqual([expect.stringMatching(/^\d+:17 plan\/too-many-dependencies$/)]);
    expect(all(plan).reduce((sum, { dependsOn }) => sum + dependsOn.length, 0)).toBe(MAX_DEPENDENCIES);
  });
});

describe("a label that is almost Depends on", () => {
  it.each(["**Depends:** #a", "**Depends**: #a", "- **Blocked by:** #a", "**depend on:** #a"])(
    "is reported, because nothing waits: %s",
    (line) => {
      const plan = readTugplan(`#### Step 1: A {#a}\n\n#### Step 2: B {#b}\n\n${line}\n`);
      expect(plan.diagnostics.map(({ code, line: at }) => [code, at])).toEqual([["P039", 5]]);
      expect(plan.steps[1]!.dependsOn).toEqual([]);
    },
  );
});
