import type { FormatName } from "../../src/plans/formats/format-names.ts";
import { foldFolder } from "../../src/plans/formats/plan-folder.ts";
import type { PlanFormat } from "../../src/plans/formats/plan-format.ts";

/** Small plans with a bit of everything, to be broken in ten thousand ways. */
export const SEEDS: Readonly<Record<FormatName, string>> = {
  "implementation-plan": JSON.stringify(
    {
      feature: "Hüte 帽子",
      status: "done",
      phases: [
        {
          id: "a",
          depends_on: [],
          parallel_safe: true,
          subtasks: [
            { id: "1.1", status: "completed" },
            { id: "1.2", title: "t" },
          ],
        },
        {
          phase: 2,
          depends_on: ["a"],
          chunks: [{ chunk_id: "x", status: "wip", verification: { run: "make" } }, { status: "error" }],
        },
      ],
      summary: { total_subtasks: 7 },
    },
    null,
    2,
  ),
  "task-files": JSON.stringify(
    {
      id: "task-001",
      title: "Hüte 帽子",
      status: "Blocked",
      dependencies: ["2", "Task 3 - ✅ Complete", 4],
      notes: ["[AGENT TIMEOUT] late", "words"],
      subtasks: [{ id: "1-1", status: "Pending" }, "task-002"],
      verification_attempts: 2,
    },
    null,
    2,
  ),
  "task-master": JSON.stringify(
    {
      master: {
        tasks: [
          { id: 1, title: "Hüte", status: "done", dependencies: [], priority: "high", subtasks: [] },
          {
            id: 2,
            title: "b",
            description: "d",
            details: "e",
            status: "pending",
            dependencies: [1],
            subtasks: [
              { id: 1, title: "c", status: "done" },
              { id: 2, title: "f", dependencies: [1] },
            ],
          },
          { id: 3, title: "x", status: "cancelled" },
          { id: 4, title: "y", status: "in-progress", dependencies: ["2"] },
        ],
        metadata: { created: "2026-01-01" },
      },
      other: { tasks: [{ id: 1, title: "z", status: "pending" }] },
    },
    null,
    2,
  ),
  ralph: JSON.stringify(
    {
      project: "Hüte 帽子",
      branchName: "ralph/x",
      description: "d",
      userStories: [
        { id: "US-002", title: "b", acceptanceCriteria: ["x", "y"], priority: 2, passes: false, notes: "" },
        {
          id: "US-001",
          title: "a",
          description: "As a",
          acceptanceCriteria: ["z"],
          priority: 1,
          passes: true,
        },
      ],
    },
    null,
    2,
  ),
  "feature-list": JSON.stringify(
    [
      { category: "functional", description: "Hüte", steps: ["a", "b"], passes: false },
      { id: "F2", name: "n", description: "d", acceptance: ["c"], passes: true, dependsOn: ["F3"] },
      { id: "F3", description: "e", passes: false },
    ],
    null,
    2,
  ),
  "claude-todos": JSON.stringify(
    [
      { content: "Hüte", status: "completed", activeForm: "x", id: "1", priority: "high" },
      { content: "b", status: "in_progress", activeForm: "y" },
      { content: "c", status: "pending" },
    ],
    null,
    2,
  ),
  beads:
    '{"id":"bd-1","title":"Hüte","status":"closed","priority":1,"issue_type":"task"}\n{"id":"bd-2","title":"b","status":"open","priority":0,"issue_type":"task","acceptance_criteria":"- x\\n- y","dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks"},{"issue_id":"bd-2","depends_on_id":"bd-9","type":"parent-child"}]}\n{"id":"bd-9","title":"e","status":"open","issue_type":"epic"}\n\n{"id":"bd-3","title":"c","status":"in_progress","dependencies":[{"depends_on_id":"bd-9","type":"blocks"}]}\n',
  "claude-tasks":
    '{"id":"1","subject":"Hüte","description":"x","activeForm":"y","status":"in_progress","blocks":["2"],"blockedBy":[]}',
  backlog:
    "---\nid: task-1\ntitle: 'Hüte 帽子'\nstatus: To Do\nassignee: []\ndependencies:\n  - task-2\npriority: high\n---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nd\n<!-- SECTION:DESCRIPTION:END -->\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 a\n- [x] #2 b\n<!-- AC:END -->\n",
  "backlog-task":
    "---\nid: task-53\ntitle: Hüte\nstatus: In Progress\ndependencies: []\n---\n\n## Description\n\nd\n\n### Task 9: words\n\n## Acceptance Criteria\r\n<!-- AC:BEGIN -->\r\n- [ ] #1 a\n- [x] #2 b\n<!-- AC:END -->\n",
  "gsd-plan":
    '---\nphase: 02-tree\nplan: 02\ndepends_on: ["01"]\n---\n\n<objective>\nHüte\n</objective>\n\n<tasks>\n<task type="auto">\n  <name>Task 1: a</name>\n  <files>x</files>\n  <action>\n```\n<task type="auto">\n```\n- [ ] b\n  </action>\n</task>\n<task type="checkpoint:human-verify">\n  <name>look</name>\n- [ ] c\n</task>\n<task type="auto">\n  <name>Task 2: d</name>\n</task>\n</tasks>\n\n<success_criteria>\n- [ ] e\n</success_criteria>\n### Task 3: f\n',
  "gsd-roadmap":
    "# Roadmap\n\n## Phases\n\n- [x] **Phase 1: A** - a\n- [ ] **Phase 2: B** - b\n- [ ] **Phase 2.1: C** - c\n\n### Phase 1: A\n**Depends on**: Nothing\nPlans:\n- [x] 01-01-PLAN.md — d\n\n### Phase 2: B\n- [ ] 02-01-PLAN.md — e\n  - [ ] f\n\n### Phase 2.1: C\n\n## Progress\n- [ ] g\n",
  bmad: "# Story 1.2: Hüte\n\nStatus: ready-for-dev\n\n## Acceptance Criteria\n\n1. a\n- [ ] b\n\n## Tasks / Subtasks\n\n- [x] Task 1: c (AC: 1)\n  - [x] d\n- [ ] Task 2: e\n  - [ ] f\n\n## Dev Notes\n\n- [ ] g\n### Task 9: h\n",
  cursor:
    '---\nname: "Hüte 帽子"\noverview: Words.\ntodos:\n  - id: felt\n    content: Buy felt\n    status: completed\n  - id: cut\n    content: "Cut: it"\n    status: in_progress\n    dependencies:\n      - felt\n  - id: sew\n    content: Sew\n      all of it\n    status: pending\n    dependencies: [cut]\n  - id: no\n    content: Never\n    status: cancelled\nisProject: false\n---\n\n# Hats\n\n### Task 1: words\n\n- [ ] box\n',
  tugplan:
    "## Phase 1: Hüte 帽子 {#p}\n\n| Field | Value |\n|---|---|\n| Owner | x |\n\n#### Step 0: A {#a}\n\n**Commit:** `c`\n\n**Tasks:**\n- [ ] a\n  - [x] b\n\n##### Step 0.1: B\r\n\r\n**Tests (bun):**\n- [~] t\n\n#### Step 1: C {#c}\n\n**Depends on:** #a, [Step 0.1](#step-0-1) · **References:** r\n\n```sh\n#### Step 9: no\n```\n<!-- g -->\n**Checkpoint:**\n1. [-] d\n",
  headed:
    '# Hüte 帽子\n\n> **For Claude:** x\n\n**Goal:** g\n\n## Phase 1: A\n\n### Task 1: B\n\n**Files:**\n- `a.ts`\n\n- [x] **Step 1: t**\n- [ ]tight\n```sh\n### Task 9: no\ngit commit -m "c: d"\n```\n- [ ] **Step 2: Commit**\n\n### [ ] Task 2: C\r\n\r\n**Depends on:** Task 1\n\n#### Step 1: in\n\n#### Task 2.1: part\n- [~] q\n\n### Task 3: D ✅\n\ncan run in parallel with Task 2\n\n## Testing Checklist\n\n- [ ] e\n\n## Validation Commands\n- `make`\n<!-- f -->\n',
  kiro: "# Implementation Plan\n\n- [x] 1. a\n  - [x] 1.1 b\n  - [ ]* 1.2 c\n  - _Requirements: 1.1_\n- [-] 2. d\n  - [-] 2.1 e\n- [ ]\\* 2.2 f\r\n- [~] 3. g\n\n## Definition of Done\n\n- [ ] h\n- [ ]* 4. i\n",
  conductor:
    "# Track 帽子\n\n## Phase 1: A [checkpoint: 1234567]\n\n- [x] Task: a 3f2a1bc\n    - [x] b\n- [~] Task: c\n    - [~] d\n    - [ ] e\n- [ ] Task: f\n\n## Phase 2: B\n- [-] Task: g\n- [ ] Task: Conductor - User Manual Verification 'B' (Protocol in workflow.md)\n",
  checklist:
    "---\na: b\n---\n# Tasks 帽子\n\n## Phase 1\n\n- [x] T001 a\n- [ ] **T002** [P] [US1] b (depends on T001)\n  - [ ] item\n- [~] T003 c\n\n## Phase 2\r\n\r\n- [X] 1.1 d\n- [ ] ~~no~~\n```\n- [ ] x\n```\n#### [ ] T-9: e\n1. [ ] f\n<!-- g -->\n",
};

/** Names of the files of a folder, by format. */
const FILES: Readonly<Record<string, readonly [seed: string, other: string, text: string]>> = {
  "task-files": ["task-001.json", "task-2.json", '{"id": 2, "dependencies": [1]}'],
  "claude-tasks": [
    "1.json",
    "2.json",
    '{"id": "2", "subject": "b", "status": "pending", "blockedBy": ["1"]}',
  ],
  backlog: ["task-1 - a.md", "task-2 - b.md", "---\nid: task-2\ntitle: b\nstatus: Done\n---\n\nwords\n"],
};

/** What a format reads of a seed: the text, or a folder that holds it. */
export function sourceOf({ isFolder, name }: PlanFormat, text: string): string {
  const [seed = "", other = "", otherText = ""] = FILES[name] ?? [];
  if (!isFolder) return text;
  return foldFolder({
    files: [
      { name: seed, text },
      { name: other, text: otherText },
    ],
    archived: [],
  });
}
