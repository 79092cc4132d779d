import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import { nodeFiles } from "../../platform/os/node-files.ts";
import { backlog } from "./backlog.ts";
import { foldFolder } from "./plan-folder.ts";
import { readSource } from "./plan-source.ts";
import { parseSource } from "./read-plan.ts";
import { contentOf } from "./step-text.ts";
import { writePlan } from "./write-plan.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A project with these files below `backlog/`, and its tasks as Pawl reads them. */
function readProject(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "pawl-backlog-"));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, "backlog", name, ".."), { recursive: true });
    writeFileSync(join(root, "backlog", name), text);
  }
  const path = join(root, "backlog", "tasks");
  return parseSource(readSource(nodeFiles, path), path);
}

const task = (id: string, title: string, status: string, needs = "[]", body = ""): string =>
  `---\nid: ${id}\ntitle: ${title}\nstatus: ${status}\ndependencies: ${needs}\n---\n${body}`;

describe("the tasks of Backlog.md", () => {
  const two = task("task-2", "B", "To Do", "[task-1]");

  it("do not wait for one that was moved to the completed ones, and are the same work as before", () => {
    const before = readProject({
      "tasks/task-1 - A.md": task("task-1", "A", "Done"),
      "tasks/task-2 - B.md": two,
    });
    const after = readProject({
      "completed/task-1 - A.md": task("task-1", "A", "Done"),
      "tasks/task-2 - B.md": two,
    });
    expect(after.steps).toMatchObject([{ anchor: "task-2", dependsOn: [], progress: { status: "pending" } }]);
    expect(after.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["P051", "info"]]);
    expect(contentOf(after.steps[0]!)).toBe(contentOf(before.steps.at(-1)!));
  });

  it("are blocked by one that is nowhere, or that was archived", () => {
    const after = readProject({
      "archive/tasks/task-1 - A.md": task("task-1", "A", "To Do"),
      "tasks/task-2 - B.md": two,
    });
    expect(after.steps).toMatchObject([{ progress: { status: "blocked", reason: "dependency_unread" } }]);
  });

  const folder = {
    files: [
      { name: "task-1 - A.md", text: task("task-1", "A", "To Do", "[]", "\n- [ ] a\n") },
      { name: "task-1 - B.md", text: task("TASK-1", "B", "To Do", "[]", "\n- [ ] b\n") },
    ],
    archived: [],
  };

  it("with one id are distinguished by their titles, in what is written, too", () => {
    const text = foldFolder(folder);
    const plan = backlog.read(text);
    expect(plan.steps.map(({ anchor }) => anchor)).toEqual(["task-1-a", "task-1-b"]);
    const done = { "task-1-b": { status: "completed", completedAt: NOW } } as const;
    const { edits } = writePlan(backlog, { text, companions: undefined }, progressOf(plan, done));
    expect(edits.map(({ name }) => name)).toEqual(["task-1 - B.md"]);
    expect(edits[0]!.after).toContain("status: Done");
  });

  it("that are the same in all are refused", () => {
    const same = folder.files.map(({ name }) => ({ name, text: folder.files[0]!.text }));
    const { diagnostics } = backlog.read(foldFolder({ files: same, archived: [] }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["P014"]);
  });
});
