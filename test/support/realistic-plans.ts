import { type Random, seededRandom } from "./random.ts";

/** A plan of the size that people have, in one of the shapes that they write. */
export interface RealisticPlan {
  /** Where it lies in its repository: a file, or the folder that its files are in. */
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** A list that only its own program may change: it is converted first. */
  readonly isImported?: true;
  /** For each step, by its anchor in order, sentences that only its text has. */
  readonly steps: readonly { readonly anchor: string; readonly sentences: readonly string[] }[];
}

export const SHAPES = [
  "superpowers",
  "plan-mode",
  "kiro",
  "speckit",
  "tugplan",
  "conductor",
  "task-master",
  "ralph",
  "backlog",
  "feature-list",
  "gsd",
  "bmad",
  "beads",
  "claude-tasks",
] as const;
export type Shape = (typeof SHAPES)[number];

/** About 40 to 80 KB, always the same for a seed. */
export function realisticPlan(shape: Shape, seed: number, steps = 8): RealisticPlan {
  const random = seededRandom(seed);
  const bytes = 40_000 + random.below(40_000);
  const tasks = Array.from({ length: steps }, (_, index) => taskOf(random, index + 1, bytes / steps));
  return WRITERS[shape](tasks, seed);
}

interface Task {
  readonly number: number;
  readonly title: string;
  readonly files: readonly string[];
  readonly paragraphs: readonly string[];
  readonly code: string;
  readonly items: readonly string[];
}

const WORDS =
  "the parser reads header field length version table index cache writer block page stream record schema query plan token buffer frame socket handler route session policy retry budget worker queue lease journal commit branch snapshot folder module option flag error message hint test case fixture golden figure".split(
    " ",
  );

const sentence = (random: Random, mark: string): string =>
  `${mark} ${Array.from({ length: 9 + random.below(12) }, () => random.pick(WORDS)).join(" ")}.`;

function taskOf(random: Random, number: number, bytes: number): Task {
  const paragraphs: string[] = [];
  let left = bytes - 900;
  for (let count = 1; left > 0; count += 1) {
    const text = Array.from({ length: 4 }, (_, at) =>
      sentence(random, `Detail ${number}.${count}.${at}:`),
    ).join(" ");
    paragraphs.push(text);
    left -= text.length + 2;
  }
  const title = `Change the ${random.pick(WORDS)} of the ${random.pick(WORDS)} ${number}`;
  return {
    number,
    title,
    files: [`src/part-${number}.ts`, `test/part-${number}.test.ts`],
    paragraphs,
    code: `export function part${number}(value: string): string {\n  // - [ ] no box, and no heading:\n  // ### Task ${number}: no task\n  return value.trim();\n}`,
    items: Array.from({ length: 2 + random.below(3) }, (_, at) => sentence(random, `Item ${number}.${at}:`)),
  };
}

const body = ({ files, paragraphs, code }: Task): string =>
  [
    `**Files:** ${files.map((file) => `\`${file}\``).join(", ")}`,
    ...paragraphs,
    `\`\`\`ts\n${code}\n\`\`\``,
  ].join("\n\n");

const indented = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : `${by}${line}`))
    .join("\n");

const boxes = (items: readonly string[], indent = ""): string =>
  items.map((item) => `${indent}- [ ] ${item}`).join("\n");

const stepsOf = (tasks: readonly Task[], anchorOf: (task: Task) => string): RealisticPlan["steps"] =>
  tasks.map((task) => ({ anchor: anchorOf(task), sentences: [...task.paragraphs, ...task.items] }));

type Writer = (tasks: readonly Task[], seed: number) => RealisticPlan;

const markdown = (
  path: string,
  head: string,
  tasks: readonly Task[],
  write: (task: Task) => string,
  tail = "",
) => oneFile(path, `${head}\n\n${tasks.map(write).join("\n\n")}\n${tail}`);

const oneFile = (path: string, text: string) => ({ path, files: [{ path, text }] }) as const;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const WRITERS: Readonly<Record<Shape, Writer>> = {
  superpowers: (tasks, seed) => ({
    ...markdown(
      `docs/plans/plan-${seed}.md`,
      `# Part ${seed} Implementation Plan\n\n> **For agentic workers:** work through this plan task by task.\n\n**Goal:** change all parts.\n\n---`,
      tasks,
      (task) =>
        `### Task ${task.number}: ${task.title}\n\n${body(task)}\n\n${boxes(task.items)}\n- [ ] **Step 9: Commit**\n\n\`\`\`bash\ngit add -A && git commit -m "part: change ${task.number}"\n\`\`\``,
      "\n## Validation Commands\n\n- `npm test`\n",
    ),
    steps: stepsOf(tasks, ({ number }) => `task-${number}`),
  }),
  "plan-mode": (tasks, seed) => ({
    ...markdown(
      `plan-${seed}.md`,
      `# Plan: change part ${seed}\n\n## Context\n\nWhat there is.\n\n## Steps`,
      tasks,
      (task) => `### Step ${task.number}: ${task.title}\n\n${body(task)}\n\n${boxes(task.items)}`,
      "\n## Verification\n\n- [ ] All tests pass\n",
    ),
    steps: stepsOf(tasks, ({ number }) => `step-${number}`),
  }),
  kiro: (tasks, seed) => ({
    ...markdown(
      `.kiro/specs/part-${seed}/tasks.md`,
      "# Implementation Plan",
      tasks,
      (task) =>
        `- [ ] ${task.number}. ${task.title}\n\n${indented(body(task), "  ")}\n\n${boxes(task.items, "  ")}\n  - _Requirements: ${task.number}.1_`,
    ),
    steps: stepsOf(tasks, ({ number }) => String(number)),
  }),
  speckit: (tasks, seed) => ({
    ...markdown(
      `specs/${seed}-part/tasks.md`,
      `# Tasks: part ${seed}\n\n## Phase 1: All`,
      tasks,
      (task) =>
        `- [ ] ${idOf(task)} ${task.title} in ${task.files[0]!}\n\n${indented(body(task), "  ")}\n\n${boxes(task.items, "  ")}`,
    ),
    steps: stepsOf(tasks, idOf),
  }),
  tugplan: (tasks, seed) => ({
    ...markdown(
      `plan-${seed}.md`,
      `# Part ${seed}`,
      tasks,
      (task) =>
        `#### Step ${task.number}: ${task.title} {#step-${task.number}}\n\n${task.number > 1 ? `**Depends on:** #step-${task.number - 1}\n\n` : ""}${body(task)}\n\n**Tasks:**\n\n${boxes(task.items)}`,
    ),
    steps: stepsOf(tasks, ({ number }) => `step-${number}`),
  }),
  conductor: (tasks, seed) => ({
    ...markdown(
      `conductor/tracks/part-${seed}/plan.md`,
      "# Plan\n\n## Phase 1: All",
      tasks,
      (task) =>
        `- [ ] Task: ${task.title}\n\n${indented(body(task), "    ")}\n\n${boxes(task.items, "    ")}`,
    ),
    steps: stepsOf(tasks, slugOf),
  }),
  "task-master": (tasks, seed) => ({
    ...oneFile(`.taskmaster/tasks/tasks-${seed}.json`, json({ master: { tasks: tasks.map(asTaskMaster) } })),
    steps: stepsOf(tasks, ({ number }) => String(number)),
  }),
  ralph: (tasks, seed) => ({
    ...oneFile(`prd-${seed}.json`, json({ project: `Part ${seed}`, userStories: tasks.map(asStory) })),
    steps: stepsOf(tasks, storyId),
  }),
  backlog: (tasks) => ({
    path: "backlog/tasks",
    files: tasks.map((task) => ({
      path: `backlog/tasks/task-${task.number} - ${task.title.replaceAll(" ", "-")}.md`,
      text: asBacklog(task),
    })),
    steps: stepsOf(tasks, ({ number }) => `task-${number}`),
  }),
  "feature-list": (tasks, seed) => ({
    ...oneFile(`feature_list-${seed}.json`, json(tasks.map(asFeature))),
    steps: stepsOf(tasks, ({ number }) => `feature-${number}`),
  }),
  gsd: (tasks, seed) => ({
    ...markdown(
      `.planning/phases/0${seed}-part/0${seed}-01-PLAN.md`,
      `---\nphase: 0${seed}-part\nplan: 01\ntype: execute\nwave: 1\ndepends_on: []\nautonomous: true\n---\n\n<objective>\nChange all parts.\n</objective>\n\n<context>\n@.planning/PROJECT.md\n</context>\n\n<tasks>`,
      tasks,
      asGsdTask,
      "\n</tasks>\n\n<verification>\n- [ ] All tests pass\n</verification>\n\n<success_criteria>\n- [ ] All parts are changed\n</success_criteria>\n",
    ),
    steps: stepsOf(tasks, ({ number }) => `task-${number}`),
  }),
  bmad: (tasks, seed) => ({
    ...markdown(
      `docs/stories/${seed}.1.change-parts.md`,
      `# Story ${seed}.1: Change all parts\n\n## Status\n\nApproved\n\n## Story\n\n**As a** user,\n**I want** all parts changed,\n**so that** they fit.\n\n## Acceptance Criteria\n\n1. All parts are changed.\n\n## Tasks / Subtasks`,
      tasks,
      (task) =>
        `- [ ] Task ${task.number}: ${task.title} (AC: 1)\n\n${indented(body(task), "  ")}\n\n${boxes(task.items, "  ")}`,
      "\n## Dev Notes\n\nNothing else.\n",
    ),
    steps: stepsOf(tasks, (task) => `task-${task.number}-${slugOf(task)}-ac-1`),
  }),
  beads: (tasks, seed) => ({
    ...oneFile(
      `.beads/issues-${seed}.jsonl`,
      tasks.map((task) => `${JSON.stringify(asIssue(task))}\n`).join(""),
    ),
    isImported: true,
    steps: stepsOf(tasks, ({ number }) => `task-${number}`),
  }),
  "claude-tasks": (tasks) => ({
    path: "list",
    files: tasks.map((task) => ({ path: `list/${task.number}.json`, text: json(asClaudeTask(task)) })),
    isImported: true,
    steps: stepsOf(tasks, ({ number }) => `task-${number}`),
  }),
};

const slugOf = ({ title }: Task): string => title.toLowerCase().replaceAll(" ", "-");

const asBacklog = (task: Task): string =>
  [
    `---\nid: task-${task.number}\ntitle: ${task.title}\nstatus: To Do\nassignee: []\ncreated_date: '2026-01-0${task.number}'\nlabels: []\ndependencies: ${task.number > 1 ? `[task-${task.number - 1}]` : "[]"}\npriority: medium\n---`,
    `## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n${body(task)}\n<!-- SECTION:DESCRIPTION:END -->`,
    `## Acceptance Criteria\n<!-- AC:BEGIN -->\n${task.items.map((item, at) => `- [ ] #${at + 1} ${item}`).join("\n")}\n<!-- AC:END -->\n`,
  ].join("\n\n");

const asFeature = (task: Task) => ({
  id: `feature-${task.number}`,
  category: "functional",
  description: [task.title, ...task.paragraphs].join("\n\n"),
  steps: task.items,
  passes: false,
});

const asGsdTask = (task: Task): string =>
  `<task type="auto">\n  <name>Task ${task.number}: ${task.title}</name>\n  <files>${task.files.join(", ")}</files>\n  <action>\n${indented(task.paragraphs.join("\n\n"), "    ")}\n  </action>\n  <verify>npm test</verify>\n  <done>${task.items.join(" ")}</done>\n</task>`;

const asIssue = (task: Task) => ({
  id: `part-${task.number}`,
  title: task.title,
  description: task.paragraphs.join("\n\n"),
  acceptance_criteria: task.items.join("\n"),
  status: "open",
  priority: 2,
  issue_type: "task",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  ...(task.number > 1
    ? {
        dependencies: [
          { issue_id: `part-${task.number}`, depends_on_id: `part-${task.number - 1}`, type: "blocks" },
        ],
      }
    : {}),
});

const asClaudeTask = (task: Task) => ({
  id: String(task.number),
  subject: task.title,
  description: [...task.paragraphs, ...task.items].join("\n\n"),
  activeForm: `Changing part ${task.number}`,
  status: "pending",
  blocks: [],
  blockedBy: task.number > 1 ? [String(task.number - 1)] : [],
});

const idOf = ({ number }: Task): string => `T${String(number).padStart(3, "0")}`;
const storyId = ({ number }: Task): string => `US-${String(number).padStart(3, "0")}`;

const asTaskMaster = (task: Task) => ({
  id: task.number,
  title: task.title,
  description: task.paragraphs[0],
  details: task.paragraphs.slice(1).join("\n\n"),
  testStrategy: task.items.join("\n"),
  status: "pending",
  dependencies: task.number > 1 ? [task.number - 1] : [],
  priority: "medium",
  subtasks: task.items.map((item, at) => ({
    id: at + 1,
    title: `Subtask ${task.number}.${at + 1}`,
    description: item,
    status: "pending",
    dependencies: at > 0 ? [at] : [],
  })),
});

const asStory = (task: Task) => ({
  id: storyId(task),
  title: task.title,
  description: task.paragraphs.join("\n\n"),
  acceptanceCriteria: task.items,
  priority: task.number,
  passes: false,
});
