import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StepSpec } from "../support/plans.ts";
import { GOOD, runShop, type RunShop, THREE } from "../support/run-shop.ts";
import { interrupted } from "../support/stuck-shops.ts";

const TWO: readonly StepSpec[] = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"] },
];

/** The verification of the first step takes too long until a person puts a file there. */
const SLOW_CHECK = `[verify]
command = ["sh", "-c", "test ! -e work/step-1.txt || test -e ../../../../fast || sleep 60"]
timeout = "2s"
`;

/** The first step timed out in verification, and the worker has used its worktree for the second one since. */
async function movedOn(steps: readonly StepSpec[] = TWO): Promise<RunShop> {
  const shop = runShop(steps, SLOW_CHECK);
  expect((await shop.run()).code).toBe(5);
  expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
  expect(existsSync(join(shop.worktree(), "work/step-1.txt"))).toBe(false);
  return shop;
}

describe("an implementation whose verification timed out and whose worktree moved on", () => {
  it("is put back from what was kept and verified by recover, without an agent", async () => {
    const shop = await movedOn();
    writeFileSync(shop.path("fast"), "");
    const { data } = shop.json("recover");
    expect(data.repaired, JSON.stringify(data)).toMatchObject([
      { rule: "verification-timed-out", repair: "verify", done: true },
    ]);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.repo.git("show", "pawl/plan:work/step-1.txt")).not.toBe("");
  });

  it("uses up its attempts and then waits for a person, who can have it continued", async () => {
    const shop = await movedOn();
    for (const attempts of [2, 3]) {
      shop.json("recover");
      expect(shop.query("select verification_attempts from steps where anchor = 'step-1'")).toEqual([
        { verification_attempts: attempts },
      ]);
    }
    shop.json("recover");
    expect(shop.query("select block_reason from steps where anchor = 'step-1'")).toEqual([
      { block_reason: "verification_escalated" },
    ]);
    const [finding] = shop.json("recover").data.findings;
    expect(finding).toMatchObject({ rule: "verification-escalated", weight: "decide" });
    rmSync(shop.worktree(), { recursive: true });
    expect(shop.json("state", "retry", "plan.md", "step-1").data.kept).toMatchObject({ extent: "whole" });
    writeFileSync(shop.path("fast"), "");
    expect((await shop.run()).code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("is continued by a retry and not implemented again", async () => {
    const shop = await movedOn();
    const { data } = shop.json("state", "retry", "plan.md", "step-1");
    expect(data.kept).toMatchObject({ extent: "whole" });
    writeFileSync(shop.path("fast"), "");
    const { code, stdout, stderr } = await shop.run();
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).toContain("kept: continued");
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  });

  it("is started over where a person wants that, and stays kept", async () => {
    const shop = await movedOn();
    expect(shop.json("state", "retry", "plan.md", "step-1", "--fresh").data.kept).toBeUndefined();
    writeFileSync(shop.path("fast"), "");
    expect((await shop.run()).code).toBe(0);
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.repo.git("for-each-ref", "refs/pawl/rescue")).not.toBe("");
  });

  it("is not continued after [P] Reset to pending: an agent starts from nothing, and the work stays kept", async () => {
    const shop = await movedOn([{ number: "1" }, { number: "2" }]);
    shop.repo.write("pawl.toml", "");
    const [finding] = shop.json("recover", "--dry-run").data.findings;
    expect(finding).toMatchObject({ rule: "verification-timed-out", weight: "decide" });
    expect(finding.choices.map(({ key }: { key: string }) => key)).toContain("P");
    expect(shop.pawl("recover", "--answer", "verification-timed-out:step-1=P").code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 pending", "step-2 completed"]);
    shop.script({ steps: { "step-1": [[], [{ write: "anew.txt" }]] } });
    const { code, stdout, stderr } = await shop.run();
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain("kept: continued");
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("anew.txt");
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).not.toContain("work/step-1.txt");
    const kept = shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/rescue").split("\n");
    expect(kept.map((ref) => shop.repo.git("ls-tree", "-r", "--name-only", ref)).join("\n")).toContain(
      "work/step-1.txt",
    );
  });
});

describe("an interrupted run whose worktree was deleted", () => {
  it("is resumed with the uncommitted work of its snapshot, and says so", async () => {
    const shop = await interrupted();
    rmSync(shop.worktree(), { recursive: true });
    const [{ ref }] = shop.json("snapshot", "list").data.snapshots;
    const [{ found }] = shop.json("recover", "--dry-run").data.findings;
    expect(found).toContain(`Its uncommitted work is saved in snapshot ${ref.split("/").at(-1)}.`);
    const { code, stdout, stderr } = shop.pawl("resume");
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).toMatch(/step-1: work from .* kept: continued/);
    expect(shop.repo.git("show", "pawl/plan:half.txt")).toBe("half");
  });
});

describe("an agent that fails at every step", () => {
  const steps = Array.from({ length: 6 }, (_, index) => ({ number: `${index + 1}`, tasks: ["dig"] }));

  it("is not started for all of them; retry --all-blocked puts the blocked ones back at once", async () => {
    const shop = runShop(steps);
    shop.script({ runs: [[{ fail: "not logged in" }]] });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(shop.steps().filter((step) => step.endsWith("blocked"))).toHaveLength(3);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("pawl state retry plan.md --all-blocked");
    const { data } = shop.json("state", "retry", "plan.md", "--all-blocked");
    expect(data.retried.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
      "step-1",
      "step-2",
      "step-3",
    ]);
    shop.script({ runs: [GOOD] });
    expect((await shop.run()).code).toBe(0);
    expect(shop.steps().every((step) => step.endsWith("completed"))).toBe(true);
  });

  it("retry takes a step or --all-blocked, and says which", () => {
    const shop = runShop([THREE[0]!]);
    shop.json("state", "init", "plan.md");
    for (const args of [[], ["step-1", "--all-blocked"]])
      expect(shop.json("state", "retry", "plan.md", ...args).issues[0].code).toBe("E066");
    expect(shop.json("state", "retry", "plan.md", "--all-blocked").data.retried).toEqual([]);
  });
});

it("a reopened step whose commit is checked out gets another commit behind it", async () => {
  const shop = runShop(THREE);
  expect((await shop.run()).code).toBe(0);
  const landed = shop.repo.git("rev-parse", "pawl/plan");
  shop.json("state", "reopen", "plan.md", "step-3", "--reason", "another colour");
  const { code, stderr } = await shop.run();
  expect({ code, stderr: stderr.slice(-800) }).toMatchObject({ code: 0 });
  expect(shop.repo.git("rev-parse", "pawl/plan~1")).toBe(landed);
  expect(shop.commits()).toEqual(["step-1", "step-2", "step-3", "step-3"]);
});
