import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { pawlOn } from "../../../src/api.ts";
import { compose } from "../../../src/compose.ts";
import { FORMAT_NAMES, formatCarriesStatus } from "../../../src/plans/formats/format-names.ts";
import { freeHeldStep, lockedStep, writeBackOrNotice } from "../../../src/plans/index.ts";
import { journal } from "../../../src/journal/index.ts";
import { cleanEnv, testRepository } from "../../support/repository.ts";

/** What happens to the first step, in this order. */
const MOVES = ["start", "block", "resume", "fail", "resume again", "complete", "reopen"] as const;

type Move = (typeof MOVES)[number];

/** What stands where the file says how far the step is: before everything, and after each move. */
type Slots = Readonly<Record<Move | "before", string>>;

interface Row {
  /** What its name in the table is not: the name of its format. */
  readonly format?: string;
  /** The plan, and the file of it that says how far the step is, where the plan is a folder. */
  readonly plan: string;
  readonly file?: string;
  readonly step: string;
  /** The step has no items to tick. */
  readonly isBare?: true;
  /** The file; `theirs` is what another program changes in it all the time. */
  readonly text: (slot: string, theirs: number) => string;
  readonly slots: Slots;
}

const slots = (open: string, busy: string, stopped: string, done: string): Slots => ({
  before: open,
  start: busy,
  block: stopped,
  resume: busy,
  fail: stopped,
  "resume again": busy,
  complete: done,
  reopen: open,
});

/** Files that only know done and not done. */
const twoWords = (open: string, done: string): Slots => slots(open, open, open, done);

const TICKS = twoWords(" ", "x");

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Why a task was blocked stays in its notes. */
const notes = (...lines: readonly string[]): string =>
  `"notes": [\n${lines.map((line) => `  "${line}"`).join(",\n")}\n]`;

const FULL = "[BLOCKED] the disk is full";
const BROKE = "[AGENT FAILED] it broke";

const backlogTask = (id: string, [status, box]: readonly string[], theirs: number): string =>
  `---\nid: ${id}\ntitle: Länge\nstatus: ${status}\nassignee: []\nlabels: [l${theirs}]\n---\n\n## Description\n\nwords\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [${box}] #1 it fits\n<!-- AC:END -->\n`;

const BACKLOG = slots("To Do| ", "In Progress| ", "To Do| ", "Done|x");

/** A row for each format that carries progress; the compiler does not ask for it, the test below does. */
const ROWS: Readonly<Record<string, Row>> = {
  "implementation-plan": {
    plan: "plan.json",
    step: "a",
    isBare: true,
    text: (status, theirs) =>
      json({
        feature: "x",
        phases: [
          {
            id: 1,
            subtasks: [
              { id: "a", status, n: 1.5 },
              { id: "b", status: "pending" },
            ],
          },
        ],
        theirs,
      }),
    slots: slots("pending", "in_progress", "blocked", "completed"),
  },
  "task-files": {
    plan: "tasks",
    file: "task-1.json",
    step: "task-1",
    isBare: true,
    text: (slot, theirs) => `{ "id": "1", "theirs": ${theirs}, ${slot} }\n`,
    slots: {
      before: '"status": "Pending"',
      start: '"status": "In Progress"',
      block: `"status": "Blocked", ${notes(FULL)}`,
      resume: `"status": "In Progress", ${notes(FULL)}`,
      fail: `"status": "Blocked", ${notes(FULL, BROKE)}`,
      "resume again": `"status": "In Progress", ${notes(FULL, BROKE)}`,
      complete: `"status": "Finished", ${notes(FULL, BROKE)}`,
      reopen: `"status": "Pending", ${notes(FULL, BROKE)}`,
    },
  },
  "task-master": {
    plan: ".taskmaster/tasks/tasks.json",
    step: "1",
    isBare: true,
    text: (status, theirs) =>
      json({
        master: {
          tasks: [
            { id: 1, title: "a", status, subtasks: [] },
            { id: 2, title: "b", status: "pending", dependencies: [1] },
          ],
          metadata: { theirs },
        },
      }),
    slots: slots("pending", "in-progress", "blocked", "done"),
  },
  ralph: {
    plan: "prd.json",
    step: "US-1",
    text: (passes, theirs) =>
      `{"project":"x","branchName":"b${theirs}","userStories":[{"id":"US-1","title":"a","acceptanceCriteria":["z"],"passes":${passes}},{"id":"US-2","title":"b","passes":false}]}`,
    slots: twoWords("false", "true"),
  },
  "feature-list": {
    plan: "feature_list.json",
    step: "F1",
    text: (passes, theirs) =>
      `[\n  { "id": "F1", "description": "a", "steps": ["z"], "passes": ${passes} },\n  { "id": "F2", "description": "b", "passes": false, "theirs": ${theirs} }\n]\n`,
    slots: twoWords("false", "true"),
  },
  "feature-list with a status": {
    format: "feature-list",
    plan: "feature_list.json",
    step: "F1",
    text: (status, theirs) =>
      `{\n  "status_legend": { "not_started": "", "passing": "" },\n  "features": [\n    { "id": "F1", "title": "a", "verification": ["z"], "status": "${status}" },\n    { "id": "F2", "title": "b", "status": "not_started", "theirs": ${theirs} }\n  ]\n}\n`,
    slots: slots("not_started", "in_progress", "blocked", "passing"),
  },
  "ralph with a status": {
    format: "ralph",
    plan: "prd.json",
    step: "US-1",
    text: (status, theirs) =>
      `{"project":"x","branchName":"b${theirs}","userStories":[{"id":"US-1","title":"a","acceptanceCriteria":["z"],"status":"${status}"},{"id":"US-2","title":"b","status":"todo"}]}`,
    slots: slots("todo", "in_progress", "blocked", "done"),
  },
  backlog: {
    plan: "backlog/tasks",
    file: "task-1 - a.md",
    step: "task-1",
    text: (slot, theirs) => backlogTask("task-1", slot.split("|"), theirs),
    slots: BACKLOG,
  },
  "backlog-task": {
    plan: "task-1.md",
    step: "task-1",
    text: (slot, theirs) => backlogTask("task-1", slot.split("|"), theirs),
    slots: BACKLOG,
  },
  "gsd-roadmap": {
    plan: "ROADMAP.md",
    step: "phase-1-a",
    text: (mark, theirs) =>
      `# Roadmap\n\nNote ${theirs}\n\n- [${mark}] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n\n- [${mark}] 01-01-PLAN.md\n\n### Phase 2: B\n`,
    slots: TICKS,
  },
  bmad: {
    plan: "1.1.story.md",
    step: "task-1-a",
    text: (mark, theirs) =>
      `# Story 1.1: A\r\n\r\nStatus: draft ${theirs}\r\n\r\n## Tasks / Subtasks\r\n\r\n- [${mark}] Task 1: a\r\n  - [${mark}] part\r\n- [ ] Task 2: b\r\n`,
    slots: TICKS,
  },
  cursor: {
    plan: ".cursor/plans/x.plan.md",
    step: "a",
    isBare: true,
    text: (status, theirs) =>
      `---\nname: x\ntodos:\n  - id: a\n    content: "Länge: lesen"\n    status: ${status}\n  - id: b\n    content: b\n    status: pending\nisProject: false\n---\n\nNote ${theirs}\n`,
    slots: slots("pending", "in_progress", "pending", "completed"),
  },
  headed: {
    plan: "plan.md",
    step: "task-1",
    text: (mark, theirs) =>
      `# Plan\n\n**Note:** ${theirs}\n\n### Task 1: a\n\n- [${mark}] **Step 1: part**\n- [${mark}] **Step 2: Commit**\n\n### Task 2: b\n\n- [ ] other\n`,
    slots: TICKS,
  },
  "headed, with status lines": {
    format: "headed",
    plan: "PLAN.md",
    step: "stage-1",
    isBare: true,
    text: (words, theirs) =>
      `# Plan\n\n**Note:** ${theirs}\n\n## Stage 1: a\n**Status**: ${words}\n\n## Stage 2: b\n**Status**: Not Started\n`,
    slots: twoWords("Not Started", "Complete"),
  },
  kiro: {
    plan: ".kiro/specs/x/tasks.md",
    step: "1",
    text: (marks, theirs) =>
      `# Implementation Plan\n\nNote ${theirs}\n\n- [${marks[0]}] 1. a\n  - [${marks[1]}] 1.1 part\n- [ ] 2. b\n`,
    slots: slots("  ", "- ", "  ", "xx"),
  },
  conductor: {
    plan: "conductor/tracks/x/plan.md",
    step: "a",
    text: (marks, theirs) =>
      `# Track ${theirs}\n\n- [${marks[0]}] Task: a\n    - [${marks[1]}] part\n- [ ] Task: b\n`,
    slots: slots("  ", "~ ", "  ", "xx"),
  },
  checklist: {
    plan: "tasks.md",
    step: "T001",
    text: (mark, theirs) =>
      `\ufeff# Tasks\r\n\nNote ${theirs}\r\n\n* [${mark}] T001 a 帽子\n  * [${mark}] part\n* [ ] T002 b`,
    slots: TICKS,
  },
};

/** A repository whose plan another program rewrites between our look at it and our rename, twice for each of ours. */
async function shopOf(name: string, { plan, file, step, isBare, text, slots: words }: Row) {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const path = repository.write(file === undefined ? plan : `${plan}/${file}`, text(words.before, 0));
  const ports = await compose({ cwd: repository.path, env: cleanEnv() });
  let [theirs, now]: [number, string] = [0, words.before];
  /** As a program does that knows only its own part of the file. */
  const rewrite = () => {
    theirs += 1;
    writeFileSync(path, text(now, theirs));
  };
  let left = 0;
  const beset = {
    ...ports,
    files: {
      ...ports.files,
      replaceIf(...args: Parameters<typeof ports.files.replaceIf>) {
        if (left > 0 && args[0] === path) {
          left -= 1;
          rewrite();
        }
        return ports.files.replaceIf(...args);
      },
    },
  };
  const pawl = pawlOn(beset);
  onTestFinished(() => pawl.close());
  const at = { plan, step, worktree: repository.path };
  const stop = async (reason: string, note: string) => {
    const { key } = beset.plans.locate(plan);
    const database = await beset.database();
    await database.write(async (sql) => {
      await freeHeldStep(sql, await lockedStep(sql, key, step), "blocked", { reason, note });
      await journal(sql, { event: "blocked", plan: key, anchor: step });
    });
    await writeBackOrNotice(beset, key);
  };
  const begin = async () => {
    await pawl.claim(at);
    await pawl.start(at);
  };
  const again = async () => {
    await pawl.retry(at);
    await begin();
  };
  const verbs: Readonly<Record<Move, () => Promise<unknown>>> = {
    start: begin,
    block: () => stop("blocked", "the disk is full"),
    resume: again,
    fail: () => stop("agent_failed", "it broke"),
    "resume again": again,
    complete: async () => {
      if (!isBare) await pawl.update({ ...at, changes: [{ all: true, status: "completed" }] });
      await pawl.complete(at);
    },
    reopen: () => pawl.reopen({ ...at, reason: "it was not done" }),
  };
  await pawl.init({ plan, format: name });
  return {
    /** What the file should hold after a move, and what it does. */
    async move(move: Move) {
      rewrite();
      left = 2;
      await verbs[move]();
      now = words[move];
      return { is: readFileSync(path, "utf8"), expected: text(now, theirs) };
    },
  };
}

describe("while another program rewrites the plan, each change of ours and each of theirs is there, and nothing else", () => {
  it.each(Object.entries(ROWS))("%s", async (name, row) => {
    const shop = await shopOf(row.format ?? name, row);
    for (const move of MOVES) {
      const { is, expected } = await shop.move(move);
      expect({ move, is }).toEqual({ move, is: expected });
    }
  });

  it("has a row for each format that carries progress", () =>
    expect(FORMAT_NAMES.filter((name) => formatCarriesStatus(name) && !Object.hasOwn(ROWS, name))).toEqual(
      [],
    ));
});
