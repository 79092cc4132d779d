import { arrayNode, BadJson, member, nodeText, objectNode, parseJson } from "../../platform/json/index.ts";
import type { FormatName } from "./format-names.ts";
import { chooseFormat, formatNamed } from "./formats.ts";
import { scanMarkdown } from "./markdown/document.ts";
import { listItemAt } from "./markdown/list-item.ts";
import type { Diagnostic, Plan } from "../../domain/index.ts";

/** A format in which an agent can write a new plan, as the agent hears of it. */
export interface DraftGuide {
  readonly extension: "md" | "json";
  /** What it must know to write the format at the first attempt. */
  readonly rules: string;
  /** A small plan of the format. A test reads it. */
  readonly example: string;
}

/** Where a Markdown plan lists what its author could not decide. */
export const QUESTIONS_HEADING = "Open questions";

/** The same in a plan of JSON. */
export const QUESTIONS_MEMBER = "open_questions";

const GUIDES = {
  tugplan: {
    extension: "md",
    rules:
      "A step is a heading of level 4, `#### Step 1: Title {#step-1}`. `**Depends on:** #step-1` names the steps that it waits for. Boxes stand under `**Tasks:**`, `**Tests:**` and `**Checkpoint:**`.",
    example:
      "# Read headers\n\nWhat the plan is for, and what every step has to know.\n\n#### Step 1: Read the version {#step-1}\n\n**Tasks:**\n\n- [ ] Parse the field in `src/version.ts`\n\n**Tests:**\n\n- [ ] A version that is too new is refused\n\n#### Step 2: Read the length {#step-2}\n\n**Depends on:** #step-1\n\n**Tasks:**\n\n- [ ] Parse the field in `src/length.ts`\n\n## Open questions\n\n- Which versions must stay readable?\n",
  },
  headed: {
    extension: "md",
    rules:
      "A task is a heading `### Task 1: Title`; everything up to the next task is its text: files, code, commands. Boxes are the items of a task. Tasks follow one another; a line `**Depends on:** Task 1` or `**Depends on:** none` says otherwise.",
    example:
      "# Read headers\n\n**Goal:** read the headers of all files.\n\n### Task 1: Read the version\n\n**Files:** `src/version.ts`\n\n- [ ] Write the failing test\n- [ ] Make it pass\n\n### Task 2: Read the length\n\n**Depends on:** Task 1\n\n- [ ] Write the failing test\n\n## Open questions\n\n- None.\n",
  },
  checklist: {
    extension: "md",
    rules:
      "A box `- [ ] T001 words` with an id is a step, boxes that are indented under it are its items. Headings `## Phase 1: Title` group the steps; a phase waits for the one before it, and steps with `[P]` behind the id run side by side.",
    example:
      "# Tasks: Read headers\n\n## Phase 1: Fields\n\n- [ ] T001 Read the version in src/version.ts\n  - [ ] a version that is too new is refused\n- [ ] T002 [P] Read the length in src/length.ts\n\n## Open questions\n\n- None.\n",
  },
  kiro: {
    extension: "md",
    rules:
      "The title is `# Implementation Plan`. A numbered box `- [ ] 1. words` is a step, boxes `- [ ] 1.1 words` indented under it are its items, and `- [ ]* 2. words` is optional.",
    example:
      "# Implementation Plan\n\n- [ ] 1. Read the version\n  - [ ] 1.1 Refuse a version that is too new\n  - _Requirements: 1.1_\n- [ ] 2. Read the length\n\n## Open questions\n\n- None.\n",
  },
  "implementation-plan": {
    extension: "json",
    rules:
      "Ids are unique, every phase has at least one subtask, and each subtask can be done and checked on its own. A phase waits for the phases in `depends_on`.",
    example: `${JSON.stringify(
      {
        feature: "Read headers",
        phases: [
          {
            id: "phase-1",
            name: "Fields",
            depends_on: [],
            subtasks: [
              {
                id: "subtask-1-1",
                description: "Read the version",
                status: "pending",
                verification: { type: "command", command: "npm test" },
              },
            ],
          },
        ],
        open_questions: [],
      },
      null,
      2,
    )}\n`,
  },
  "task-master": {
    extension: "json",
    rules: "Ids are numbers. `dependencies` lists the ids of the tasks that a task waits for.",
    example: `${JSON.stringify(
      {
        tasks: [
          {
            id: 1,
            title: "Read the version",
            description: "In src/version.ts",
            details: "Refuse a version that is too new.",
            testStrategy: "npm test",
            status: "pending",
            dependencies: [],
            priority: "high",
            subtasks: [],
          },
        ],
        open_questions: [],
      },
      null,
      2,
    )}\n`,
  },
  ralph: {
    extension: "json",
    rules:
      "User stories are done by `priority`, the lowest number first. `passes` is false in a plan that is new.",
    example: `${JSON.stringify(
      {
        project: "Read headers",
        description: "What the plan is for",
        userStories: [
          {
            id: "US-001",
            title: "Read the version",
            description: "As a reader I see the version",
            acceptanceCriteria: ["A version that is too new is refused"],
            priority: 1,
            passes: false,
          },
        ],
        open_questions: [],
      },
      null,
      2,
    )}\n`,
  },
  "feature-list": {
    extension: "json",
    rules: "Features are done in their order. `passes` is false in a plan that is new.",
    example: `${JSON.stringify(
      {
        project: "Read headers",
        features: [
          { id: "F1", description: "Read the version", steps: ["Open a file", "See it"], passes: false },
        ],
        open_questions: [],
      },
      null,
      2,
    )}\n`,
  },
} as const satisfies Partial<Record<FormatName, DraftGuide>>;

export type DraftFormat = keyof typeof GUIDES;

export const DRAFT_FORMATS = Object.keys(GUIDES) as readonly DraftFormat[];

export const isDraftFormat = (name: string): name is DraftFormat => Object.hasOwn(GUIDES, name);

export const draftGuide = (format: DraftFormat): DraftGuide => GUIDES[format];

/** What an agent wrote, read as the plan that it was asked for. */
export interface ReadDraft {
  readonly plan: Plan;
  /** What its author could not decide. */
  readonly questions: readonly string[];
  /** What must be put right before it is a plan; empty where it can be carried out as it stands. */
  readonly problems: readonly string[];
}

/**
 * Reads a new plan more strictly than one that people have: it is of the format that was asked for, nothing in it counts
 * as done, and it says what is undecided.
 */
export function readDraft(format: DraftFormat, path: string, text: string): ReadDraft {
  const plan = formatNamed(format)!.read(text);
  const { format: chosen } = chooseFormat(path, text);
  const questions = questionsIn(format, text);
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  const done = plan.steps.filter(({ progress }) => progress?.status === "completed");
  return {
    plan,
    questions: questions ?? [],
    problems: [
      ...errors.map(inWords),
      ...(chosen.name === format ? [] : [`It is read as ${chosen.name}; write it as ${format}.`]),
      ...done.map(({ line, anchor }) => `${line}:1: ${anchor} counts as completed, but nothing is done yet.`),
      ...(questions === undefined ? [missingQuestions(format)] : []),
    ],
  };
}

const inWords = ({ line, column, message, hint }: Diagnostic): string =>
  `${line}:${column}: ${message} ${hint}`;

const missingQuestions = (format: DraftFormat): string =>
  draftGuide(format).extension === "md"
    ? `There is no section \`## ${QUESTIONS_HEADING}\`; write it, with \`- None.\` where nothing is open.`
    : `There is no list \`${QUESTIONS_MEMBER}\`; write it, empty where nothing is open.`;

function questionsIn(format: DraftFormat, text: string): readonly string[] | undefined {
  return draftGuide(format).extension === "md" ? questionsInMarkdown(text) : questionsInJson(text);
}

const NONE = /^(?:none|nothing|n\/a|no open questions?)\.?$/i;

function questionsInMarkdown(text: string): readonly string[] | undefined {
  const { headings, lines, hidden } = scanMarkdown(text);
  const index = headings.findIndex((heading) => /^open questions\b/i.test(heading.text));
  const heading = headings[index];
  if (!heading) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return lines.slice(heading.line + 1, next?.line ?? lines.length).flatMap((line, offset) => {
    const item = hidden[heading.line + 1 + offset] === 0 ? listItemAt(line) : undefined;
    const words = item && line.slice(item.content).trim();
    return words === undefined || words === "" || NONE.test(words) ? [] : [words];
  });
}

function questionsInJson(text: string): readonly string[] | undefined {
  try {
    const list = arrayNode(member(objectNode(parseJson(text)), QUESTIONS_MEMBER));
    return list?.items.flatMap((item) => nodeText(item)?.trim() || []);
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}
