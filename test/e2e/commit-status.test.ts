import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatCarriesStatus } from "../../src/plans/formats/format-names.ts";
import { DOCUMENTS, type PlanDocument } from "../support/plan-edits/documents.ts";
import { AGENT, runShop, type RunShop } from "../support/run-shop.ts";

const COMMITTED = "commit_status = true\n";

/** A repository whose only plan is of a format, with every step done by a run and not merged yet. */
function builtShop(document: PlanDocument, settings?: string): RunShop {
  const shop = plannedShop(document, settings);
  const { code, stderr } = shop.pawl("run", document.plan, ...AGENT);
  expect(code, stderr).toBe(0);
  return shop;
}

function plannedShop(document: PlanDocument, settings?: string): RunShop {
  const shop = runShop([], settings);
  shop.repo.git("rm", "-q", "plan.md");
  const titles = document.isOneStep ? ["Dig k0001"] : ["Dig k0001", "Build k0002"];
  document.write(
    shop.repo.path,
    titles.map((title, at) => document.make(at + 1, title)),
  );
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "plan");
  return shop;
}

/** Changes of committed files. */
const changes = (shop: RunShop): string => shop.repo.git("status", "--porcelain", "--untracked-files=no");

const isShownDone = (document: PlanDocument, shop: RunShop): boolean =>
  document.read(shop.repo.path).every(({ isDone }) => isDone);

const writable = DOCUMENTS.filter(({ format }) => formatCarriesStatus(format));

describe("the status in a plan's files", () => {
  it.each(writable)("is committed with what lands, where the settings say so: $name", (document) => {
    const shop = builtShop(document, COMMITTED);
    const { data } = shop.json("worktree", "merge", document.plan);
    expect(data).toMatchObject({ merged: true, status_commit: shop.repo.git("rev-parse", "HEAD") });
    expect(changes(shop)).toBe("");
    expect(isShownDone(document, shop)).toBe(true);
    expect(shop.repo.git("log", "-1", "--format=%s")).toBe(`Record the status of ${document.plan}`);
  });

  it.each(writable)("is left to the person otherwise: $name", (document) => {
    const shop = builtShop(document);
    expect(shop.json("worktree", "merge", document.plan).data.status_commit).toBeUndefined();
    expect(changes(shop)).not.toBe("");
    expect(isShownDone(document, shop)).toBe(true);
  });
});

/** Subjects of the commits since the plan, oldest first. */
const subjects = (shop: RunShop): readonly string[] =>
  shop.repo.git("log", "--reverse", "--format=%s").split("\n").slice(3);

describe("the status of steps that a run does in the main checkout", () => {
  it.each(writable)("is committed after each step: $name", (document) => {
    const shop = plannedShop(document, COMMITTED);
    const { code, stderr } = shop.pawl("run", document.plan, "--worktree", ".", ...AGENT);
    expect(code, stderr).toBe(0);
    expect(changes(shop)).toBe("");
    expect(isShownDone(document, shop)).toBe(true);
    const records = subjects(shop).filter((one) => one.startsWith("Record the status of"));
    expect(records).toHaveLength(document.isOneStep ? 1 : 2);
  });

  it("is committed, too, where the agent ticks the boxes of its step in the file itself", () => {
    const shop = runShop([], COMMITTED);
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.write("todo.md", "# Todo\n\n- [ ] dig\n  - [ ] deep\n- [ ] build\n  - [ ] high\n");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-qm", "plan");
    const ticks = (...words: string[]) => ({
      sh: words
        .map((word) => `sed -i.old 's/\\[ \\] ${word}/[x] ${word}/' todo.md && rm todo.md.old`)
        .join(" && "),
    });
    shop.script({
      steps: {
        dig: [[{ write: "dug.txt" }, ticks("dig", "deep"), { tick: "all" }]],
        build: [[{ write: "built.txt" }, ticks("high"), { tick: "all" }]],
      },
    });
    const { code, stderr } = shop.pawl("run", "todo.md", "--worktree", ".", ...AGENT);
    expect(code, stderr).toBe(0);
    expect(changes(shop)).toBe("");
    const record = "Record the status of todo.md";
    expect(subjects(shop)).toEqual(["dig", record, "build", record]);
    const files = shop.repo.git("log", "--reverse", "--name-only", "--format=").split(/\n+/);
    expect(files.slice(-4)).toEqual(["dug.txt", "todo.md", "built.txt", "todo.md"]);
  });

  it("is left uncommitted where the agent ticks another step, and the run says so", () => {
    const shop = runShop([], COMMITTED);
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.write("todo.md", "# Todo\n\n- [ ] dig\n- [ ] build\n");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-qm", "plan");
    const ticks = { sh: "sed -i.old 's/\\[ \\] build/[x] build/' todo.md && rm todo.md.old" };
    shop.script({ steps: { dig: [[{ write: "dug.txt" }, ticks]], build: [[{ exit: 1 }]] } });
    const { stderr } = shop.pawl("run", "todo.md", "--worktree", ".", "--max-steps", "1", ...AGENT);
    expect(stderr).toContain("it says that build is done, which Pawl did not write");
    expect(subjects(shop)).toEqual(["dig"]);
  });
});

const [list] = writable as [PlanDocument];

it("a status that a kill left uncommitted is committed by the next landing", () => {
  const shop = builtShop(list);
  shop.json("worktree", "merge", list.plan);
  writeFileSync(join(shop.repo.path, "pawl.toml"), COMMITTED);
  const { data } = shop.json("worktree", "merge", list.plan);
  expect(data).toMatchObject({ already_merged: true, status_commit: expect.any(String) });
  expect(changes(shop)).toBe("");
});

it("a plan with changes of a person's is not committed for them", () => {
  const shop = builtShop(list, COMMITTED);
  const units = list.read(shop.repo.path);
  list.write(shop.repo.path, [...units, list.make(9, "Paint k0009")]);
  expect(shop.json("worktree", "merge", list.plan).data.status_commit).toBeUndefined();
  expect(shop.repo.git("show", `HEAD:${list.plan}`)).not.toContain("k0009");
  expect(changes(shop)).not.toBe("");
});

it("a tick that Pawl did not write is not committed for an agent, and no step is completed by it", () => {
  const shop = runShop([], COMMITTED);
  shop.repo.git("rm", "-q", "plan.md");
  shop.repo.write("todo.md", "# Todo\n\n- [ ] dig\n- [ ] build\n- [ ] paint\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "todo");
  const at = ["--worktree", shop.repo.path];
  shop.json("state", "init", "todo.md");
  shop.json("state", "claim", "todo.md", ...at, "--start");
  shop.repo.write("dug.txt", "dug\n");
  shop.repo.write("todo.md", "# Todo\n\n- [ ] dig\n- [ ] build\n- [x] paint\n");
  const { code, stderr } = shop.pawl("commit", "--plan", "todo.md", "--step", "dig", ...at);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("it says that paint is done, which Pawl did not write");
  expect(shop.repo.git("show", "HEAD:todo.md")).not.toContain("[x] paint");
  shop.json("state", "claim", "todo.md", ...at);
  expect(shop.query("select anchor from steps where status = 'completed'")).toEqual([{ anchor: "dig" }]);
});

describe("a step that is committed in the main checkout", () => {
  const TASK = ".claude/tasks/task-1.json";
  const commitByHand = (settings?: string): RunShop => {
    const shop = runShop([], settings);
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.write(TASK, `${JSON.stringify({ id: "1", title: "Dig", status: "Pending" }, undefined, 2)}\n`);
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-qm", "tasks");
    const at = ["--worktree", shop.repo.path];
    shop.json("state", "init", ".claude/tasks");
    shop.json("state", "claim", ".claude/tasks", ...at);
    shop.json("state", "start", ".claude/tasks", "task-1", ...at);
    shop.repo.write("dug.txt", "dug\n");
    const { data } = shop.json("commit", "--plan", ".claude/tasks", "--step", "task-1", ...at);
    expect(data).toMatchObject({ completed: true, files_staged: ["dug.txt"] });
    return shop;
  };

  it("has no status of its own task in its commit, and leaves it to the person", () => {
    const shop = commitByHand();
    expect(changes(shop)).toBe(` M ${TASK}`.trim());
    expect(shop.repo.git("log", "-1", "--name-only", "--format=")).toBe("dug.txt");
  });

  it("is followed by a commit of its status, where the settings say so", () => {
    const shop = commitByHand(COMMITTED);
    expect(changes(shop)).toBe("");
    expect(shop.repo.git("log", "-1", "--name-only", "--format=")).toBe(TASK);
    expect(shop.repo.git("show", `HEAD:${TASK}`)).toContain("Finished");
  });
});
