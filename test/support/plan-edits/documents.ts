import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A step of a plan as a person sees it in the file, in the format's own shape. */
export interface Unit {
  readonly title: string;
  readonly isDone: boolean;
  readonly edit: (title: string) => Unit;
  readonly tick: () => Unit;
  readonly breakDown: (parts: readonly string[]) => Unit;
  /** Gives it another number or id; the unit itself where the format has none. */
  readonly renumber: (number: number) => Unit;
  readonly source: unknown;
}

/** How the files of one plan are read and written by a person with an editor. */
export interface PlanDocument {
  readonly format: string;
  /** What `pawl run` is given. */
  readonly plan: string;
  readonly make: (number: number, title: string) => Unit;
  readonly read: (top: string) => readonly Unit[];
  readonly write: (top: string, units: readonly Unit[]) => void;
}

/** A reader never sees half of it. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

interface Lines {
  readonly format: string;
  readonly plan: string;
  readonly head: string;
  readonly tail?: string;
  /** The first line of a step; the rest belongs to it until the next one. */
  readonly first: RegExp;
  readonly make: (number: number, title: string) => string;
  /** Where a step's first line has its number; the whole text of the step is given. */
  readonly renumber?: (text: string, number: number) => string;
  readonly part: (text: string) => string;
  /** A box of its own on the first line; else the step is done when its parts are. */
  readonly hasBox: boolean;
}

function lineDocument(shape: Lines): PlanDocument {
  const unit = (text: string): Unit => {
    const title = /[A-Z]\w+ [a-z ]*k\d{4}/.exec(text)?.[0] ?? "";
    const ticked = shape.hasBox ? text.replace(/\[[ ~-]\]/, "[x]") : text.replaceAll(/\[[ ~-]\]/g, "[x]");
    return {
      title,
      isDone: ticked === text && /\[x\]/i.test(text),
      edit: (words) => unit(text.replace(title, words)),
      tick: () => unit(ticked.replaceAll(/\[[ ~-]\]/g, "[x]")),
      breakDown: (parts) =>
        unit(
          `${text.trimEnd()}\n${parts.map((part) => shape.part(part)).join("")}${shape.hasBox ? "" : "\n"}`,
        ),
      renumber: (number) => (shape.renumber ? unit(shape.renumber(text, number)) : unit(text)),
      source: text,
    };
  };
  return {
    format: shape.format,
    plan: shape.plan,
    make: (number, title) => unit(shape.make(number, title)),
    read(top) {
      const text = readFileSync(join(top, shape.plan), "utf8");
      const body = text.slice(shape.head.length, text.length - (shape.tail ?? "").length);
      return body
        .split(shape.first)
        .filter((part) => part.trim() !== "")
        .map(unit);
    },
    write: (top, units) =>
      put(
        join(top, shape.plan),
        `${shape.head}${units.map(({ source }) => String(source)).join("")}${shape.tail ?? ""}`,
      ),
  };
}

type Record_ = Record<string, unknown>;

interface Records {
  readonly format: string;
  readonly plan: string;
  readonly make: (number: number, title: string) => Record_;
  readonly titleKey: string;
  readonly isDone: (record: Record_) => boolean;
  readonly done: Record_;
  readonly partsKey: string;
  readonly part: (words: string, at: number) => unknown;
  readonly renumber?: (record: Record_, number: number) => Record_;
}

const recordUnit =
  (shape: Records) =>
  (record: Record_): Unit => ({
    title: String(record[shape.titleKey]),
    isDone: shape.isDone(record),
    edit: (title) => recordUnit(shape)({ ...record, [shape.titleKey]: title }),
    tick: () => recordUnit(shape)({ ...record, ...shape.done }),
    breakDown(parts) {
      const before = (record[shape.partsKey] as unknown[] | undefined) ?? [];
      const after = [...before, ...parts.map((words, at) => shape.part(words, before.length + at + 1))];
      return recordUnit(shape)({ ...record, [shape.partsKey]: after });
    },
    renumber: (number) => recordUnit(shape)(shape.renumber?.(record, number) ?? record),
    source: record,
  });

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** One file with a list somewhere in it. */
function listDocument(
  shape: Records & {
    readonly file?: string;
    readonly wrap: (list: readonly unknown[]) => unknown;
    readonly unwrap: (root: never) => unknown;
  },
): PlanDocument {
  const unit = recordUnit(shape);
  const file = shape.file ?? shape.plan;
  return {
    format: shape.format,
    plan: shape.plan,
    make: (number, title) => unit(shape.make(number, title)),
    read: (top) =>
      (shape.unwrap(JSON.parse(readFileSync(join(top, file), "utf8")) as never) as Record_[]).map(unit),
    write: (top, units) => put(join(top, file), json(shape.wrap(units.map(({ source }) => source)))),
  };
}

/** A folder with a file for each step; the order is that of their names. */
function folderDocument(
  shape: Records & {
    readonly fileOf: (record: Record_) => string;
    readonly text: (record: Record_) => string;
    readonly parse: (text: string) => Record_;
  },
): PlanDocument {
  const unit = recordUnit(shape);
  const names = (top: string) =>
    existsSync(join(top, shape.plan))
      ? readdirSync(join(top, shape.plan)).filter((name) => /^task-\d+.*\.(?:json|md)$/.test(name))
      : [];
  return {
    format: shape.format,
    plan: shape.plan,
    make: (number, title) => unit(shape.make(number, title)),
    read: (top) =>
      names(top).map((name) => unit(shape.parse(readFileSync(join(top, shape.plan, name), "utf8")))),
    write(top, units) {
      const wanted = new Map(
        units.map(({ source }) => [shape.fileOf(source as Record_), shape.text(source as Record_)]),
      );
      for (const [name, text] of wanted) {
        const path = join(top, shape.plan, name);
        if (!existsSync(path) || readFileSync(path, "utf8") !== text) put(path, text);
      }
      for (const name of names(top)) if (!wanted.has(name)) rmSync(join(top, shape.plan, name));
    },
  };
}

const boxed = { hasBox: true, part: (words: string) => `  - [ ] ${words}\n` } as const;

/** Every format that carries status, and the one whose progress only the store knows. */
export const DOCUMENTS: readonly PlanDocument[] = [
  lineDocument({
    ...boxed,
    format: "checklist",
    plan: "todo.md",
    head: "# Shop\n\n",
    first: /^(?=- \[)/m,
    make: (_, title) => `- [ ] ${title}\n`,
  }),
  lineDocument({
    ...boxed,
    format: "kiro",
    plan: ".kiro/specs/shop/tasks.md",
    head: "# Implementation Plan\n\n",
    first: /^(?=- \[)/m,
    make: (number, title) => `- [ ] ${number}. ${title}\n`,
    renumber: (text, number) => text.replace(/\] \d+\./, `] ${number}.`),
  }),
  lineDocument({
    ...boxed,
    format: "conductor",
    plan: "conductor/tracks/shop/plan.md",
    head: "# Plan\n\n## Phase 1: Shop\n\n",
    first: /^(?=- \[)/m,
    make: (_, title) => `- [ ] Task: ${title}\n`,
    part: (words) => `    - [ ] ${words}\n`,
  }),
  lineDocument({
    ...boxed,
    format: "bmad",
    plan: "story.md",
    head: "# Story 1.2: Shop\n\nStatus: ready-for-dev\n\n## Tasks / Subtasks\n\n",
    first: /^(?=- \[)/m,
    make: (number, title) => `- [ ] Task ${number}: ${title}\n`,
    renumber: (text, number) => text.replace(/Task \d+:/, `Task ${number}:`),
  }),
  lineDocument({
    ...boxed,
    format: "gsd-roadmap",
    plan: "ROADMAP.md",
    head: "# Roadmap\n\n## Phases\n\n",
    first: /^(?=- \[)/m,
    make: (number, title) => `- [ ] **Phase ${number}: ${title}** - words\n`,
    renumber: (text, number) => text.replace(/Phase \d+:/, `Phase ${number}:`),
  }),
  lineDocument({
    format: "headed",
    plan: "plan.md",
    head: "# Shop\n\n",
    first: /^(?=### )/m,
    make: (number, title) => `### Task ${number}: ${title}\n\n- [ ] do it\n\n`,
    renumber: (text, number) => text.replace(/^### Task \d+:/, `### Task ${number}:`),
    part: (words) => `- [ ] ${words}\n`,
    hasBox: false,
  }),
  lineDocument({
    format: "tugplan",
    plan: "tugplan.md",
    head: "## Phase 1.0: Shop {#phase}\n\n### Execution Steps {#execution-steps}\n\n",
    first: /^(?=#### )/m,
    make: (number, title) => `#### Step ${number}: ${title} {#step-${number}}\n\n**Tasks:**\n- [ ] do it\n\n`,
    renumber: (text, number) =>
      text.replace(/^#### Step \d+:/, `#### Step ${number}:`).replace(/\{#step-\d+\}/, `{#step-${number}}`),
    part: (words) => `- [ ] ${words}\n`,
    hasBox: false,
  }),
  listDocument({
    format: "task-master",
    plan: "tasks.json",
    make: (id, title) => ({ id, title, description: "words", status: "pending", dependencies: [] }),
    titleKey: "title",
    isDone: ({ status }) => status === "done",
    done: { status: "done" },
    partsKey: "subtasks",
    part: (title, id) => ({ id, title, status: "pending" }),
    renumber: (record, id) => ({ ...record, id }),
    wrap: (tasks) => ({ master: { tasks } }),
    unwrap: (root: { master: { tasks: unknown } }) => root.master.tasks,
  }),
  listDocument({
    format: "ralph",
    plan: "prd.json",
    make: (number, title) => ({ id: `US-${number}`, title, acceptanceCriteria: ["shown"], passes: false }),
    titleKey: "title",
    isDone: ({ passes }) => passes === true,
    done: { passes: true },
    partsKey: "acceptanceCriteria",
    part: (words) => words,
    renumber: (record, number) => ({ ...record, id: `US-${number}` }),
    wrap: (userStories) => ({ project: "Shop", userStories }),
    unwrap: (root: { userStories: unknown }) => root.userStories,
  }),
  listDocument({
    format: "feature-list",
    plan: "feature_list.json",
    make: (_, description) => ({ category: "functional", description, steps: ["see it"], passes: false }),
    titleKey: "description",
    isDone: ({ passes }) => passes === true,
    done: { passes: true },
    partsKey: "steps",
    part: (words) => words,
    wrap: (list) => list,
    unwrap: (root: unknown) => root,
  }),
  listDocument({
    format: "implementation-plan",
    plan: ".auto-claude/specs/001-shop",
    file: ".auto-claude/specs/001-shop/implementation_plan.json",
    make: (number, description) => ({ id: `subtask-${number}`, description, status: "pending" }),
    titleKey: "description",
    isDone: ({ status }) => status === "completed",
    done: { status: "completed" },
    partsKey: "files_to_modify",
    part: (words) => words,
    renumber: (record, number) => ({ ...record, id: `subtask-${number}` }),
    wrap: (subtasks) => ({
      feature: "Shop",
      phases: [{ id: "phase-1", name: "All", parallel_safe: true, subtasks }],
    }),
    unwrap: (root: { phases: { subtasks: unknown }[] }) => root.phases[0]!.subtasks,
  }),
  folderDocument({
    format: "task-files",
    plan: ".claude/tasks",
    make: (number, title) => ({ id: String(number), title, status: "Pending", dependencies: [] }),
    titleKey: "title",
    isDone: ({ status }) => status === "Finished",
    done: { status: "Finished" },
    partsKey: "acceptance_criteria",
    part: (words) => words,
    renumber: (record, number) => ({ ...record, id: String(number) }),
    fileOf: ({ id }) => `task-${String(id)}.json`,
    text: json,
    parse: (text) => JSON.parse(text) as Record_,
  }),
  folderDocument({
    format: "backlog",
    plan: "backlog/tasks",
    make: (number, title) => ({
      id: `task-${number}`,
      title,
      status: "To Do",
      rest: "dependencies: []\n---\n\n## Description\n\nWords.\n",
    }),
    titleKey: "title",
    isDone: ({ status }) => status === "Done",
    done: { status: "Done" },
    partsKey: "parts",
    part: (words) => words,
    renumber: (record, number) => ({ ...record, id: `task-${number}` }),
    fileOf: ({ id }) => `${String(id)} - x.md`,
    text: ({ id, title, status, rest, parts = [] }) => {
      const added = parts as string[];
      const list = added.map((words, at) => `- [ ] #${at + 1} ${words}\n`).join("");
      return `---\nid: ${String(id)}\ntitle: ${String(title)}\nstatus: ${String(status)}\n${String(rest)}${added.length > 0 ? `\n## Acceptance Criteria\n\n${list}` : ""}`;
    },
    parse(text) {
      const [, id, title, status, rest] = /^---\nid: (.*)\ntitle: (.*)\nstatus: (.*)\n([^]*)$/.exec(text)!;
      return { id, title, status, rest };
    },
  }),
];
