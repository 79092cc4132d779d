import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, type RunShop, runShop, THREE, untilThere, untilWritten } from "../support/run-shop.ts";
import { MOST_CUT_OFF } from "../../src/verification/evidence.ts";
import { planText } from "../support/plans.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";

type Git = (...args: string[]) => string;

const DONE = ["step-1 completed", "step-2 completed", "step-3 completed"];
const HANG = [{ write: "half.txt" }, { hang: true }];

/** A run that was interrupted in the middle of its first step. */
async function cutOff(): Promise<RunShop> {
  const shop = runShop();
  shop.script({ steps: { "step-1": [HANG, GOOD] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGINT");
  await ended;
  return shop;
}

describe("a commit that outlives its runner", () => {
  /** The first commit's hook waits until the second one's has begun; that one continues when the first has landed. */
  async function overtaken(more = ""): Promise<RunShop> {
    const shop = runShop([THREE[0]!]);
    const at = shop.path("hook");
    const hook = `#!/bin/sh
before=$(git rev-parse HEAD)
if mkdir '${at}.first' 2>/dev/null; then
  until test -e '${at}.second'; do sleep 0.02; done
elif mkdir '${at}.second' 2>/dev/null; then
  until test "$(git rev-parse HEAD)" != "$before"; do sleep 0.02; done
  ${more}
fi
exit 0
`;
    writeFileSync(join(shop.repo.path, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilThere(`${at}.first`);
    child.kill("SIGKILL");
    await ended;
    return shop;
  }

  it("is what the step is completed with, and nothing is done again", async () => {
    const shop = await overtaken();
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.query("select verification_attempts from steps")).toEqual([{ verification_attempts: 1 }]);
  });

  it("is one with what was written since: the plan's branch never has a step twice", async () => {
    const shop = await overtaken("echo late > late.txt");
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.repo.git("show", "pawl/plan:late.txt")).toBe("late");
    expect(shop.repo.git("for-each-ref", "refs/pawl/rescue")).toContain("step-1");
  });
});

describe("the plan's branch, deleted by a person", () => {
  const TWO = THREE.slice(0, 2);

  it("in the middle of a run, is put back with what was done", async () => {
    const shop = runShop(TWO);
    shop.script({ steps: { "step-2": [[{ waitFor: shop.path("go") }, ...GOOD]] } });
    const { ended } = shop.start("run", "plan.md", ...AGENT);
    await until(() => shop.starts("step-2") === 1);
    shop.repo.git("branch", "-D", "pawl/plan");
    writeFileSync(shop.path("go"), "");
    expect(await ended).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1", "step-2"]);
  });

  it("after its last step, is put back by the next run, which says so", async () => {
    const shop = runShop(TWO);
    expect((await shop.run()).code).toBe(0);
    const tip = shop.repo.git("rev-parse", "pawl/plan");
    shop.pawl("worktree", "remove", shop.worktree(), "--delete-branch");
    shop.repo.git("branch", "-D", "pawl/plan");
    const { code, stdout, stderr } = await shop.run();
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("pawl/plan was gone");
    expect(shop.repo.git("rev-parse", "pawl/plan")).toBe(tip);
  });

  it("is begun anew at its base where that has the work, merged or squashed", async () => {
    for (const squash of [[], ["--squash"]]) {
      const shop = runShop(TWO);
      expect((await shop.run("--max-steps", "1")).code).toBe(0);
      shop.repo.git("merge", "-q", ...(squash.length === 0 ? ["--no-ff"] : squash), "pawl/plan");
      if (squash.length > 0) shop.repo.git("commit", "-q", "-m", "all of it");
      shop.pawl("worktree", "remove", shop.worktree(), "--delete-branch");
      shop.repo.git("branch", "-D", "pawl/plan");
      expect((await shop.run()).code).toBe(0);
      expect(shop.repo.git("merge-base", "main", "pawl/plan")).toBe(shop.repo.git("rev-parse", "main"));
    }
  });

  it("with its commits gone for good, stops the next run by naming the steps", async () => {
    const shop = runShop(TWO);
    expect((await shop.run()).code).toBe(0);
    shop.pawl("worktree", "remove", shop.worktree(), "--delete-branch");
    shop.repo.git("branch", "-D", "pawl/plan");
    for (const ref of shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl").split("\n"))
      if (ref !== "") shop.repo.git("update-ref", "-d", ref);
    shop.repo.git("reflog", "expire", "--expire=now", "--all");
    shop.repo.git("gc", "-q", "--prune=now");
    const { code, stderr } = await shop.run();
    expect(code).toBe(5);
    expect(stderr).toMatch(/E310[^]*step-2 \(.*step-1 \(/);
  });
});

describe("what an agent committed by itself", () => {
  const OWN = [{ write: "half.txt" }, { git: ["add", "-A"] }, { git: ["commit", "-q", "-m", "by itself"] }];
  const FREE = [
    { number: "1", tasks: ["dig"] },
    { number: "2", tasks: ["build"] },
  ];

  it("never lands with another step when its own is blocked, and is kept", async () => {
    const shop = runShop(FREE);
    shop.script({ steps: { "step-1": [[...OWN, { exit: 1 }]] } });
    expect(await shop.run()).toMatchObject({ code: 5 });
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
    expect(shop.repo.git("log", "--format=%s", "main..pawl/plan")).not.toContain("by itself");
    expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).not.toContain("half.txt");
    expect(shop.repo.git("log", "--format=%s", "--all")).toContain("by itself");
  });

  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "is its step's work after %s and a resume",
    async (signal) => {
      const shop = runShop(FREE);
      shop.script({ steps: { "step-1": [[...OWN, { write: "next.txt" }, { hang: true }], GOOD] } });
      const { child, ended } = shop.start("run", "plan.md", ...AGENT);
      await untilWritten(join(shop.worktree(), "next.txt"));
      child.kill(signal);
      await ended;
      const { code, stderr } = shop.pawl("resume");
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(shop.commits()).toEqual(["step-1", "step-2"]);
      expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).toContain("half.txt");
    },
  );
});

describe("a session that was cut off", () => {
  it("is not offered once a later run of its plan began, wherever that works", async () => {
    const shop = runShop([
      { number: "1", tasks: ["dig"] },
      { number: "2", tasks: ["build"] },
      { number: "3", tasks: ["paint"] },
    ]);
    shop.script({ steps: Object.fromEntries(["1", "2", "3"].map((n) => [`step-${n}`, [HANG, GOOD]])) });
    const { child, ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    await Promise.all([1, 2].map((n) => untilWritten(join(shop.worktree(n), "half.txt"))));
    child.kill("SIGKILL");
    await ended;
    const offered = () =>
      shop.json("sessions", "list").data.sessions.filter((one: { resumable: boolean }) => one.resumable)
        .length;
    expect(offered()).toBe(2);
    expect((await shop.run("--max-steps", "1")).code).toBe(0);
    expect(offered()).toBe(0);
    expect(shop.pawl("resume").code).toBe(6);
    expect(shop.pawl("recover", "--dry-run").stdout).not.toContain("interrupted-session");
    expect(shop.json("status").data).not.toMatchObject({ attention: [{ kind: "session" }] });
  });
});

describe("a resume", () => {
  it.each([
    {
      name: "on another branch",
      spoil: (git: Git) => git("switch", "-q", "-c", "mine"),
      says: "has mine checked out instead of pawl/plan-w1",
      way: "switch pawl/plan-w1",
    },
    {
      name: "with a detached HEAD",
      spoil: (git: Git) => git("switch", "-q", "--detach"),
      says: "HEAD is detached at",
      way: "switch pawl/plan-w1",
    },
    {
      name: "in the middle of a rebase",
      spoil: (git: Git) => {
        git("commit", "-q", "--allow-empty", "-m", "one");
        git("-c", "sequence.editor=sed -i 1ibreak", "rebase", "-q", "-i", "HEAD^");
      },
      says: "a rebase was begun",
      way: "rebase --continue",
    },
    {
      name: "in the middle of a merge",
      spoil: (git: Git) => {
        git("branch", "side");
        git("commit", "-q", "--allow-empty", "-m", "one");
        git(
          "merge",
          "-q",
          "--no-commit",
          "--no-ff",
          "-s",
          "ours",
          git("commit-tree", "-p", "side", "-m", "x", "side^{tree}"),
        );
      },
      says: "a merge was begun",
      way: "merge --continue",
    },
  ])(
    "finds a worktree $name: says so, leaves it as it is, and continues in another one",
    async ({ spoil, says, way }) => {
      const shop = await cutOff();
      spoil((...args) => shop.repo.git("-C", shop.worktree(), ...args));
      const head = shop.repo.git("-C", shop.worktree(), "rev-parse", "HEAD");
      const { code, stdout, stderr } = shop.pawl("resume");
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(says);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(way);
      expect(shop.steps()).toEqual(DONE);
      expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
      expect(shop.repo.git("-C", shop.worktree(), "rev-parse", "HEAD")).toBe(head);
      expect(existsSync(join(shop.worktree(), "half.txt"))).toBe(true);
    },
  );

  it("makes a worktree again that lost its .git file, and keeps what was in it", async () => {
    const shop = await cutOff();
    rmSync(join(shop.worktree(), ".git"));
    const { code, stdout, stderr } = shop.pawl("resume");
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("is kept; restore it with");
    expect(shop.steps()).toEqual(DONE);
  });

  it("leaves a worktree in which a person has begun something else to them when a run starts", async () => {
    const shop = runShop();
    expect((await shop.run("--max-steps", "1")).code).toBe(0);
    shop.repo.git("-C", shop.worktree(), "switch", "-q", "-c", "mine");
    const { code, stdout, stderr } = await shop.run();
    expect(code).toBe(0);
    expect((stdout + stderr).replace(/\s+/g, " ")).toContain("has mine checked out");
    expect(shop.repo.git("-C", shop.worktree(), "branch", "--show-current")).toBe("mine");
  });
});

describe("an agent that kills its runner", () => {
  it("is started ten times, then its step is left to a person, and the others go on", async () => {
    const shop = runShop([THREE[0]!, { number: "2", tasks: ["other"] }]);
    shop.script({ steps: { "step-1": [[{ killParent: true }, { hang: true }]] } });
    const ends: (number | null)[] = [];
    for (let round = 0; round <= MOST_CUT_OFF; round += 1) ends.push((await shop.run()).code);
    expect(ends).toEqual([...Array.from({ length: MOST_CUT_OFF }, () => null), 5]);
    expect(shop.starts("step-1")).toBe(MOST_CUT_OFF);
    expect(
      shop.query("select block_reason, verification_attempts as n from steps where anchor = 'step-1'"),
    ).toEqual([{ block_reason: "cut_off", n: 0 }]);
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
    expect(shop.pids().filter(lives)).toEqual([]);
    shop.script({});
    shop.pawl("state", "retry", "plan.md", "step-1");
    expect((await shop.run()).code).toBe(0);
  });

  it("is not blamed when a person stops the run again and again", async () => {
    const shop = runShop([THREE[0]!]);
    shop.script({ steps: { "step-1": [HANG, HANG, HANG, HANG, GOOD] } });
    for (let round = 0; round < 4; round += 1) {
      rmSync(join(shop.worktree(), "half.txt"), { force: true });
      const { child, ended } = shop.start("run", "plan.md", ...AGENT);
      await untilWritten(join(shop.worktree(), "half.txt"));
      child.kill("SIGINT");
      await ended;
    }
    expect((await shop.run()).code).toBe(0);
    expect(shop.starts("step-1")).toBe(5);
  });
});

describe("the base, when it went on", () => {
  const tip = (shop: RunShop, name: string) => shop.repo.git("rev-parse", name);
  const commitFile = (shop: RunShop) => {
    shop.repo.write("new.txt", "of the base");
    shop.repo.git("add", "new.txt");
    shop.repo.git("commit", "-qm", "elsewhere");
  };

  it("is where the next steps start from once it has all of the plan's branch", async () => {
    const shop = runShop(THREE);
    await shop.run("--max-steps", "1");
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
    commitFile(shop);
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(DONE);
    expect(shop.repo.git("show", "pawl/plan:new.txt")).toBe("of the base");
    expect(shop.repo.git("merge-base", "main", "pawl/plan")).toBe(tip(shop, "main"));
  });

  it("is where the plan's branch begins from then on, so that it does not pass for merged", async () => {
    const shop = runShop(THREE);
    await shop.run("--max-steps", "1");
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
    commitFile(shop);
    expect(shop.pawl("run", "plan.md", "--", "./no-program").stderr).toContain("E160");
    expect(tip(shop, "pawl/plan")).toBe(tip(shop, "main"));
    expect(shop.pawl("worktree", "create", "plan.md")).toMatchObject({ code: 0 });
    const { stdout } = shop.pawl("worktree", "clean", "--merged", "--dry-run");
    expect(stdout).toContain("pawl/plan-w1 is merged");
    expect(stdout).not.toContain("pawl/plan is merged");
  });

  it("is merged where the plan's branch has work of its own, unless the settings say otherwise", async () => {
    const shop = runShop(THREE);
    await shop.run("--max-steps", "1");
    commitFile(shop);
    shop.repo.write("pawl.toml", "[landing]\nsync = false\n");
    await shop.run("--max-steps", "1");
    expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).not.toContain("new.txt");
    shop.repo.write("pawl.toml", "");
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
    const before = tip(shop, "pawl/plan");
    shop.repo.git("worktree", "add", "-q", shop.path("looking"), "pawl/plan");
    await shop.run("--max-steps", "1");
    expect(shop.repo.git("log", "--format=%s", `${before}..pawl/plan`)).toContain("Work 3");
    expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).toContain("new.txt");
    expect(shop.repo.git("-C", shop.path("looking"), "status", "--porcelain")).toBe("");
  });
});

describe("a run that could only fail", () => {
  it("is refused when its agent is not on PATH: nothing is begun", () => {
    const shop = runShop();
    const { code, stderr } = shop.pawl("run", "plan.md", "--", "no-such-agent-anywhere");
    expect(code).toBe(3);
    expect(stderr).toContain("E160");
    expect(existsSync(join(shop.repo.path, ".pawl"))).toBe(false);
  });

  it.each([["run", "plan.md"], ["improve"]])(
    "says where it looked for a program that is named by a path, and begins no session: pawl %s",
    (...verb) => {
      const shop = runShop();
      shop.repo.write("no-program", "not executable\n");
      shop.repo.git("add", "-A");
      shop.repo.git("commit", "-q", "-m", "a file");
      const odd = shop.pawl(...verb, "--", "./no-program");
      expect(odd.code, odd.stderr).toBe(3);
      expect(odd.stderr).toMatch(
        /no-program cannot be started: it is not executable\. Nothing was started\./,
      );
      expect(odd.stderr).toMatch(/`chmod \+x \S*no-program`/);
      for (const program of ["./no-such-agent", "/no/such/agent"]) {
        const { code, stderr } = shop.pawl(...verb, "--", program);
        expect(code, stderr).toBe(3);
        expect(stderr).toMatch(/is no program that can be started in .*; nothing was started/);
        expect(stderr).toContain("commit the program");
      }
      expect(shop.query("select id from sessions")).toEqual([]);
      expect(shop.json("resume")).toMatchObject({ issues: [{ code: "E174" }] });
    },
  );

  it("is not to be resumed while it is at work, and that is said", async () => {
    const shop = runShop();
    const { child, ended } = shop.start(
      "run",
      "plan.md",
      "--",
      "sh",
      "-c",
      `touch ${shop.path("seen")}; sleep 60`,
    );
    try {
      await untilThere(shop.path("seen"));
      const { issues } = shop.json("resume");
      expect(issues[0]).toMatchObject({ code: "E174", message: expect.stringContaining("is running in") });
      expect(issues[0]!.hint).toContain("pawl status");
    } finally {
      child.kill("SIGINT");
      await ended;
    }
    expect(shop.query("select status from sessions")).toEqual([{ status: "interrupted" }]);
  });

  it("is none when the program is here and not committed", () => {
    const shop = runShop([{ number: "1" }]);
    shop.repo.write("my-agent", "#!/bin/sh\necho done > done.txt\n");
    chmodSync(join(shop.repo.path, "my-agent"), 0o755);
    const { stdout, stderr } = shop.pawl("run", "plan.md", "--", "./my-agent");
    expect(stdout, stderr).toContain("All steps are completed.");
  });

  it("is refused when git does not know in whose name to commit: nothing is begun", async () => {
    const shop = runShop(THREE, undefined, { GIT_COMMITTER_NAME: "" });
    const { code, stderr } = await shop.run();
    expect(code).toBe(2);
    expect(stderr).toContain("E312");
    expect(existsSync(join(shop.repo.path, ".pawl"))).toBe(false);
  });

  it("works by the committed plan while an edit is not committed, and says so", async () => {
    const shop = runShop();
    shop.repo.write("plan.md", planText([{ number: "1", tasks: ["dig deeper"] }]));
    const { code, stderr } = await shop.run();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("plan.md has uncommitted changes");
    expect(shop.query("select text from checklist_items")).not.toContainEqual({ text: "dig deeper" });
  });
});

it("tells what was done when a run ends by an error", async () => {
  const shop = runShop();
  shop.script({ steps: { "step-2": [[{ waitFor: shop.path("go") }, { fail: "no" }]] } });
  const { ended } = shop.start("run", "plan.md", ...AGENT);
  await until(() => shop.starts("step-2") === 1);
  rmSync(join(shop.repo.path, ".git/pawl/logs"), { recursive: true });
  writeFileSync(join(shop.repo.path, ".git/pawl/logs"), "");
  writeFileSync(shop.path("go"), "");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^Stopped by an error\.\n {2}done {5}step-1 .*\n(?:.*\n)*resume with: pawl resume s-/,
  );
  expect(stderr).toMatch(/\nerror\[E\d+\] /);
});

it("tells programs what was done when a run ends by an error", async () => {
  const shop = runShop();
  shop.script({ steps: { "step-2": [[{ waitFor: shop.path("go") }, { fail: "no" }]] } });
  const { ended } = shop.start("run", "plan.md", "--json", ...AGENT);
  await until(() => shop.starts("step-2") === 1);
  rmSync(join(shop.repo.path, ".git/pawl/logs"), { recursive: true });
  writeFileSync(join(shop.repo.path, ".git/pawl/logs"), "");
  writeFileSync(shop.path("go"), "");
  const { code, stdout } = await ended;
  expect(code).toBe(3);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({
    command: "run",
    status: "error",
    data: {
      ended: "failed",
      completed: [{ anchor: "step-1" }],
      resume_with: expect.stringContaining("pawl resume s-"),
    },
    issues: [{ severity: "error" }],
  });
});

it("names the merge as the next thing until everything is merged", async () => {
  const shop = runShop([THREE[0]!]);
  expect((await shop.run()).stdout).toContain("\nnext: pawl worktree merge plan.md\n");
  expect((await shop.run()).stdout).toContain("\nnext: pawl worktree merge plan.md\n");
  shop.pawl("worktree", "merge", "plan.md", "--squash");
  expect((await shop.run()).stdout).not.toContain("next: pawl worktree merge");
});

it("says what ticks the boxes where a program did not know", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig", "fill"] }]);
  shop.script({ runs: [[{ write: "work/{step}.txt" }]] });
  expect((await shop.run()).stdout.replace(/\s+/g, " ")).toContain(
    "2 items are open (tick with: pawl state update)",
  );
});

it("names the step that a person must look at, in later runs too", async () => {
  const shop = runShop([THREE[0]!]);
  shop.script({ runs: [[{ fail: "no idea how" }]] });
  await shop.run();
  expect((await shop.run()).stdout).toContain("\nnext: pawl explain plan.md step-1\n");
});

describe("a git that is killed while it holds a worker's branch", () => {
  it("leaves locks that move aside, and no step is blocked", async () => {
    const shop = runShop(["1", "2", "3"].map((number) => ({ number, tasks: ["dig"] })));
    const [hook, once] = [join(shop.repo.path, ".git/hooks/reference-transaction"), shop.path("killed")];
    // Of Pawl's calls only the move of a worktree holds two refs at once; the first one is killed before it may begin.
    writeFileSync(
      hook,
      `#!/bin/sh
if [ "$1" = prepared ] && grep -q ORIG_HEAD && tr '\\0' ' ' < /proc/$PPID/cmdline | grep -q -- --stdin; then
  mkdir '${once}' 2>/dev/null && kill -9 $PPID
fi
exit 0
`,
    );
    chmodSync(hook, 0o755);
    const run = await shop.run("--workers", "3");
    expect(existsSync(once)).toBe(true);
    expect(shop.steps()).toEqual(DONE);
    expect(run.code).toBe(0);
    expect(`${run.stdout}${run.stderr}`).toMatch(/was killed had left \S+ORIG_HEAD\.lock/);
  });
});
