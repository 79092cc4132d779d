import { expect, it } from "vitest";
import { runShop, type RunShop } from "../support/run-shop.ts";

const TWO = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
];

/** Both steps write the same file, so a merge that starts from before the squash would conflict. */
function sharedFileShop(): RunShop {
  const shop = runShop(TWO);
  const act = [{ write: "shared.txt" }, { tick: "all" }];
  shop.script({ steps: { "step-1": [act], "step-2": [act] } });
  return shop;
}

const squash = (shop: RunShop) => shop.json("worktree", "merge", "plan.md", "--squash");

it("a plan that was squashed halfway is finished and merged without a conflict", async () => {
  const shop = sharedFileShop();
  expect((await shop.run("--max-steps", "1")).code).toBe(0);
  expect(squash(shop).data).toMatchObject({ merged: true, steps: ["step-1"], warnings: [] });
  shop.repo.write("elsewhere.txt", "base\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "the base continues");
  const { code, stderr } = await shop.run();
  expect(code, stderr).toBe(0);
  expect(squash(shop).data).toMatchObject({ merged: true, steps: ["step-2"] });
  expect(shop.repo.git("show", "main:shared.txt")).toBe(shop.repo.git("show", "pawl/plan:shared.txt"));
  expect(shop.repo.git("log", "--format=%s", "main").split("\n")).toHaveLength(5);
  expect(shop.repo.git("log", "-1", "--format=%B", "main")).not.toContain("step-1");
  expect(shop.repo.git("status", "--porcelain")).toBe("");
});

it("a plan that another program squashed into the base continues from there", async () => {
  const shop = sharedFileShop();
  expect((await shop.run("--max-steps", "1")).code).toBe(0);
  shop.repo.git("merge", "-q", "--squash", "pawl/plan");
  shop.repo.git("commit", "-q", "-m", "squashed by hand");
  const { code, stderr } = await shop.run();
  expect(code, stderr).toBe(0);
  const { data } = shop.json("worktree", "merge", "plan.md");
  expect(data).toMatchObject({ merged: true, steps: ["step-2"] });
});
