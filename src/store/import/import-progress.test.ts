import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { raw } from "../../../test/conformance/store.ts";
import { SMALL_PLAN } from "../../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../test/support/repository.ts";
import { makeVersion1 } from "../../../test/support/version-1.ts";
import { compose } from "../../compose.ts";
import type { Ports } from "../../platform/ports/ports.ts";
import { findImportable } from "./find-importable.ts";
import { importProgress } from "./import-progress.ts";

let repo: TestRepository;
let ports: Ports;

beforeEach(async () => {
  repo = testRepository();
  ports = await compose({ cwd: repo.path, env: cleanEnv() });
});

afterEach(async () => {
  await (await ports.database({ create: true })).close();
  repo.remove();
});

const AT = "2026-01-01T00:00:00Z";

const step = (anchor: string, index: number, title: string, more: object = {}) => ({
  plan_path: "plan.md",
  anchor,
  step_index: index,
  title,
  status: "pending",
  ...more,
});

const item = (anchor: string, ordinal: number, text: string) => ({
  plan_path: "plan.md",
  step_anchor: anchor,
  kind: "task",
  ordinal,
  text,
  status: "completed",
});

/** A database as Tugstate leaves it, with a plan whose file is gone. */
function tugstate(): void {
  repo.write("plan.md", SMALL_PLAN);
  const plan = (plan_path: string) => ({ plan_path, plan_hash: "x", created_at: AT, updated_at: AT });
  makeVersion1(join(repo.path, ".tugtool/state.db"), {
    plans: [plan("plan.md"), plan("gone.md")],
    steps: [
      step("step-0", 0, "Lay the ground", { status: "completed", commit_hash: "0123456789abcdef" }),
      step("step-1", 1, "Build", { status: "in_progress", claimed_by: "/elsewhere" }),
      step("step-1-1", 2, "North wall", { status: "completed", parent_anchor: "step-1" }),
      step("step-1-2", 3, "South wall", { parent_anchor: "step-1" }),
      step("step-2", 4, "Paint it black", { status: "completed" }),
    ],
    checklist_items: [
      item("step-0", 0, "dig"),
      item("step-1", 0, "raise the walls"),
      item("step-1-2", 0, "other words"),
    ],
  });
}

const query = async (text: string) => {
  const database = await ports.database();
  return (await database.read((sql) => sql.all(raw<{ line: string }>(text), {}))).map(({ line }) => line);
};

const steps = () => query("select anchor || ' ' || status as line from steps order by step_index");

/** SQLite's own files beside it come and go with the connection that made it. */
const bytesOf = (file: string) => ports.sha256(readFileSync(join(repo.path, file), "latin1"));

describe("a database of Tugstate", () => {
  beforeEach(tugstate);

  it("is found, with what it knows of each plan", async () => {
    const { progress } = await findImportable(ports, {});
    expect(progress).toEqual([
      {
        tool: "Tugstate",
        source: ".tugtool/state.db",
        planPath: "gone.md",
        steps: 0,
        completed: 0,
        problem: "its file is gone",
        toImport: 0,
      },
      {
        tool: "Tugstate",
        source: ".tugtool/state.db",
        planPath: "plan.md",
        steps: 3,
        completed: 2,
        problem: null,
        toImport: 2,
      },
    ]);
  });

  it("is imported as far as steps say what they said, once, and stays as it is", async () => {
    const before = bytesOf(".tugtool/state.db");
    const { plans } = await importProgress(ports, {});
    expect(plans).toMatchObject([
      { planPath: "gone.md", completed: [], problem: "its file is gone" },
      {
        planPath: "plan.md",
        completed: ["step-0", "step-1-1"],
        items: 1,
        skipped: [{ anchor: "step-2", because: 'its title is "Paint" by now, and was "Paint it black"' }],
        problem: null,
      },
    ]);
    expect(await steps()).toEqual([
      "step-0 completed",
      "step-1 pending",
      "step-1-1 completed",
      "step-1-2 pending",
      "step-2 pending",
    ]);
    expect(await query("select complete_reason as line from steps where anchor = 'step-0'")).toEqual([
      "completed in Tugstate with 0123456789ab",
    ]);
    const journal = () => query("select event || coalesce(anchor, '') as line from events order by 1");
    const lines = await journal();
    expect((await importProgress(ports, { plan: "plan.md" })).plans).toMatchObject([
      { completed: [], items: 0, problem: null },
    ]);
    expect(await journal()).toEqual(lines);
    expect((await findImportable(ports, { plan: "plan.md" })).progress).toMatchObject([{ toImport: 1 }]);
    expect(bytesOf(".tugtool/state.db")).toEqual(before);
  });

  it("changes nothing about a step that Pawl has begun", async () => {
    await importProgress(ports, {});
    const database = await ports.database();
    await database.write((sql) =>
      sql.run(
        raw("update steps set status = 'on_hold', last_event = 'held' where anchor = 'step-2'"),
        {} as never,
      ),
    );
    expect((await importProgress(ports, { plan: "plan.md" })).plans).toMatchObject([
      { skipped: [{ anchor: "step-2" }] },
    ]);
  });

  it("is reported where it cannot be read", async () => {
    repo.write(".tugtool/state.db", "no database");
    const { progress } = await findImportable(ports, {});
    expect(progress).toMatchObject([
      { tool: "Tugstate", planPath: null, problem: expect.stringContaining("cannot be read") as string },
    ]);
    expect((await importProgress(ports, {})).plans).toEqual([]);
  });
});

it("finds task files, specs and worktrees of other tools, and imports by reading the files", async () => {
  repo.write(".claude/tasks/task-1.json", '{"id": "1", "title": "A", "status": "Finished"}\n');
  repo.write(".claude/tasks/task-2.json", '{"id": "2", "title": "B", "status": "Pending"}\n');
  const subtask = (id: string, status: string) => ({ id, description: id, status });
  repo.write(
    ".auto-claude/specs/001-shop/implementation_plan.json",
    JSON.stringify({
      feature: "Shop",
      phases: [{ id: "p", name: "P", subtasks: [subtask("a", "completed"), subtask("b", "pending")] }],
    }),
  );
  mkdirSync(join(repo.path, ".auto-claude/specs/002-empty"), { recursive: true });
  repo.write(".auto-claude/specs/002-empty/spec.md", "# Later\n");
  const worktree = join(repo.path, "../001-shop");
  repo.git("worktree", "add", "-q", "-b", "auto-claude/001-shop", worktree);
  repo.git("-C", worktree, "commit", "-q", "--allow-empty", "-m", "work");
  const found = await findImportable(ports, {});
  expect(found.progress).toMatchObject([
    { tool: "Auto-Claude", planPath: ".auto-claude/specs/001-shop", steps: 2, completed: 1 },
    { tool: "Claude task files", planPath: ".claude/tasks", steps: 2, completed: 1 },
  ]);
  expect(found.worktrees).toMatchObject([
    { branch: "auto-claude/001-shop", commits: 1, uncommittedFiles: 0 },
  ]);
  const { plans } = await importProgress(ports, {});
  expect(plans).toMatchObject([{ completed: ["a"] }, { completed: ["task-1"] }]);
  expect((await importProgress(ports, {})).plans).toMatchObject([{ completed: [] }, { completed: [] }]);
});
