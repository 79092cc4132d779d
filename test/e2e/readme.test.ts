import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PAWL, pawlJson } from "../support/cli.ts";
import { flatPlan } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { ok, PLAN, refused, workshop } from "../support/workshop.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The shell blocks under a heading, in the order a reader pastes them. */
function shellBlocks(heading: string): readonly string[] {
  const [, section = ""] = README.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

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
  for (const way of [
    "`pawl init`",
    "`pawl state init`",
    "`pawl state reconcile`",
    "docs/recovery-by-hand.md",
  ])
    expect(hint).toContain(way);
  expect(shop.text("doctor").stdout).toContain("docs/recovery-by-hand.md");
  const [, block = ""] = /```\n([\s\S]*?)```/.exec(RECOVERY) ?? [];
  expect(block).toContain("damaged");
  const moved = spawnSync("sh", ["-eu"], { cwd: shop.home, env: cleanEnv(), input: block, encoding: "utf8" });
  expect(moved).toMatchObject({ status: 0, stderr: "" });
  ok(shop.json("init"));
  ok(shop.json("state", "init", PLAN));
  ok(shop.json("state", "reconcile", PLAN));
  expect(shop.step("step-1")["status"]).toBe("completed");
});

/** A repository with one commit, and a shell that has `pawl` and a stand-in for `claude`. */
function shell() {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const bin = join(dirname(repository.path), "bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  symlinkSync(SCRIPTED_AGENT, join(bin, "claude"));
  const env = cleanEnv({ PATH: [bin, process.env["PATH"]].join(delimiter) });
  const paste = (blocks: readonly string[]) => {
    const { status, stderr } = spawnSync("sh", ["-eu"], {
      cwd: repository.path,
      env,
      input: blocks.join("\n"),
      encoding: "utf8",
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { data } = pawlJson({ cwd: repository.path }, "state", "show", "plan.md");
    expect(data["plan"]).toMatchObject({ status: "done" });
  };
  return { repository, paste };
}

it("runs a plan with an agent when pasted from top to bottom", () => {
  const { repository, paste } = shell();
  const blocks = shellBlocks("Your own plan in two minutes");
  expect(blocks).toHaveLength(1);
  paste(blocks);
  expect(repository.git("ls-files")).toContain("work/step-1.txt");
});

it("works by hand when pasted from top to bottom", () => {
  const { repository, paste } = shell();
  const blocks = shellBlocks("By hand, or from your own scripts");
  expect(blocks).toHaveLength(3);
  paste(['pawl plan new plan && git add -A && git commit -q -m "The plan"', ...blocks]);
  expect(repository.git("ls-files")).toContain("work.txt");
});
