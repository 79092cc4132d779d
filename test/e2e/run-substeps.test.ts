import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT } from "../support/run-shop.ts";
import { specShop } from "../support/spec-shop.ts";

const KIRO = {
  path: ".kiro/specs/shed/tasks.md",
  text: "# Implementation Plan\n\n- [ ] 1. Build\n- [ ] 1.1 Walls\n  - [ ] bricks\n- [ ] 1.2 Roof\n- [ ] 2. Paint\n",
  done: "# Implementation Plan\n\n- [x] 1. Build\n- [x] 1.1 Walls\n  - [x] bricks\n- [x] 1.2 Roof\n- [x] 2. Paint\n",
  substeps: ["1.1", "1.2"],
};

const subtask = (id: number, title: string, status: string, dependencies: readonly number[] = []) => ({
  id,
  title,
  description: `${title} of the shed`,
  status,
  dependencies,
});

const tasks = (status: string) =>
  `${JSON.stringify(
    {
      master: {
        tasks: [
          {
            id: 1,
            title: "Build",
            description: "The shed",
            status,
            dependencies: [],
            subtasks: [subtask(1, "Walls", status), subtask(2, "Roof", status, [1])],
          },
        ],
      },
    },
    null,
    2,
  )}\n`;

const TASK_MASTER = {
  path: ".taskmaster/tasks/tasks.json",
  text: tasks("pending"),
  done: tasks("done"),
  substeps: ["1.1", "1.2"],
};

function shopWith({ path, text }: typeof KIRO) {
  const shop = specShop(undefined);
  shop.repo.write(path, text);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "the plan");
  return {
    ...shop,
    inPlan: () => readFileSync(join(shop.repo.path, path), "utf8"),
    status: (anchor: string) =>
      shop.query(`select status from steps where anchor = '${anchor}'`)[0]!["status"],
  };
}

describe.each([
  ["kiro", KIRO],
  ["task-master", TASK_MASTER],
])("substeps without items, in a plan of %s", (_, plan) => {
  it("are open until the agent ticks them by the commands of its prompt", () => {
    const shop = shopWith(plan);
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { tick: "prompt" }]] });
    expect(shop.pawl("run", plan.path, ...AGENT)).toMatchObject({ code: 0 });
    const prompt = shop.prompt("1", 1);
    expect(prompt).toContain(
      `- open, substep 1.2: Roof\n  \`pawl state update ${plan.path} 1.2 --task 1 completed\``,
    );
    expect(shop.starts("1")).toBe(1);
    expect(shop.inPlan()).toBe(plan.done);
  });

  it("are never completed for an agent that leaves them open", () => {
    const shop = shopWith(plan);
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { tick: "all" }]] });
    expect(shop.pawl("run", plan.path, ...AGENT).code).not.toBe(0);
    expect(shop.status("1")).toBe("blocked");
    expect(plan.substeps.map((anchor) => shop.status(anchor))).not.toContain("completed");
    expect(shop.inPlan()).not.toMatch(/\[x\]|done/);
    expect(shop.prompt("1", 2)).toContain("1.2: task 1 is open: Roof");
    expect(shop.pawl("explain", plan.path, "1").stdout).toContain("0 of 2 substeps completed");
  });
});

it("shows a ticked substep in the file at once, and names the next call that works", () => {
  const shop = shopWith(TASK_MASTER);
  const { path } = TASK_MASTER;
  shop.pawl("state", "init", path);
  shop.pawl("state", "claim", path, "--worktree", ".", "--start");
  const tick = (anchor: string) =>
    shop.pawl("state", "update", path, anchor, "--worktree", ".", "--task", "1", "completed").stdout;
  expect(tick("1.1")).toContain(`next: tick each item once it is true: pawl state update ${path} 1.2`);
  expect(shop.inPlan().match(/"done"/g)).toHaveLength(1);
  expect(tick("1.2")).toContain(`next: pawl commit --plan ${path} --step 1 `);
  expect(shop.inPlan().match(/"done"/g)).toHaveLength(2);
});

it("counts subtasks that were marked done in the worktree's copy of a JSON plan, and puts the copy back", () => {
  const shop = shopWith(TASK_MASTER);
  const ticks = `sed -i 's/"status": "pending"/"status": "done"/' ${TASK_MASTER.path}`;
  shop.script({ steps: { "1": [[{ write: "work/1.txt" }, { sh: ticks }]] } });
  const { code, stderr } = shop.pawl("run", TASK_MASTER.path, ...AGENT);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("2 items were ticked in the worktree's copy");
  expect(shop.starts("1")).toBe(1);
  expect(shop.inPlan()).toBe(TASK_MASTER.done);
  const [{ commit_hash }] = shop.query("select commit_hash from steps where anchor = '1'") as [
    Record<string, string>,
  ];
  expect(shop.repo.git("show", "--name-only", "--format=", commit_hash!)).toBe("work/1.txt");
});

it("counts a substep that was ticked in the worktree's copy of the plan", () => {
  const shop = shopWith(KIRO);
  const ticks = `sed -i 's/\\[ \\] 1\\.\\([12]\\)/[x] 1.\\1/; s/\\[ \\] bricks/[x] bricks/' ${KIRO.path}`;
  shop.script({
    steps: { "1": [[{ write: "work/1.txt" }, { sh: ticks }]] },
    runs: [[{ write: "work/{step}.txt" }]],
  });
  expect(shop.pawl("run", KIRO.path, ...AGENT)).toMatchObject({ code: 0 });
  expect(shop.starts("1")).toBe(1);
  expect(shop.inPlan()).toBe(KIRO.done);
});
