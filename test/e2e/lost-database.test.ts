import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { flatPlan } from "../support/plans.ts";
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
  for (const way of ["`pawl init`", "`pawl state reconcile`", "docs/recovery-by-hand.md"])
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
