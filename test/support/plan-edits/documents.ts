import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatName } from "../../../src/plans/formats/format-names.ts";

/** A step of a plan as a person sees it in the file, in the format's own shape. */
export interface Unit {
  readonly title: string;
  readonly isDone: boolean;
  readonly edit: (title: string) => Unit;
  readonly tick: () => Unit;
  readonly breakDown: (parts: readonly string[]) => Unit;
  /** Gives it another number or id; the unit itself where the format has none. */
  readonly renumber: (number: number) => Unit;
  /** As it was before any work on it. */
  readonly reopen: () => Unit;
  /** How others refer to it, and what it refers to; undefined where the format has no dependencies of its own. */
  readonly id: string | undefined;
  readonly needs: readonly string[];
  readonly withNeeds: (ids: readonly string[]) => Unit;
  readonly source: unknown;
}

/** How the files of one plan are read and written by a person with an editor. */
export interface PlanDocument {
  readonly format: FormatName;
  /** The format, and what is special about this plan of it. */
  readonly name: string;
  /** What `pawl run` is given. */
  readonly plan: string;
  /** Whether the plan is one step, whatever its text. */
  readonly isOneStep?: boolean;
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
  readonly format: FormatName;
  readonly name?: string;
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
  /** What a step ends with; new parts come before it. */
  readonly end?: string;
  /** The words for open and done, where that is said without boxes. */
  readonly status?: readonly [open: string, done: string, other: RegExp];
  readonly needs?: LineNeeds;
}

/** How a step's text names what it depends on. */
interface LineNeeds {
  readonly id: (text: string) => string;
  /** All of it, as it stands in the text. */
  readonly clause: RegExp;
  readonly ids: RegExp;
  readonly say: (ids: readonly string[]) => string;
  /** The text with the clause in its place. */
  readonly put: (text: string, clause: string) => string;
}

const BOX = /\[[ ~-]\]/;
const ANY_BOX = /\[[ x~-]\]/gi;

function lineDocument(shape: Lines): PlanDocument {
  const { status, needs, end = "" } = shape;
  const marked = (text: string, isDone: boolean): string => {
    if (status) return text.replace(status[2], status[isDone ? 1 : 0]);
    return text.replaceAll(ANY_BOX, isDone ? "[x]" : "[ ]");
  };
  const unit = (text: string): Unit => {
    const title = /[A-Z]\w+ [a-z ]*k\d{4}/.exec(text)?.[0] ?? "";
    const ticked = shape.hasBox ? text.replace(BOX, "[x]") : text.replaceAll(new RegExp(BOX, "g"), "[x]");
    const endsAt = text.lastIndexOf(end);
    return {
      title,
      isDone: status ? text.includes(status[1]) : ticked === text && /\[x\]/i.test(text),
      edit: (words) => unit(text.replace(title, words)),
      tick: () => unit(marked(text, true)),
      reopen: () => unit(marked(text, false)),
      breakDown: (parts) => {
        const added = parts.map((part) => shape.part(part)).join("");
        const rest = end === "" && !shape.hasBox ? "\n" : text.slice(endsAt);
        return unit(`${text.slice(0, endsAt).trimEnd()}\n${added}${rest}`);
      },
      renumber: (number) => (shape.renumber ? unit(shape.renumber(text, number)) : unit(text)),
      id: needs?.id(text),
      needs: needs ? [...(needs.clause.exec(text)?.[0] ?? "").matchAll(needs.ids)].map(String) : [],
      withNeeds: (ids) =>
        needs
          ? unit(needs.put(text.replace(needs.clause, ""), ids.length > 0 ? needs.say(ids) : ""))
          : unit(text),
      source: text,
    };
  };
  return {
    format: shape.format,
    name: shape.name ?? shape.format,
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
  readonly format: FormatName;
  readonly plan: string;
  readonly make: (number: number, title: string) => Record_;
  readonly titleKey: string;
  readonly isDone: (record: Record_) => boolean;
  readonly done: Record_;
  readonly open: Record_;
  readonly needsKey?: string;
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
    reopen: () => recordUnit(shape)({ ...record, ...shape.open }),
    id: shape.needsKey === undefined ? undefined : String(record["id"]),
    needs: shape.needsKey === undefined ? [] : ((record[shape.needsKey] ?? []) as unknown[]).map(String),
    withNeeds(ids) {
      if (shape.needsKey === undefined) return recordUnit(shape)(record);
      const asWritten = ids.map((id) => (typeof record["id"] === "number" ? Number(id) : id));
      return recordUnit(shape)({ ...record, [shape.needsKey]: asWritten });
    },
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
    name: shape.format,
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
    name: shape.format,
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

/** A task of Backlog.md. */
const BACKLOG = {
  make: (number: number, title: string) => ({
    id: `task-${number}`,
    title,
    status: "To Do",
    dependencies: [],
    rest: "---\n\n## Description\n\nWords.\n",
  }),
  titleKey: "title",
  isDone: ({ status }: Record_) => status === "Done",
  done: { status: "Done" },
  open: { status: "To Do" },
  partsKey: "parts",
  part: (words: string) => words,
  renumber: (record: Record_, number: number) => ({ ...record, id: `task-${number}` }),
  text: ({ id, title, status, dependencies, rest, parts = [] }: Record_) => {
    const added = parts as string[];
    const list = added.map((words, at) => `- [ ] #${at + 1} ${words}\n`).join("");
    const needs = (dependencies as string[]).join(", ");
    return `---\nid: ${String(id)}\ntitle: ${String(title)}\nstatus: ${String(status)}\ndependencies: [${needs}]\n${String(rest)}${added.length > 0 ? `\n## Acceptance Criteria\n\n${list}` : ""}`;
  },
  parse(text: string): Record_ {
    const [, id, title, status, needs, rest] =
      /^---\nid: (.*)\ntitle: (.*)\nstatus: (.*)\ndependencies: \[(.*)\]\n([^]*)$/.exec(text)!;
    return { id, title, status, dependencies: needs!.split(", ").filter(Boolean), rest };
  },
};

/** Every format that can be run: those that carry status, and those whose progress only the store knows. */
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
    format: "checklist",
    name: "checklist with ids",
    plan: "tasks.md",
    head: "# Tasks\n\n## Phase 1: Shop\n\n",
    first: /^(?=- \[)/m,
    make: (number, title) => `- [ ] T${String(number).padStart(3, "0")} [P] ${title}\n`,
    renumber: (text, number) => text.replace(/T\d+/, `T${String(number).padStart(3, "0")}`),
    needs: {
      id: (text) => /T\d+/.exec(text)![0],
      clause: / \(depends on [T\d, ]+\)/,
      ids: /T\d+/g,
      say: (ids) => ` (depends on ${ids.join(", ")})`,
      put: (text, clause) => text.replace(/(?=\n)/, clause),
    },
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
    needs: {
      id: (text) => /Task \d+/.exec(text)![0],
      clause: /\*\*Depends on:\*\* .*\n\n/,
      ids: /Task \d+/g,
      say: (ids) => `**Depends on:** ${ids.join(", ")}\n\n`,
      put: (text, clause) => text.replace(/(?<=\n\n)/, clause),
    },
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
    needs: {
      id: (text) => /#step-\d+/.exec(text)![0],
      clause: /\*\*Depends on:\*\* .*\n\n/,
      ids: /#step-\d+/g,
      say: (ids) => `**Depends on:** ${ids.join(", ")}\n\n`,
      put: (text, clause) => text.replace(/(?<=\n\n)/, clause),
    },
  }),
  lineDocument({
    format: "gsd-plan",
    plan: "PLAN.md",
    head: "---\nphase: 01-shop\nplan: 01\n---\n\n<objective>\nA shop.\n</objective>\n\n<tasks>\n",
    tail: "</tasks>\n",
    first: /^(?=<task )/m,
    make: (number, title) =>
      `<task type="auto">\n  <name>Task ${number}: ${title}</name>\n  <action>\nDo it.\n  </action>\n</task>\n`,
    renumber: (text, number) => text.replace(/Task \d+:/, `Task ${number}:`),
    part: (words) => `- [ ] ${words}\n`,
    end: "  </action>\n</task>\n",
    hasBox: false,
  }),
  lineDocument({
    format: "cursor",
    plan: ".cursor/plans/shop.plan.md",
    head: "---\nname: Shop\noverview: Words.\ntodos:\n",
    tail: "isProject: false\n---\n\n# Shop\n",
    first: /^(?= {2}- id:)/m,
    make: (number, title) => `  - id: t${number}\n    content: ${title}\n    status: pending\n`,
    renumber: (text, number) => text.replace(/id: t\d+/, `id: t${number}`),
    // It has no parts: they are more words of the step.
    part: (words) => `      ${words}\n`,
    end: "    status: ",
    hasBox: false,
    status: ["status: pending", "status: completed", /status: \w+/],
    needs: {
      id: (text) => /t\d+/.exec(text)![0],
      clause: / {4}dependencies: .*\n/,
      ids: /t\d+/g,
      say: (ids) => `    dependencies: [${ids.join(", ")}]\n`,
      put: (text, clause) => `${text}${clause}`,
    },
  }),
  listDocument({
    format: "task-master",
    plan: "tasks.json",
    make: (id, title) => ({ id, title, description: "words", status: "pending", dependencies: [] }),
    titleKey: "title",
    isDone: ({ status }) => status === "done",
    done: { status: "done" },
    open: { status: "pending" },
    needsKey: "dependencies",
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
    open: { passes: false },
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
    open: { passes: false },
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
    open: { status: "pending" },
    needsKey: "dependencies",
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
    open: { status: "Pending" },
    needsKey: "dependencies",
    partsKey: "acceptance_criteria",
    part: (words) => words,
    renumber: (record, number) => ({ ...record, id: String(number) }),
    fileOf: ({ id }) => `task-${String(id)}.json`,
    text: json,
    parse: (text) => JSON.parse(text) as Record_,
  }),
  folderDocument({
    ...BACKLOG,
    format: "backlog",
    plan: "backlog/tasks",
    needsKey: "dependencies",
    fileOf: ({ id }) => `${String(id)} - x.md`,
  }),
  {
    ...folderDocument({
      ...BACKLOG,
      format: "backlog-task",
      plan: "backlog",
      fileOf: () => "task-1.md",
    }),
    plan: "backlog/task-1.md",
    isOneStep: true,
  },
];
