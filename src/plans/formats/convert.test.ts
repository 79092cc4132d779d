import { describe, expect, it } from "vitest";
import { Failure } from "../../domain/errors.ts";
import { convertPlan } from "./convert.ts";
import { formatNamed } from "./formats.ts";

const read = (format: string, text: string) => formatNamed(format)!.read(text);

const TEXT = "# Hats\n\n- [x] Buy felt\n- [ ] Cut it\n- [ ] Sew\n";

const PLAN = JSON.stringify({
  feature: "Hats",
  phases: [
    {
      id: "p",
      name: "Work",
      depends_on: [],
      parallel_safe: true,
      subtasks: [
        { id: "a", title: "Cut", description: "along the line", status: "completed", depends_on: [] },
        { id: "b", title: "Sew", status: "failed", depends_on: ["a"] },
        { id: "c", title: "Sell", status: "pending", depends_on: ["a"] },
      ],
    },
  ],
});

describe("a plan in another format", () => {
  it("is the same plan where nothing is lost", () => {
    const { files, lost } = convertPlan(read("checklist", TEXT), "implementation-plan");
    expect(lost).toEqual([]);
    const back = convertPlan(read("implementation-plan", files[0]!.text), "checklist");
    expect(back.lost).toEqual([]);
    expect(back.files[0]!.text).toBe(TEXT);
  });

  it.each(["checklist", "implementation-plan", "tugplan"])("stays what it is as %s", (format) => {
    const sources: Record<string, string> = {
      checklist: TEXT,
      "implementation-plan": PLAN,
      tugplan:
        "## Phase 1: Hats {#phase-1}\n\n#### Step 1: Cut {#cut}\n\n**Tasks:**\n\n- [ ] along the line\n\n#### Step 2: Sew {#sew}\n\n**Depends on:** #cut\n\nBy hand.\n",
    };
    expect(convertPlan(read(format, sources[format]!), format).lost).toEqual([]);
  });

  it("has nothing done again, and nothing begun that waits for a person, as headings", () => {
    const issues = [
      { id: "a", title: "Cut", acceptance_criteria: "- [ ] along the line", status: "closed" },
      { id: "b", title: "Sew", status: "deferred" },
      { id: "c", title: "Sell", status: "blocked" },
      { id: "d", title: "Count", status: "open" },
    ].map((issue) => JSON.stringify({ ...issue, issue_type: "task" }));
    const { files } = convertPlan(read("beads", `${issues.join("\n")}\n`), "headed");
    const { steps } = read("headed", files[0]!.text);
    expect(steps.map(({ title, progress }) => [title, progress?.status])).toEqual([
      ["Cut", "completed"],
      ["Sew", "on_hold"],
      ["Sell", "on_hold"],
      ["Count", "pending"],
    ]);
  });

  it("says what would be lost, and where first", () => {
    const lost = (to: string) => convertPlan(read("implementation-plan", PLAN), to).lost;
    expect(lost("tugplan")).toEqual([{ what: "status", count: 2, example: "a: completed" }]);
    expect(lost("checklist").map(({ what }) => what)).toEqual([
      "names of steps",
      "titles",
      "status",
      "words of steps",
    ]);
    expect(lost("task-files").map(({ what }) => what)).toEqual([
      "names of steps",
      "status",
      "title of the plan",
    ]);
  });

  it("keeps who waits for whom, and substeps, as task files", () => {
    const plan = read(
      "tugplan",
      "#### Step 1: Cut {#task-1}\n\n##### Step 1.1: Left {#task-2}\n\n#### Step 2: Sew {#task-3}\n\n**Depends on:** #task-1\n",
    );
    const { files, isFolder, lost } = convertPlan({ ...plan, title: undefined }, "task-files");
    expect(isFolder).toBe(true);
    expect(lost).toEqual([]);
    expect(files.map(({ name, text }) => [name, JSON.parse(text) as unknown])).toEqual([
      ["task-1.json", { id: "task-1", title: "Cut", status: "Pending", dependencies: [] }],
      [
        "task-2.json",
        { id: "task-2", title: "Left", status: "Pending", dependencies: [], parent_task: "task-1" },
      ],
      ["task-3.json", { id: "task-3", title: "Sew", status: "Pending", dependencies: ["task-1"] }],
    ]);
  });

  it("refuses an unknown format", () => {
    expect(() => convertPlan(read("checklist", TEXT), "__proto__")).toThrow(Failure);
  });

  it("has what a step waits for before it, where the order of the file is what counts", () => {
    const stories = read(
      "task-master",
      JSON.stringify({
        tasks: [
          { id: 1, title: "Sew", dependencies: [2] },
          { id: 2, title: "Cut", dependencies: [] },
          { id: 3, title: "Sell", dependencies: [1] },
        ],
      }),
    );
    const { files, lost } = convertPlan(stories, "headed");
    expect(lost.map(({ what }) => what)).toEqual(["names of steps"]);
    const steps = read("headed", files[0]!.text).steps;
    expect(steps.map(({ title, dependsOn }) => [title, dependsOn.map(({ anchor }) => anchor)])).toEqual([
      ["Cut", []],
      ["Sew", ["task-1"]],
      ["Sell", ["task-2"]],
    ]);
  });
});
