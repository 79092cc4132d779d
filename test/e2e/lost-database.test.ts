import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { flatPlan } from "../support/plans.ts";
import { AGENT, type RunShop, runShop, THREE } from "../support/run-shop.ts";
import { cleanEnv } from "../support/repository.ts";
import { ok, PLAN, refused, workshop } from "../support/workshop.ts";

const RECOVERY = readFileSync(new URL("../../docs/recovery-by-hand.md", import.meta.url), "utf8");

it("gets a lost database back by the way that the error and doctor name", () => {
  const shop = workshop(null);
  shop.repository.write(PLAN, flatPlan(2));
  ok(shop.json("state", "init", PLAN));
  shop.take(".", "step-1");
  ok(shop.work("update", ".", "step-1", "--all", "completed"));
  ok(shop.json("commit", "--plan", PLAN, "--step", "step-1", "--worktree", "."));
  rmSync(shop.database);
  const { hint } = refused(shop.json("state", "show", PLAN), "E083", 3);
  for (const way of ["`pawl init`", "`pawl state reconcile PLAN`", "docs/recovery-by-hand.md"])
    expect(hint).toContain(way);
  expect(shop.text("doctor").stdout).toContain("docs/recovery-by-hand.md");
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(RECOVERY) ?? [];
  expect(block).toContain("damaged");
  const moved = spawnSync("sh", ["-eu"], { cwd: shop.home, env: cleanEnv(), input: block, encoding: "utf8" });
  expect(moved).toMatchObject({ status: 0, stderr: "" });
  ok(shop.json("init"));
  ok(shop.json("state", "reconcile", PLAN));
  expect(shop.step("step-1")["status"]).toBe("completed");
});

it.each([
  ["its branch", (shop: RunShop) => shop],
  [
    "nothing but merged commits",
    (shop: RunShop) => {
      shop.repo.git("merge", "-q", "--no-edit", "pawl/plan");
      for (const path of [shop.worktree()]) shop.repo.git("worktree", "remove", "--force", "--force", path);
      shop.repo.git("branch", "-q", "-D", "pawl/plan", "pawl/plan-w1");
      return shop;
    },
  ],
] as const)("names reconcile after a lost state folder that left %s", async (_, leaving) => {
  const shop = runShop(THREE);
  expect((await shop.run()).code).toBe(0);
  leaving(shop);
  rmSync(join(shop.repo.path, ".git/pawl"), { recursive: true });
  rmSync(join(shop.repo.path, ".git/pawl-proof"), { recursive: true, force: true });
  const way = "pawl state reconcile plan.md";
  const said = (...args: readonly string[]) => {
    const { stdout, stderr } = shop.pawl(...args);
    return `${stdout}${stderr}`;
  };
  expect(said("init")).toContain(way);
  expect(said("status")).toContain(way);
  expect(said("doctor")).toContain(way);
  expect(shop.json("doctor").data.checks).toContainEqual(
    expect.objectContaining({ name: "state_plans", status: "warn" }),
  );
  expect(said("run", "plan.md", ...AGENT)).toContain(way);
});

it("names nothing in a repository in which nothing was done", () => {
  const shop = runShop(THREE);
  for (const args of [["init"], ["status"], ["doctor"]])
    expect(shop.pawl(...args).stdout).not.toContain("reconcile");
});
