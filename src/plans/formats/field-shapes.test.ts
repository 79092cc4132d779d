import { describe, expect, it } from "vitest";
import { SEEDS, sourceOf } from "../../../test/support/plan-seeds.ts";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import { flatten, type Plan } from "../../domain/plan.ts";
import { accountOf } from "./account.ts";
import { chooseFormat, formatNamed, FORMATS } from "./formats.ts";
import { parsePlan } from "./read-plan.ts";
import { writePlan } from "./write-plan.ts";

/** A reading in few words: `name status < what it waits for : items`. */
const inShort = (plan: Plan): readonly string[] =>
  flatten(plan).map(({ step, parent }) =>
    [
      `${parent === undefined ? "" : "  "}${step.anchor}`,
      step.progress?.status ?? "-",
      ...(step.isOptional ? ["optional"] : []),
      ...(step.dependsOn.length === 0 ? [] : ["<", step.dependsOn.map(({ anchor }) => anchor).join(",")]),
      ...(step.items.length === 0
        ? []
        : [":", step.items.map(({ text, box }) => `${text}=${box}`).join("; ")]),
    ].join(" "),
  );

const read = (text: string, path = "plan.md"): Plan => parsePlan(new TextEncoder().encode(text), path);

describe("shapes from the field", () => {
  it.each<[string, string, string, string, readonly string[]]>([
    [
      "Kiro, in progress",
      "tasks.md",
      "# Implementation Plan\n\n- [x] 1. a\n- [-] 2. b\n  - [x] 2.1 c\n  - [ ] 2.2 d\n- [ ] 3. e\n",
      "kiro",
      ["1 completed", "2 in_progress < 1 : 2.1 c=ticked; 2.2 d=open", "3 pending < 2"],
    ],
    [
      "Kiro, optional",
      "tasks.md",
      "# Implementation Plan\n\n- [x] 1. a\n  - [ ]\\* 1.1 b\n- [ ]* 1.2 c\n- [ ]* 2. d\n- [ ] 3. e\n",
      "kiro",
      ["1 completed : 1.1 b=deferred; 1.2 c=deferred", "2 on_hold optional < 1", "3 pending < 1"],
    ],
    [
      "Kiro's folder, with headed tasks in the file",
      ".kiro/specs/x/tasks.md",
      "# Tasks\n\n### Task 1: A\n\n- [x] a\n- [x] b\n\n### Task 2: B\n\n- [ ] c\n",
      "headed",
      ["task-1 completed : a=ticked; b=ticked", "task-2 pending < task-1 : c=open"],
    ],
    [
      "Kiro's folder, with headings over numbered boxes",
      ".kiro/specs/x/tasks.md",
      "# Tasks\n\n### Phase 1.1: A\n\n- [-] 1. a\n\n### Phase 1.2: B\n\n- [ ] 2. b\n",
      "kiro",
      ["1 in_progress", "2 pending < 1"],
    ],
    [
      "Conductor, in its archive",
      "conductor/archive/x/plan.md",
      "# Plan\n\n- [x] a [3f2a1bc]\n- [~] b\n- [ ] c\n",
      "conductor",
      ["a completed", "b in_progress < a", "c pending < b"],
    ],
    [
      "Conductor",
      "plan.md",
      "# Plan\n\n## Phase 1: A\n\n- [x] Task: a 3f2a1bc\n- [~] Task: b\n    - [ ] c\n- [ ] Task: d\n",
      "conductor",
      ["a completed", "b in_progress < a : c=open", "d pending < b"],
    ],
    [
      "tight boxes",
      "todo.md",
      "- [ ]a\n- [ ] b\n-[ ] c\n- [x]（d）\n- [x](link)\n",
      "checklist",
      ["a pending", "b pending < a", "c pending < b", "d completed < c"],
    ],
    [
      "numbered groups",
      "plan.md",
      "9. **A**\n   - [ ] a\n\n10. **B**\n    - [ ] b\n",
      "checklist",
      ["a pending", "b pending < a"],
    ],
    [
      "closing criteria",
      "plan.md",
      "## Tasks\n\n- [ ] a\n\n## Definition of Done\n\n- [ ] b\n",
      "checklist",
      ["a pending"],
    ],
    [
      "bold ids",
      "tasks.md",
      "## Phase 1\n\n- [ ] **T001 [P]** a\n- [ ] **T002 [P]** b\n",
      "checklist",
      ["T001 pending", "T002 pending"],
    ],
    [
      "phases of any level",
      "tasks.md",
      "## Phase 1\n\n- [ ] T001 a\n\n## Bug\n\n### Phase 1\n\n- [ ] T002 [P] b\n\n### Phase 2\n\n- [ ] T003 [P] c\n",
      "checklist",
      ["T001 pending", "T002 pending < T001", "T003 pending < T002"],
    ],
    ["ticked over open", "plan.md", "- [x] a\n  - [ ] b\n", "checklist", ["a pending : b=open"]],
    [
      "open over ticked",
      "plan.md",
      "- [ ] a\n  - [x] b\n  - [x] c\n",
      "checklist",
      ["a pending : b=ticked; c=ticked"],
    ],
    [
      "step 5.5.a",
      "plan.md",
      "#### Step 5: a {#step-5}\n\n#### Step 5.5.a — b {#step-5-5-a}\n\n- [ ] c\n",
      "tugplan",
      ["step-5 -", "  step-5-5-a - : c=open"],
    ],
    ["GSD plan", "PLAN.md", SEEDS["gsd-plan"], "gsd-plan", ["task-1 - : b=open", "task-2 - < task-1"]],
    [
      "GSD roadmap",
      "ROADMAP.md",
      SEEDS["gsd-roadmap"],
      "gsd-roadmap",
      expect.arrayContaining([
        expect.stringMatching(/^phase-1-a-a completed : 01-01-PLAN\.md — d=ticked$/),
      ]) as never,
    ],
    [
      "BMAD",
      "1.2.story.md",
      SEEDS["bmad"],
      "bmad",
      ["task-1-c-ac-1 completed : d=ticked", "task-2-e pending < task-1-c-ac-1 : f=open"],
    ],
    [
      "task-master",
      "tasks.json",
      SEEDS["task-master"],
      "task-master",
      ["1 completed", "2 pending < 1", "  2.1 completed", "  2.2 pending < 2.1", "4 in_progress < 2"],
    ],
    [
      "task-master, whole ids and needs of other tasks",
      "tasks.json",
      '{"tasks":[{"id":1,"title":"a","subtasks":[{"id":1,"title":"b"},{"id":2,"title":"c"}]},{"id":2,"title":"d","subtasks":[{"id":"2.1","title":"e","dependencies":["1.2"]},{"id":"2.2","title":"f","dependencies":["2.1"]}]},{"id":3,"title":"g","dependencies":["1.1"]}]}',
      "task-master",
      [
        "1 pending",
        "  1.1 pending",
        "  1.2 pending",
        "2 pending",
        "  2.1 pending < 1.2",
        "  2.2 pending < 2.1",
        "3 pending < 1.1",
      ],
    ],
    [
      "Ralph",
      "prd.json",
      SEEDS["ralph"],
      "ralph",
      ["US-001 completed : z=open", "US-002 pending < US-001 : x=open; y=open"],
    ],
    [
      "beads",
      "issues.jsonl",
      SEEDS["beads"],
      "beads",
      ["bd-2 pending < bd-1 : x=open; y=open", "bd-1 completed", "bd-3 in_progress < bd-2"],
    ],
    [
      "a Backlog.md task",
      "task-53.md",
      SEEDS["backlog-task"],
      "backlog-task",
      ["task-53 in_progress : a=open; b=ticked"],
    ],
  ])("%s", (_, path, text, format, wanted) => {
    const plan = read(text, path);
    expect([plan.format, inShort(plan)]).toEqual([format, wanted]);
  });

  it("are found by the whole of the file", () => {
    const files = FORMATS.filter(({ isFolder }) => !isFolder);
    expect(files.map(({ name }) => chooseFormat("plan", SEEDS[name]).format.name)).toEqual(
      files.map(({ name }) => name),
    );
  });
});

describe("every format", () => {
  it.each(FORMATS.map((format) => [format.name, format] as const))(
    "%s accounts for all of its seed, and writes nothing that was not done",
    (name, format) => {
      const text = sourceOf(format, SEEDS[name]);
      const plan = format.read(text);
      expect(plan.steps.length).toBeGreaterThan(0);
      const { unread, twice } = accountOf(text, plan);
      expect({ unread, twice }).toEqual({ unread: [], twice: [] });
      if (name === "implementation-plan" || name === "task-files") return;
      expect(writePlan(format, { text, companions: undefined }, progressOf(plan))).toEqual({
        edits: [],
        problems: [],
      });
    },
  );
});

describe("feature lists and user stories with a status instead of `passes`", () => {
  const features = (...records: readonly object[]): string => JSON.stringify({ features: records });

  it("reads each word for a status, and holds back what it does not know", () =>
    expect(
      inShort(
        read(
          features(
            { id: "a", status: "passing" },
            { id: "b", status: "not_started" },
            { id: "c", status: "in-progress" },
            { id: "d", status: "blocked" },
            { id: "e", status: "cancelled" },
            { id: "f", status: "??" },
          ),
          "plan.json",
        ),
      ),
    ).toEqual(["a completed", "b pending < a", "c in_progress < b", "d blocked < c", "f on_hold < d"]));

  it("takes a file of that name for one without a record, and no other", () => {
    expect(read('{"features":[]}', "feature_list.json").format).toBe("feature-list");
    expect(read('{"features":[]}', "package.json").format).toBe("unknown");
  });

  it("reads a list without an object around it by its name", () =>
    expect(inShort(read('[{"id":"a","title":"A","status":"done"}]', ".harness/feature_list.json"))).toEqual([
      "a completed",
    ]));

  it("keeps `passes` for stories that have nothing else, whatever the status of the file is", () => {
    const text = '{"status":"draft","userStories":[{"id":"a","title":"A"}]}';
    const { edits } = writePlan(
      formatNamed("ralph")!,
      { text, companions: undefined },
      progressOf(read(text, "prd.json"), { a: { status: "completed", completedAt: NOW } }),
    );
    expect(edits[0]?.after).toBe('{"status":"draft","userStories":[{"id":"a","title":"A", "passes":true}]}');
  });

  it("gives an agent criteria that are one text as part of the text", () => {
    const [step] = read(features({ id: "a", status: "todo", verification: "It runs." }), "plan.json").steps;
    expect(step).toMatchObject({ items: [], body: "**verification:**\n\nIt runs." });
  });
});

describe("lists whose tasks follow one another", () => {
  const stories = (...records: readonly object[]): Plan =>
    read(JSON.stringify({ userStories: records.map((one) => ({ passes: false, ...one })) }), "prd.json");

  it("put a story behind a later one that it names", () => {
    const plan = stories({ id: "a", dependsOn: ["c"] }, { id: "b" }, { id: "c" }, { id: "d" });
    expect(inShort(plan)).toEqual(["a pending < c", "b pending < a", "c pending", "d pending < b"]);
    expect(plan.diagnostics).toEqual([]);
  });

  it("still refuse stories that name each other", () => {
    const { diagnostics } = stories({ id: "a", dependsOn: ["b"] }, { id: "b", dependsOn: ["a"] });
    expect(diagnostics.map(({ code }) => code)).toEqual(["P006"]);
  });

  it("put as many as there may be in order", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => index);
    const plan = stories(...ids.map((id) => ({ id, dependsOn: id === ids.length - 1 ? [] : [id + 1] })));
    expect(plan.steps.filter(({ dependsOn }) => dependsOn.length !== 1)).toHaveLength(1);
    expect(plan.diagnostics).toEqual([]);
  });
});
