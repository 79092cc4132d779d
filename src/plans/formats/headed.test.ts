import { describe, expect, it } from "vitest";
import { progressOf } from "../../../test/support/progress.ts";
import { flatten, type Plan, type PlanStep } from "../../domain/plan.ts";
import { accountOf } from "./account.ts";
import { headed, readHeaded } from "./headed.ts";
import { meaningOf } from "./step-text.ts";
import { writePlan } from "./write-plan.ts";

const edges = (plan: Plan) =>
  Object.fromEntries(
    flatten(plan).map(({ step }) => [step.anchor, step.dependsOn.map(({ anchor }) => anchor)]),
  );

const codes = ({ diagnostics }: Plan) => diagnostics.map(({ code, line }) => `${code} ${line}`);

const SUPERPOWERS = `# Header reader

> **For agentic workers:** REQUIRED SUB-SKILL: work through the whole plan task by task.
> Steps use boxes.

**Goal:** read headers

**Architecture:** one pass

---

### Task 1: Version field

**Files:**
- Create: \`src/version.ts\`

- [ ] **Step 1: Write the failing test**

\`\`\`ts
### Task 9: not a task
- [ ] not a box
\`\`\`

- [ ] **Step 2: Write minimal implementation**
- [ ] **Step 3: Commit**

\`\`\`bash
git add src && git commit -m "feat: read the version"
\`\`\`

### Task 2: Length field

- [ ] **Step 1: Write the failing test**
- [ ] **Step 2: Commit**

## Validation Commands

- \`npm test\`
\`\`\`sh
# all of it
npm run lint
\`\`\`

## Testing Checklist

- [ ] headers of old files are read
`;

describe("headed tasks", () => {
  const plan = readHeaded(SUPERPOWERS);

  it("are steps, and everything below a heading is the text of its task", () => {
    expect(plan.steps.map(({ anchor, title }) => [anchor, title])).toEqual([
      ["task-1", "Version field"],
      ["task-2", "Length field"],
    ]);
    expect(plan.steps[0]!.body).toBe(SUPERPOWERS.split("\n").slice(12, 29).join("\n").trim());
    expect(plan.diagnostics).toEqual([]);
  });

  it("have their boxes as items, but for those that only say to commit", () => {
    expect(plan.steps[0]!.items.map(({ text }) => text)).toEqual([
      "**Step 1: Write the failing test**",
      "**Step 2: Write minimal implementation**",
    ]);
    expect(plan.steps[0]!.commit).toBe("feat: read the version");
    expect(plan.leftOut?.map(({ line }) => line)).toEqual([25, 34]);
  });

  it("share what stands before the first of them, without notes to the runner of the whole plan", () => {
    expect(plan.context).toBe("**Goal:** read headers\n\n**Architecture:** one pass\n\n---");
  });

  it("end where checks begin, which are no steps", () => {
    expect(plan.checks).toEqual([
      { line: 38, text: "npm test", command: "npm test" },
      { line: 41, text: "npm run lint", command: "npm run lint" },
      { line: 46, text: "headers of old files are read", command: undefined },
    ]);
  });

  it("have bold steps and headings inside them as items where they have no boxes", () => {
    const bold = readHeaded(
      "## Task 1: a\n\n**Step 1: b**\n\nwords\n\n**Step 2: Commit**\n\n## Task 2: c\n\n### Step 1: d\n\n### Step 2: Commit\n",
    );
    expect(bold.steps.map(({ items }) => items.map(({ text, line }) => [text, line]))).toEqual([
      [["Step 1: b", 3]],
      [["Step 1: d", 11]],
    ]);
    expect(bold.leftOut).toEqual([expect.objectContaining({ line: 13 })]);
  });

  it.each([
    ["## Step 1: a\n\n## Step 2: b", ["step-1", "step-2"]],
    ["### Phase 1.8: a\n\n### Phase 1.9: b", ["phase-1-8", "phase-1-9"]],
    ["## Phase 1: a\n\n### Task 1.1: b\n\n### Task 1.2: c", ["task-1-1", "task-1-2"]],
    ["### Step 5.5.a — Tighten\n\n### Step 6. b", ["step-5-5-a", "step-6"]],
    ["### **Task 1: a**\n\n### ✅ Task 2 - b\n\n### Iteration 3: c", ["task-1", "task-2", "task-3"]],
    ["### Task 1: a\n\n#### Task 1.1: b\n\n### Task 2: c", ["task-1", "task-1-1", "task-2"]],
    ["## Tasks 1-2\n\n### Task 1: a\n\n### Task 2: b", ["task-1", "task-2"]],
    ["### Task: first\n\n### Task: second", ["first", "second"]],
  ])("are found by their headings: %j", (text, anchors) => {
    expect(flatten(readHeaded(text)).map(({ step }) => step.anchor)).toEqual(anchors);
  });

  it.each([
    "## Task list",
    "## Steps",
    "## Phase overview",
    "## Step by step",
    "## Taskmaster 1",
    "### Step 1 and 2",
  ])("are not made of %j", (text) => {
    expect(readHeaded(`${text}\n\nwords\n`).steps).toEqual([]);
  });

  it("with numbers that start again are distinguished by their sections", () => {
    const again = readHeaded("## A\n\n### Task 1: x\n\nfirst\n\n## B\n\n### Task 1: x\n\nsecond\n");
    expect(again.steps.map(({ anchor }) => anchor)).toEqual(["a-task-1", "b-task-1"]);
    expect(codes(again)).toEqual(["P035 3", "P035 9"]);
  });
});

it("a heading with a box inside a task that repeats its number, or is dropped, is one item and nothing else", () => {
  for (const inner of ["#### [ ] Task 1 notes", "#### [ ] ~~Task 2: old~~"]) {
    const text = `### Task 1: A\n\n${inner}\n\n### Task 3: B\n`;
    const { unread, twice, items } = accountOf(text, readHeaded(text));
    expect({ inner, unread, twice, items }).toEqual({ inner, unread: [], twice: [], items: 1 });
  }
});

describe("the order of headed tasks", () => {
  it("is that of the file", () => {
    expect(edges(readHeaded("### Task 1: a\n### Task 2: b\n### Task 3: c\n"))).toEqual({
      "task-1": [],
      "task-2": ["task-1"],
      "task-3": ["task-2"],
    });
  });

  it("is what a task says it depends on, and what comes behind waits for all", () => {
    const plan = readHeaded(
      "### Task 1: a\n\n### Task 2: b\n\n**Depends on:** none\n\n### Task 3: c\n\n- **Dependencies:** Task 1\n\n### Task 4: d\n",
    );
    expect(edges(plan)).toEqual({
      "task-1": [],
      "task-2": [],
      "task-3": ["task-1"],
      "task-4": ["task-2", "task-3"],
    });
  });

  it("lets those run side by side that can", () => {
    const text =
      "### Task 1: a\n\n### Task 2: b\n\n### Task 3: c\n\nThis can run in parallel with Task 2.\n\n### Task 4: d\n";
    expect(edges(readHeaded(text))).toEqual({
      "task-1": [],
      "task-2": ["task-1"],
      "task-3": ["task-1"],
      "task-4": ["task-2", "task-3"],
    });
    expect(
      edges(readHeaded(`Tasks 2 and 3 can be done in parallel.\n\n${text.replace(/This.*/, "")}`)),
    ).toEqual(edges(readHeaded(text)));
  });

  it("is only added to by words in a sentence, and never lost to a task that is not there", () => {
    const plan = readHeaded(
      "### Task 1: a\n\n### Task 2: b\n\n### Task 3: c\n\nThe reader depends on Task 1 and its types. Task 9 depends on Task 2.\n\n### Task 4: d\n\nDepends on: Task 7\n",
    );
    expect(edges(plan)).toEqual({
      "task-1": [],
      "task-2": ["task-1"],
      "task-3": ["task-2", "task-1"],
      "task-4": ["task-3"],
    });
    expect(codes(plan)).toEqual(["P036 11"]);
  });
});

describe("the progress of headed tasks", () => {
  const status = (text: string) => {
    const plan = readHeaded(text);
    return [plan.steps.map(({ progress }) => progress?.status), codes(plan)];
  };

  it.each([
    ["all boxes ticked", "### Task 1: a\n- [x] b\n- [x] c\n", "completed", ["P053 1"]],
    ["one box open", "### Task 1: a\n- [x] b\n- [ ] c\n", "pending", []],
    ["a mark in the heading", "### Task 1: a ✅\n\nwords\n", "completed", ["P053 1"]],
    ["a mark over an open box", "### Task 1: a (done)\n- [ ] c\n", "pending", ["P032 1"]],
    ["a ticked heading", "### [x] Task 1: a\n", "completed", ["P053 1"]],
    ["an open heading over ticked boxes", "### [ ] Task 1: a\n- [x] b\n", "pending", []],
    ["a box put off", "### Task 1: a\n- [x] b\n- [~] c\n", "pending", []],
    ["no box at all", "### Task 1: a\n\nwords\n", "pending", []],
  ])("with %s is reported where it counts as completed", (_, text, wanted, found) => {
    expect(status(text)).toEqual([[wanted], found]);
  });

  it("does not count a task as completed whose parts are open", () => {
    expect(status("### Task 1: a\n- [x] b\n\n#### Task 1.1: c\n- [ ] d\n")).toEqual([["pending"], []]);
  });

  it.each([
    ["Not Started", "Complete", "Not Started"],
    ["pending", "Complete", "Not Started"],
    ["⬜ Not started  ", "Complete  ", "Not Started  "],
    ["[Not Started|In Progress|Complete]", "Complete", "Not Started"],
    ["In Progress (waiting for Ann)", "In Progress (waiting for Ann)", "In Progress (waiting for Ann)"],
    ["blocked", "blocked", "blocked"],
  ])("is written into its status line: %j becomes %j, and %j when it is reopened", (open, done, again) => {
    const text = (words: string) => `# Plan\n\n## Stage 1: a\r\n**Status**: ${words}\r\n\nText.\n`;
    const plan = readHeaded(text(open));
    const [{ anchor }] = plan.steps as [PlanStep];
    const write = (from: string, change: object) =>
      writePlan(headed, { text: from, companions: undefined }, progressOf(plan, { [anchor]: change }))
        .edits[0]?.after ?? from;
    const completed = write(text(open), { status: "completed", completedAt: "2026-01-01T00:00:00Z" });
    expect(completed).toBe(text(done));
    expect(write(completed, { status: "pending", isReopened: true })).toBe(text(again));
    expect(meaningOf(readHeaded(completed))).toBe(meaningOf(plan));
  });

  it.each([
    ["other words", "**Status:** Under review"],
    ["other words in a list", "- **Status**: In QA since Monday"],
    ["other words without bold type", "Status: waiting for Ann"],
    ["known words", "**Status:** In Progress"],
    ["no words", ""],
  ])("is no part of what a task is known by: %s", (_, line) => {
    const text = (status: string) =>
      `# Plan\n\n### Task 1: a\n\n**Files:** a.ts\n${status}${status === "" ? "" : "\n"}**Effort:** small\n\n- [x] b\n`;
    const first = readHeaded(text("**Status:** Not Started"));
    const second = readHeaded(text(line));
    expect(meaningOf(second)).toBe(meaningOf(first));
    expect(second.steps[0]!.body).toContain(line);
    expect(status(text("**Status:** Under review"))[0]).toEqual(["completed"]);
  });

  it.each([
    ["a requirement further down", "### Task 1: a\n\nThe answer has these lines:\n\nStatus: WORDS\n"],
    ["a number", "### Task 1: a\n\nStatus: 404 WORDS\n"],
    ["a sentence", `### Task 1: a\n\nStatus: WORDS ${"and so on ".repeat(8)}\n`],
    ["a box", "### Task 1: a\n\n- [ ] Status: WORDS\n"],
  ])("is not read from %s", (_, text) => {
    const of = (words: string) => meaningOf(readHeaded(text.replace("WORDS", words)));
    expect(of("accepted")).not.toBe(of("refused"));
  });

  it("is written in the words of the other status lines", () => {
    const text = (first: string) =>
      `# Plan\n\n## Stage 1: a\n- **Status:** ${first}\n\n## Stage 2: b\n- **Status:** ✅ Done\n\n## Stage 3: c\n- **Status:** 🔲 To do\n`;
    const plan = readHeaded(text("pending"));
    const [{ anchor }] = plan.steps as [PlanStep];
    const write = (from: string, change: object) =>
      writePlan(headed, { text: from, companions: undefined }, progressOf(plan, { [anchor]: change }))
        .edits[0]!.after;
    const completed = write(text("pending"), { status: "completed", completedAt: "2026-01-01T00:00:00Z" });
    expect(completed).toBe(text("✅ Done"));
    expect(write(completed, { status: "pending", isReopened: true })).toBe(text("🔲 To do"));
  });

  it("is written into boxes, and into nothing else", () => {
    const plan = readHeaded(SUPERPOWERS);
    const write = (text: string, change: object) =>
      writePlan(headed, { text, companions: undefined }, progressOf(plan, { "task-1": change }));
    const items = [0, 1].map((ordinal) => ({ kind: "task", ordinal, status: "completed" }));
    const DONE = { status: "completed", completedAt: "2026-01-01T00:00:00Z", items };
    const done = write(SUPERPOWERS, DONE).edits[0]!.after;
    const lines = SUPERPOWERS.split("\n");
    expect(done.split("\n").flatMap((line, index) => (line === lines[index] ? [] : [line]))).toEqual([
      "- [x] **Step 1: Write the failing test**",
      "- [x] **Step 2: Write minimal implementation**",
      "- [x] **Step 3: Commit**",
    ]);
    expect(write(done, DONE).edits).toEqual([]);
    expect(
      write(done, {
        status: "pending",
        isReopened: true,
        items: items.map((item) => ({ ...item, status: "open" })),
      }).edits[0]!.after,
    ).toBe(SUPERPOWERS);
    expect(write(SUPERPOWERS, { status: "blocked" }).edits).toEqual([]);
  });
});
