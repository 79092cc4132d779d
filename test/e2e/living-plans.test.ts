import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planText, type StepSpec } from "../support/plans.ts";
import { AGENT, GOOD, type RunShop, runShop } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

const ONE: readonly StepSpec[] = [{ number: "1", tasks: ["dig"] }];
const TASKS = ".claude/tasks";

const task = (id: string, more: object = {}) =>
  `${JSON.stringify({ id, title: `Task ${id}`, status: "Pending", ...more }, undefined, 2)}\n`;

function checkOutWithoutPlan({ repo }: RunShop): void {
  repo.git("checkout", "-q", "-b", "other");
  repo.git("rm", "-q", "plan.md");
  repo.git("commit", "-q", "-m", "no plan here");
}

function replaceByLink({ repo }: RunShop): void {
  renameSync(join(repo.path, "plan.md"), join(repo.path, "elsewhere.md"));
  symlinkSync("elsewhere.md", join(repo.path, "plan.md"));
}

/** A committed folder with one task in it. */
function tasksShop(): RunShop {
  const shop = runShop();
  shop.repo.write(`${TASKS}/task-1.json`, task("1"));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "tasks");
  return shop;
}

/** Starts a run whose agent waits in the first step, does something to the plan, and lets the run come to its end. */
async function during(shop: RunShop, plan: string, first: string, change: () => void, ...options: string[]) {
  const go = shop.path("go");
  shop.script({ steps: { [first]: [[{ waitFor: go }, ...GOOD]] } });
  const { ended } = shop.start("run", plan, ...options, ...AGENT);
  await until(() => shop.starts(first) === 1);
  change();
  writeFileSync(go, "");
  return ended;
}

const attempts = (shop: RunShop) =>
  shop.query("select sum(verification_attempts) as attempts from steps")[0]?.["attempts"];

it("does steps that are committed to a Markdown plan while an agent works, in the same run", async () => {
  const shop = runShop(ONE);
  const { code, stderr } = await during(shop, "plan.md", "step-1", () => {
    shop.repo.write("plan.md", planText([...ONE, { number: "2", tasks: ["build"] }]));
    shop.repo.git("commit", "-qam", "more");
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("plan.md changed: added step-2.");
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  expect(shop.starts("step-1")).toBe(1);
  expect(shop.query("select count(*) as lines from events where event = 'plan-grown'")).toEqual([
    { lines: 1 },
  ]);
});

it.each<[string, (shop: RunShop) => void, number]>([
  ["a remark", (shop) => shop.repo.write("plan.md", `${planText(ONE)}\nA remark.\n`), 1],
  ["a broken plan", (shop) => shop.repo.write("plan.md", "nothing\n"), 1],
  ["a deleted plan", (shop) => rmSync(join(shop.repo.path, "plan.md")), 0],
  ["a branch without the plan, checked out", (shop) => checkOutWithoutPlan(shop), 0],
  ["a link in place of the plan", (shop) => replaceByLink(shop), 0],
])("is not stopped by %s that is not committed, and says so once", async (_, change, said) => {
  const shop = runShop([...ONE, { number: "2", tasks: ["build"], dependsOn: ["step-1"] }]);
  const { code, stderr } = await during(shop, "plan.md", "step-1", () => change(shop));
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr.split("plan.md has uncommitted changes")).toHaveLength(said + 1);
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
});

it("does a task whose file is created while an agent works, committed or not", async () => {
  const shop = tasksShop();
  const { code, stderr } = await during(shop, TASKS, "task-1", () => {
    shop.repo.write(`${TASKS}/task-2.json`, task("2"));
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "another task");
    shop.repo.write(`${TASKS}/task-3.json`, task("3"));
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(shop.steps()).toEqual(["task-1 completed", "task-2 completed", "task-3 completed"]);
  expect([shop.starts("task-1"), attempts(shop)]).toEqual([1, 3]);
});

it("does a task that is committed after the run that made its worktrees, and no attempt is lost", async () => {
  const shop = tasksShop();
  expect(await shop.start("run", TASKS, ...AGENT).ended).toMatchObject({ code: 0 });
  shop.repo.write(`${TASKS}/task-9.json`, task("9"));
  shop.repo.git("add", `${TASKS}/task-9.json`);
  shop.repo.git("commit", "-q", "-m", "another task");
  const { code, stderr } = await shop.start("run", TASKS, ...AGENT).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(shop.steps()).toEqual(["task-1 completed", "task-9 completed"]);
  expect(shop.query("select anchor from verdicts where outcome <> 'passed'")).toEqual([]);
});

it("leaves a task file that is renamed, uncommitted, to the one who works on it", async () => {
  const shop = tasksShop();
  const { code, stderr } = await during(shop, TASKS, "task-1", () => {
    shop.repo.write(`${TASKS}/task-9.json`, task("9", { title: "Task 1" }));
    rmSync(join(shop.repo.path, TASKS, "task-1.json"));
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(`${TASKS} has uncommitted changes. They count once they are committed.`);
  expect(shop.steps()).toEqual(["task-1 completed"]);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "another name");
  expect(await shop.start("run", TASKS, ...AGENT).ended).toMatchObject({ code: 0 });
  expect(shop.steps()).toEqual(["task-9 completed"]);
  expect([shop.starts("task-1"), shop.starts("task-9")]).toEqual([1, 0]);
});

it("asks about a new task that is like two completed ones, and does not do it again", async () => {
  const shop = tasksShop();
  for (const id of ["2", "7"])
    shop.repo.write(`${TASKS}/task-${id}.json`, task(id, { title: "Clean the hall" }));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "the same twice");
  expect(await shop.start("run", TASKS, ...AGENT).ended).toMatchObject({ code: 0 });
  shop.repo.git("rm", "-q", "-f", `${TASKS}/task-2.json`, `${TASKS}/task-7.json`);
  shop.repo.write(`${TASKS}/task-9.json`, task("9", { title: "Clean the hall slowly" }));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "once, and slowly");
  const { code, stdout } = await shop.start("run", TASKS, ...AGENT).ended;
  expect({ code, starts: shop.starts("task-9") }).toEqual({ code: 5, starts: 0 });
  expect(stdout).toContain("task-2 edited: its text in the plan changed;");
  expect(stdout).toContain("task-7 edited: the plan no longer has it;");
  const { findings } = shop.json("recover", "--dry-run").data;
  expect(findings).toMatchObject([
    { anchor: "task-2", found: expect.stringContaining('It is task-9 "Clean the hall slowly" there now.') },
    { anchor: "task-7", found: expect.stringContaining("was removed") },
  ]);
});

it("lets a step in progress end with the text it was claimed with, and asks about its edit afterwards", async () => {
  const shop = runShop(ONE);
  const { code, stdout } = await during(shop, "plan.md", "step-1", () => {
    shop.repo.write("plan.md", planText([{ number: "1", tasks: ["dig deeper"] }, { number: "2" }]));
    shop.repo.git("commit", "-qam", "deeper");
  });
  const waits = "1 step waits for a decision about an edit; all others are completed.";
  expect({ code, stdout }).toMatchObject({ code: 5, stdout: expect.stringContaining(waits) as string });
  expect(await shop.run()).toMatchObject({ code: 5, stdout: expect.stringContaining(waits) as string });
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  const { findings } = shop.json("recover", "--dry-run").data;
  expect(findings).toMatchObject([
    { rule: "step-edited", anchor: "step-1", choices: [{ key: "A" }, { key: "N" }, { key: "K" }] },
  ]);
  expect(shop.pawl("explain", "plan.md", "step-1").stdout).toContain(
    "    pawl recover --answer step-edited:step-1=A  # accept (the new text counts as done)\n",
  );
  expect(shop.pawl("recover", "plan.md", "--answer", "step-edited:step-1=N").code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 pending", "step-2 completed"]);
  expect(await shop.run()).toMatchObject({ code: 0 });
  expect(shop.query("select text, status from checklist_items")).toEqual([
    { text: "dig deeper", status: "completed" },
  ]);
  expect([shop.starts("step-1"), shop.starts("step-2")]).toEqual([2, 1]);
});

it("says what a completed step that was replaced is called now, and never counts other work as done by itself", async () => {
  const shop = runShop([{ number: "1" }, { number: "2", title: "Dig a well" }, { number: "3" }]);
  expect(await shop.run()).toMatchObject({ code: 0 });
  const after = [{ number: "1" }, { number: "7", title: "Paint walls" }, { number: "3" }];
  shop.repo.write("plan.md", planText(after));
  shop.repo.git("commit", "-qam", "replaced");
  expect(await shop.run()).toMatchObject({ code: 5 });
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
  const { findings } = shop.json("recover", "--dry-run").data;
  expect(findings).toMatchObject([
    {
      anchor: "step-2",
      found: expect.stringContaining('It is step-7 "Paint walls" there now.'),
      choices: [{ key: "A" }, { key: "N" }, { key: "K" }],
    },
  ]);
  expect(shop.pawl("recover", "plan.md", "--answer", "step-edited:step-2=N").code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed", "step-7 pending", "step-3 completed"]);
});

it("ticks the new items of a step that its file called done, once a person accepts them", async () => {
  const shop = runShop([]);
  shop.repo.write("todo.md", "# Shop\n\n- [x] T001 Dig\n- [ ] T002 Build\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "list");
  expect(shop.pawl("state", "init", "todo.md").code).toBe(0);
  shop.repo.write("todo.md", "# Shop\n\n- [x] T001 Dig\n  - [ ] deeper\n- [ ] T002 Build\n");
  shop.repo.git("commit", "-qam", "deeper");
  expect(shop.pawl("state", "claim", "todo.md", "--worktree", shop.repo.path).code).toBe(0);
  expect(shop.pawl("recover", "todo.md", "--answer", "step-edited:T001=A").code).toBe(0);
  expect(readFileSync(join(shop.repo.path, "todo.md"), "utf8")).toBe(
    "# Shop\n\n- [x] T001 Dig\n  - [x] deeper\n- [ ] T002 Build\n",
  );
});
