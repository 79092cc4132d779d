import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, untilWritten } from "../support/run-shop.ts";
import { PLAN_FILE, planJson, plans, SPEC, specShop } from "../support/spec-shop.ts";
import { until } from "../support/until.ts";

const DONE = ["subtask-1-1 completed", "subtask-1-2 completed"];

describe("a spec that is planned and has no worktree", () => {
  it("skips the planner, makes a worktree and starts with the first pending subtask", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    const { code, stderr } = shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("run")).toBe(0);
    expect([shop.starts("subtask-1-1"), shop.starts("subtask-1-2")]).toEqual([0, 1]);
    expect(shop.inFile()).toEqual(DONE);
    expect(existsSync(join(shop.repo.path, ".pawl/worktrees/001-shed-w1/work/subtask-1-2.txt"))).toBe(true);
  });

  it("finds a spec folder that is the only plan there is", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.pawl("run", ...AGENT).code).toBe(0);
    expect(shop.inFile()).toEqual(DONE);
  });

  it("keeps commits and attempts in the spec folder's memory", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.run().code).toBe(0);
    const memory = (name: string) =>
      JSON.parse(readFileSync(join(shop.repo.path, SPEC, "memory", name), "utf8")) as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests look into every shape
    expect(
      memory("build_commits.json")["commits"].map((one: { subtask_id: string }) => one.subtask_id),
    ).toEqual(["subtask-1-1", "subtask-1-2"]);
    expect(Object.keys(memory("attempt_history.json")["subtasks"])).toEqual(["subtask-1-1", "subtask-1-2"]);
  });
});

describe("a spec that is planned and has a worktree", () => {
  it.each([".worktrees/auto-claude", ".worktrees/001-shed", ".auto-claude/worktrees/tasks/001-shed"])(
    "continues in %s, on its branch",
    (place) => {
      const shop = specShop(planJson(["completed", "pending"]));
      const folder = shop.foreignWorktree(place);
      const { code, stdout, stderr } = shop.run("--auto-continue");
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("continues 1 of 2 steps done on auto-claude/001-shed");
      expect(existsSync(join(folder, "work/subtask-1-2.txt"))).toBe(true);
      expect(stdout).toContain(`next: pawl worktree merge ${SPEC}`);
      expect(shop.repo.git("log", "--format=%s", "main..auto-claude/001-shed").split("\n")).toHaveLength(2);
      expect(shop.inFile()).toEqual(DONE);
    },
  );

  it("names the choices and does nothing where no person can be asked", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    writeFileSync(join(folder, "half.txt"), "half\n");
    const envelope = JSON.parse(shop.run("--json").stdout) as {
      issues: { details: Record<string, unknown> }[];
    };
    expect(envelope.issues[0]!.details).toMatchObject({
      choices: ["continue", "review", "merge", "fresh"],
      branch_name: "auto-claude/001-shed",
      worktree_path: folder,
      commits: 1,
      uncommitted_files: ["half.txt"],
    });
    const { code, stderr } = shop.run();
    expect(code).toBe(5);
    expect(stderr).toContain("E221");
    expect(stderr).toContain("1 uncommitted file");
    expect(stderr).toContain("--existing");
    expect(shop.starts("subtask-1-2")).toBe(0);
    expect(readFileSync(join(folder, "half.txt"), "utf8")).toBe("half\n");
  });

  it("counts the steps of a plan that grew since it was read, and does the new one alone", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.run().code).toBe(0);
    shop.repo.write(PLAN_FILE, planJson(["completed", "completed", "pending"]));
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "one more");
    const { code, stderr } = shop.run();
    expect(code).toBe(5);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("2 of 3 steps done on pawl/001-shed");
    const grown = shop.run("--auto-continue");
    expect(grown.code, grown.stderr).toBe(0);
    expect(grown.stderr).toContain("changed: added subtask-1-3.");
    expect(["subtask-1-1", "subtask-1-2", "subtask-1-3"].map((step) => shop.starts(step))).toEqual([1, 1, 1]);
  });

  it("takes another spec's staging worktree for what it is", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude", "auto-claude/002-barn");
    expect(shop.run().code).toBe(0);
    expect(existsSync(join(folder, "work"))).toBe(false);
  });

  it("is not taken in by a folder that is no worktree", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    shop.repo.write(".worktrees/auto-claude/notes.txt", "a folder\n");
    expect(shop.run().code).toBe(0);
    expect(existsSync(join(shop.repo.path, "work"))).toBe(false);
  });

  it("makes a worktree again where only the branch is left", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    shop.repo.git("worktree", "remove", "--force", folder);
    expect(shop.run("--auto-continue").code).toBe(0);
    expect(shop.repo.git("merge-base", "--is-ancestor", "auto-claude/001-shed", "pawl/001-shed")).toBe("");
    expect(shop.inFile()).toEqual(DONE);
  });

  it("lets several workers start from where the build is", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    shop.foreignWorktree(".worktrees/auto-claude");
    expect(shop.run("--auto-continue", "--workers", "2").code).toBe(0);
    expect(shop.repo.git("show", "pawl/001-shed:built.txt")).toBe("by another tool");
    expect(shop.inFile()).toEqual(DONE);
  });

  it("does not let several workers leave uncommitted work behind", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    writeFileSync(join(folder, "half.txt"), "half\n");
    const { code, stderr } = shop.run("--auto-continue", "--workers", "2");
    expect(code).toBe(5);
    expect(stderr).toContain("E222");
    expect(shop.starts("subtask-1-2")).toBe(0);
  });

  it("reviews what was built: steps, verdicts, changes", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.run("--max-steps", "1").code).toBe(0);
    const { code, stdout } = shop.run("--existing", "review");
    expect(code).toBe(0);
    expect(stdout).toMatch(/subtask-1-1 Part 1 completed [0-9a-f]{12}/);
    expect(stdout).toContain("subtask-1-2 Part 2 pending");
    expect(stdout).toContain("1 file changed, 1 added and 0 removed lines");
    expect(shop.starts("subtask-1-2")).toBe(0);
  });

  it("merges a continued build of another tool by the name of its spec folder", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    shop.foreignWorktree(".worktrees/auto-claude");
    expect(shop.run("--auto-continue").code).toBe(0);
    const { data } = shop.json("worktree", "merge", SPEC);
    expect(data).toMatchObject({ branch_name: "auto-claude/001-shed", base_branch: "main" });
    expect(shop.repo.git("show", "main:work/subtask-1-2.txt")).not.toBe("");
  });

  it("merges what was built", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    shop.foreignWorktree(".worktrees/auto-claude");
    const { code, stdout, stderr } = shop.run("--existing", "merge");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("auto-claude/001-shed is in main");
    expect(readFileSync(join(shop.repo.path, "built.txt"), "utf8")).toBe("by another tool\n");
    expect(shop.starts("subtask-1-2")).toBe(0);
  });

  it("starts fresh, and keeps everything of the old build", () => {
    const shop = specShop(planJson(["completed", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    writeFileSync(join(folder, "half.txt"), "half\n");
    const tip = shop.repo.git("rev-parse", "auto-claude/001-shed");
    const { code, stdout, stderr } = shop.run("--existing", "fresh");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(shop.repo.git("for-each-ref", "--format=%(objectname)", "refs/pawl/rescue").split("\n")).toContain(
      tip,
    );
    const restore =
      /pawl (snapshot restore \S+) --to/.exec(stdout.replaceAll(/\s+/g, " "))?.[1]?.split(" ") ?? [];
    expect(shop.pawl(...restore, "--to", shop.path("back")).code).toBe(0);
    expect(readFileSync(join(shop.path("back"), "half.txt"), "utf8")).toBe("half\n");
    expect([shop.starts("subtask-1-1"), shop.starts("subtask-1-2")]).toEqual([1, 1]);
    expect(shop.inFile()).toEqual(DONE);
  });

  it("starts fresh on a build of its own, and does every step again", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.run("--max-steps", "1").code).toBe(0);
    const tip = shop.repo.git("rev-parse", "pawl/001-shed");
    expect(shop.run("--existing", "fresh").code).toBe(0);
    expect(shop.starts("subtask-1-1")).toBe(2);
    expect(shop.repo.git("for-each-ref", "--format=%(objectname)", "refs/pawl/rescue").split("\n")).toContain(
      tip,
    );
    expect(shop.query("select reopen_reason from steps where anchor = 'subtask-1-1'")).toEqual([
      { reopen_reason: "start fresh: the build on pawl/001-shed was put aside" },
    ]);
  });

  it("finds a build whose base is no branch here, and starts fresh from what is in it", () => {
    const shop = specShop(planJson(["pending", "pending", "pending"]));
    const base = "refs/remotes/origin/main";
    shop.repo.write("pawl.toml", 'base_branch = "origin/main"\n');
    shop.repo.git("update-ref", base, "HEAD");
    expect(shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    shop.repo.git("update-ref", base, "pawl/001-shed");
    expect(shop.run("--max-steps", "1", "--existing", "continue")).toMatchObject({ code: 0 });
    expect(shop.run("--existing", "review").stdout).toContain("1 file changed");
    expect(shop.run("--existing", "fresh").code).toBe(0);
    expect(shop.starts("subtask-1-1")).toBe(1);
    expect(shop.starts("subtask-1-2")).toBe(2);
    expect(shop.inFile().every((line) => line.endsWith(" completed"))).toBe(true);
  });

  it("asks on a terminal: Review shows, then Continue continues", async () => {
    const shop = specShop(planJson(["completed", "pending"]));
    shop.foreignWorktree(".worktrees/auto-claude");
    const { code, stdout } = await shop.runOnTerminal("rc");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain("There is a build already: 1 of 2 steps done");
    expect(stdout).not.toMatch(/last touched \S+Z/);
    expect(stdout).toContain("[C]ontinue, [R]eview, [M]erge, start [F]resh");
    expect(stdout).toContain("1 file changed");
    expect(shop.inFile()).toEqual(DONE);
  });

  it("leaves everything as it is when the question is left with Ctrl-C or Escape", async () => {
    const shop = specShop(planJson(["completed", "pending"]));
    shop.foreignWorktree(".worktrees/auto-claude");
    expect((await shop.runOnTerminal("\u0003")).code).toBe(130);
    expect((await shop.runOnTerminal("\u001b")).code).toBe(5);
    expect(shop.starts("subtask-1-2")).toBe(0);
  });
});

describe("a spec that is not planned yet", () => {
  it.each([
    ["committed", true],
    ["kept out of git", false],
  ])("runs the planner first when the plan is missing and the spec is %s", (_what, committed) => {
    const shop = specShop(undefined, committed);
    shop.script({ steps: { run: [plans(planJson(["pending", "pending"]))] } });
    const { code, stderr } = shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("run")).toBe(1);
    expect(shop.inFile()).toEqual(DONE);
    expect(shop.prompt("run", 1)).toContain(PLAN_FILE);
    // The planner worked somewhere else.
    expect(shop.repo.git("worktree", "list")).not.toContain("-plan-");
  });

  it("runs the planner first, and once, for several workers", () => {
    const shop = specShop(undefined);
    shop.script({ steps: { run: [plans(planJson(["pending", "pending"]))] } });
    const { code, stderr } = shop.run("--workers", "2");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("run")).toBe(1);
    expect(shop.inFile()).toEqual(DONE);
  });

  it("runs the planner first where there is a worktree and no plan, and then continues in it", () => {
    const shop = specShop(undefined);
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    shop.script({ steps: { run: [plans(planJson(["pending", "pending"]))] } });
    const { code, stderr } = shop.run("--auto-continue");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("run")).toBe(1);
    expect(shop.inFile()).toEqual(DONE);
    expect(existsSync(join(folder, "work/subtask-1-2.txt"))).toBe(true);
  });

  it("hands what is wrong back to the planner, and keeps the invalid plan", () => {
    const broken = '{"feature": "A shed", "phases": [}';
    const shop = specShop(broken);
    shop.script({ steps: { run: [plans('{"phases": []}'), plans(planJson(["pending"]))] } });
    expect(shop.run().code).toBe(0);
    expect(shop.starts("run")).toBe(2);
    expect(shop.prompt("run", 1)).toContain("1:34:");
    expect(shop.prompt("run", 2)).toContain("no phase has a subtask");
    expect(shop.inFile()).toEqual(["subtask-1-1 completed"]);
    const kept = shop.repo
      .git("status", "--porcelain", "-uall", "--", SPEC)
      .match(/implementation_plan\.invalid-\S+/);
    expect(readFileSync(join(shop.repo.path, SPEC, kept![0]), "utf8")).toBe(broken);
  });

  it.each([
    ["missing", undefined, 4],
    ["invalid", "{", 3],
  ])("asks a person after 3 returns when the plan was %s", (_what, plan, times) => {
    const shop = specShop(plan);
    shop.script({ steps: { run: [plans("{")] } });
    const { code, stderr } = shop.run();
    expect(code).toBe(5);
    expect(stderr).toContain("E200");
    expect(stderr).toMatch(/check the planner's log with `pawl sessions logs s-[0-9a-f]{8}`/);
    expect(shop.starts("run")).toBe(times);
    expect(existsSync(join(shop.repo.path, PLAN_FILE))).toBe(plan !== undefined);
    if (plan !== undefined) expect(shop.planText()).toBe(plan);
    expect(shop.query("select kind, status from sessions")).toEqual([{ kind: "plan", status: "failed" }]);
  });

  it("says so when the planner could not do its work at all", () => {
    const shop = specShop(undefined);
    const { code, stderr } = shop.pawl("run", SPEC, "--", "sh", "-c", "exit 3");
    expect(code).toBe(5);
    expect(stderr).toContain(
      "implementation_plan.json was not written, and the planner failed with exit code 3",
    );
  });

  it("writes no other plan over one that has state", () => {
    const shop = specShop(planJson(["pending", "pending"]));
    expect(shop.pawl("state", "init", SPEC).code).toBe(0);
    shop.repo.write(PLAN_FILE, "{");
    const { code, stderr } = shop.run();
    expect(code).toBe(1);
    expect(stderr).toContain("E057");
    expect(shop.starts("run")).toBe(0);
    expect(shop.planText()).toBe("{");
  });
});

describe("a spec whose build was cut off", () => {
  it("puts in_progress back to pending, keeps completed, and continues in the worktree", () => {
    const shop = specShop(planJson(["completed", "in_progress", "pending"]));
    const folder = shop.foreignWorktree(".worktrees/auto-claude");
    writeFileSync(join(folder, "half.txt"), "half\n");
    expect(shop.pawl("state", "init", SPEC).code).toBe(0);
    expect(shop.inFile()).toEqual(["subtask-1-1 completed", "subtask-1-2 pending", "subtask-1-3 pending"]);
    expect(shop.run("--auto-continue").code).toBe(0);
    expect(shop.starts("subtask-1-1")).toBe(0);
    // Uncommitted work is part of what continues.
    expect(shop.repo.git("show", "auto-claude/001-shed:half.txt")).toBe("half");
    expect(shop.inFile().every((line) => line.endsWith(" completed"))).toBe(true);
  });

  it("leaves failed subtasks to people, who can have them tried again", () => {
    const shop = specShop(planJson(["failed", "pending"]));
    expect(shop.run().code).toBe(5);
    expect(shop.inFile()[0]).toBe("subtask-1-1 failed");
    expect(shop.pawl("state", "retry", SPEC, "subtask-1-1").code).toBe(0);
    expect(shop.inFile()[0]).toBe("subtask-1-1 pending");
    expect(shop.run("--auto-continue").code).toBe(0);
    expect(shop.inFile()).toEqual(DONE);
  });

  it.each(["resume", "run"] as const)("continues with %s after Pawl itself was killed", async (verb) => {
    const shop = specShop(planJson(["pending", "pending"]));
    shop.script({ steps: { "subtask-1-2": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
    const { child, ended } = shop.start("run", SPEC, ...AGENT);
    await untilWritten(join(shop.repo.path, ".pawl/worktrees/001-shed-w1/half.txt"));
    child.kill("SIGKILL");
    await ended;
    const { code, stderr } = verb === "run" ? shop.run("--auto-continue") : shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.inFile()).toEqual(DONE);
    expect(shop.starts("subtask-1-1")).toBe(1);
    expect(shop.repo.git("show", "pawl/001-shed:half.txt")).not.toBe("");
  });

  it("continues planning after Pawl was killed, and counts what was asked before", async () => {
    const shop = specShop(undefined);
    const hang = [{ write: "half.txt" }, { hang: true }];
    shop.script({ steps: { run: [plans("{"), hang, plans(planJson(["pending"]))] } });
    const { child, ended } = shop.start("run", SPEC, ...AGENT);
    await until(() => shop.starts("run") === 2);
    child.kill("SIGKILL");
    await ended;
    const { code, stderr } = shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("run")).toBe(3);
    expect(shop.inFile()).toEqual(["subtask-1-1 pending"]);
    expect(shop.run().code).toBe(0);
  });
});
