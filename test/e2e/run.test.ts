import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Acts,
  AGENT,
  GOOD,
  type RunShop,
  runShop,
  THREE,
  untilThere,
  untilWritten,
} from "../support/run-shop.ts";
import { MOST_CUT_OFF } from "../../src/verification/evidence.ts";
import { PAWL } from "../support/cli.ts";
import { cleanEnv } from "../support/repository.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";

/** Which worker gets which step is chance. */
const untilInOne = (shop: RunShop, name: string): Promise<void> =>
  until(() => [1, 2].some((number) => existsSync(join(shop.worktree(number), name))));

const DONE = ["step-1 completed", "step-2 completed", "step-3 completed"];
const HANG = [{ write: "half.txt" }, { hang: true }];

describe("a run", () => {
  it("takes a plan from its first step to its last, one signed commit each", async () => {
    const shop = runShop();
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(DONE);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    expect(shop.query("select status, kind, resumable from sessions")).toEqual([
      { status: "completed", kind: "run", resumable: 0 },
    ]);
    expect(
      shop.query("select number, anchor, command, outcome, files_modified from checkpoints order by number"),
    ).toEqual(
      ["step-1", "step-2", "step-3"].map((anchor, index) => ({
        number: index + 1,
        anchor,
        command: "implement",
        outcome: "finished",
        files_modified: JSON.stringify([`work/${anchor}.txt`]),
      })),
    );
    expect(shop.repo.git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(shop.repo.git("status", "--porcelain")).toBe("");
  });

  it("tells every happening as a line of JSON, and the answer last", async () => {
    const shop = runShop();
    const { code, stdout } = await shop.run("--json");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ command: "run", status: "ok", data: { ended: "all_completed" } });
    const happenings = lines
      .slice(0, -1)
      .map(({ event, step }) => (typeof step === "string" ? `${String(event)} ${step}` : String(event)));
    // Whether a sandbox is there depends on the machine, and a run without one says so.
    expect(happenings.filter((one) => one !== "note").slice(0, 9)).toEqual([
      "plan",
      "session",
      "claimed step-1",
      "command step-1",
      "command-ended step-1",
      "verifying step-1",
      "verdict step-1",
      "committed step-1",
      "completed step-1",
    ]);
  });

  it("says nothing but errors when it is asked to be quiet", async () => {
    const { code, stdout, stderr } = await runShop().run("--quiet");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("finds the only plan there is, and asks which when there are several", async () => {
    const shop = runShop();
    const alone = await shop.start("run", ...AGENT).ended;
    expect(alone.code).toBe(0);
    shop.repo.write("other-plan.md", readFileSync(join(shop.repo.path, "plan.md"), "utf8"));
    const several = shop.pawl("run", ...AGENT);
    expect(several.code).toBe(5);
    expect(several.stderr).toContain("E166");
  });

  it("completes substeps whose items are ticked, and hands open ones back to the agent", async () => {
    const shop = runShop([
      { number: "1", tasks: ["all of it"] },
      { number: "1.1", title: "Part", tasks: ["part of it"] },
    ]);
    const tickSub = { pawl: ["state", "update", "plan.md", "step-1-1", "--all", "completed"] };
    shop.script({ steps: { "step-1": [GOOD, [...GOOD, tickSub]] } });
    expect((await shop.run()).code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-1-1 completed"]);
    const prompt = JSON.parse(readFileSync(shop.path("script.json.step-1.2.json"), "utf8")) as {
      prompt: string;
    };
    expect(prompt.prompt).toContain("step-1-1: task 1 is open: part of it");
  });
});

// proves G-resumes-where-it-stopped
describe("an interruption", () => {
  it("is offered to be resumed by who explains its step, until it is abandoned", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-2": [HANG] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGTERM");
    await ended;
    const offered = (): readonly string[] =>
      shop
        .json("explain", "plan.md", "step-2")
        .data.steps[0].options.filter((line: string) => line.startsWith("pawl resume"));
    expect(offered()).toEqual([expect.stringMatching(/^pawl resume s-[0-9a-f]{8}$/)]);
    expect(shop.pawl("sessions", "abandon", "s-").code).toBe(0);
    expect(offered()).toEqual([]);
  });

  it.each([
    ["SIGINT", 130, "user_interrupt", "by SIGINT"],
    ["SIGTERM", 143, "termination", "by SIGTERM"],
    ["SIGHUP", 129, "hangup", "when its terminal or client closed"],
  ] as const)(
    "by %s while implementing stops the agent, keeps the work and is picked up",
    async (signal, code, type, how) => {
      const shop = runShop();
      shop.script({ steps: { "step-2": [HANG, GOOD] } });
      const { child, ended } = shop.start("run", "plan.md", ...AGENT);
      await untilWritten(join(shop.worktree(), "half.txt"));
      child.kill(signal);
      const first = await ended;
      expect({ code: first.code, stderr: first.stderr }).toMatchObject({ code });
      expect(first.stdout).toContain("resume with: pawl resume s-");
      expect(shop.pids().filter(lives)).toEqual([]);
      expect(shop.query("select status, interruption_type, resumable from sessions")).toEqual([
        { status: "interrupted", interruption_type: type, resumable: 1 },
      ]);
      const listed = shop.pawl("sessions", "list").stdout;
      expect(listed).toContain(`⚠ interrupted`);
      expect(listed.replaceAll(/\s+/g, " ")).toContain(`${how} at step-2, implement`);
      const { snapshot_ref: ref } = shop.json("sessions", "show", "s-").data.session;
      expect(shop.repo.git("show", `${ref}:half.txt`)).not.toBe("");
      const resumed = shop.pawl("resume");
      expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
      expect(shop.steps()).toEqual(DONE);
      expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
      expect([shop.starts("step-1"), shop.starts("step-2"), shop.starts("step-3")]).toEqual([1, 2, 1]);
      expect(shop.repo.git("show", "--stat", "pawl/plan~1")).toContain("half.txt");
    },
  );

  it("while verifying costs no attempt, and the work is not done again", async () => {
    const shop = runShop(
      THREE,
      '[verify]\ncommand = ["sh", "-c", "if [ -e ../../../../wait ]; then touch ../../../../seen; sleep 60; fi"]\n',
    );
    writeFileSync(shop.path("wait"), "");
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilThere(shop.path("seen"));
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
    expect(shop.query("select verification_attempts as n from steps where anchor = 'step-1'")).toEqual([
      { n: 0 },
    ]);
    rmSync(shop.path("wait"));
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.steps()).toEqual(DONE);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("while committing leaves one commit, finished later", async () => {
    const shop = runShop();
    const hook = join(shop.repo.path, ".git/hooks/post-commit");
    writeFileSync(
      hook,
      `#!/bin/sh\n[ -e ${shop.path("seen")} ] || { touch ${shop.path("seen")}; sleep 2; }\n`,
      { mode: 0o755 },
    );
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilThere(shop.path("seen"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("by kill -9 is found by the next one who looks; the agent that was left is stopped", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-2": [HANG, GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGKILL");
    await ended;
    expect(shop.pids().filter(lives)).toHaveLength(1);
    expect(shop.json("sessions", "list").data.sessions).toMatchObject([
      { status: "interrupted", interruption_type: "process_kill", resumable: true, at: { anchor: "step-2" } },
    ]);
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.pids().filter(lives)).toEqual([]);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    expect([shop.starts("step-1"), shop.starts("step-2"), shop.starts("step-3")]).toEqual([1, 2, 1]);
  });

  it("ends at once at the second signal, and is picked up all the same", async () => {
    const shop = runShop();
    const deaf = { ignore: ["SIGTERM"], note: shop.path("heard") };
    shop.script({ steps: { "step-1": [[deaf, ...HANG], GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const began = performance.now();
    child.kill("SIGINT");
    await untilThere(shop.path("heard"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.steps()).toEqual(DONE);
    expect(shop.pids().filter(lives)).toEqual([]);
  });
});

describe("resume", () => {
  const interrupted = async () => {
    const shop = runShop();
    shop.script({ steps: { "step-2": [HANG, GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGTERM");
    await ended;
    return shop;
  };

  it("refuses a session that is alive, and says where", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [HANG] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const [session] = shop.json("sessions", "list").data.sessions;
    const refused = shop.pawl("resume", session.id);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`pid ${child.pid}`);
    child.kill("SIGTERM");
    await ended;
  });

  it("makes a missing worktree again from its branch", async () => {
    const shop = await interrupted();
    rmSync(shop.worktree(), { recursive: true });
    const { code, stderr } = shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(DONE);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
  });

  it("takes commits in Pawl's own worktree for the work of the step that was cut off", async () => {
    const shop = await interrupted();
    shop.repo.git("-C", shop.worktree(), "commit", "-q", "--allow-empty", "-m", "by the agent itself");
    const { code, stdout, stderr } = shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).not.toContain("did not make");
    expect(shop.starts("step-2")).toBe(2);
    expect(shop.steps()).toEqual(DONE);
  });

  it("continues after an agent that rewrote its own commit", async () => {
    const shop = await interrupted();
    const git = (...args: readonly string[]) => shop.repo.git("-C", shop.worktree(), ...args);
    git("add", "-A");
    git("commit", "-q", "--amend", "-m", "all of it at once");
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(DONE);
  });

  it("names in a person's own worktree what is not as it was left, and does nothing; --anyway continues", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-2": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
    const mine = shop.repo.addWorktree("mine");
    const { child, ended } = shop.start("run", "plan.md", "--worktree", mine, ...AGENT);
    await untilWritten(join(mine, "half.txt"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    shop.repo.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "another person");
    const refused = shop.pawl("resume");
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("1 commit that Pawl did not make");
    expect(shop.starts("step-2")).toBe(1);
    expect(shop.pawl("resume", "--anyway").code).toBe(0);
    expect(shop.steps()).toEqual(DONE);
  });

  it("names a plan that was edited, and works by the committed text", async () => {
    const shop = await interrupted();
    shop.repo.write("plan.md", `${readFileSync(join(shop.repo.path, "plan.md"), "utf8")}\nmore\n`);
    const { code, stderr } = shop.pawl("resume");
    expect(stderr).toContain("plan.md has uncommitted changes. They count once they are committed.");
    expect(code).toBe(0);
    expect(shop.steps()).toEqual(DONE);
  });

  it("says so where the plan is gone", async () => {
    const shop = await interrupted();
    renameSync(join(shop.repo.path, "plan.md"), join(shop.repo.path, "elsewhere.md"));
    const refused = shop.pawl("resume");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("There is no file plan.md");
  });

  it("says that there is nothing to resume, or why a session cannot be", async () => {
    const shop = runShop();
    expect((await shop.run()).code).toBe(0);
    expect(shop.pawl("resume").code).toBe(6);
    const [session] = shop.json("sessions", "list").data.sessions;
    const refused = shop.pawl("resume", session.id);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("it is completed");
  });

  it("of a session whose orders were not recorded says so", async () => {
    const shop = runShop();
    const library = join(PAWL, "../index.js");
    const dies = `import { openPawl } from ${JSON.stringify(library)};
      const pawl = await openPawl({ cwd: process.cwd(), env: process.env });
      await pawl.init({ plan: "plan.md" });
      await pawl.openSession({ plan: "plan.md", worktree: process.cwd() });
      process.kill(process.pid, "SIGKILL");`;
    spawnSync(process.execPath, ["--input-type=module", "-e", dies], {
      cwd: shop.repo.path,
      env: cleanEnv(),
    });
    const [session] = shop.json("sessions", "list").data.sessions;
    expect(session).toMatchObject({ status: "interrupted", resumable: false, resume_with: null });
    const listed = shop.pawl("sessions", "list").stdout;
    expect([listed.includes("interrupted"), listed.includes("resume with")]).toEqual([true, false]);
    expect(shop.pawl("resume").code).toBe(6);
    const refused = shop.pawl("resume", session.id);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("Pawl does not know what it was asked to do");
    expect(refused.stderr).toContain("pawl run plan.md");
  });

  it("of an abandoned session is refused; its work can be restored", async () => {
    const shop = await interrupted();
    const [{ id }] = shop.json("sessions", "list").data.sessions;
    expect(shop.json("sessions", "abandon", id).data).toMatchObject({ abandoned: true });
    expect(shop.pawl("resume").code).toBe(6);
    const to = shop.path("rescued");
    expect(shop.pawl("sessions", "restore", id, "--to", to).code).toBe(0);
    expect(existsSync(join(to, "half.txt"))).toBe(true);
  });
});

// proves G-done-means-evidence
describe("verification", () => {
  const attempts = (shop: ReturnType<typeof runShop>) =>
    shop
      .query("select outcome from verdicts where anchor = 'step-1' order by attempt")
      .map(({ outcome }) => outcome);

  it("that fails twice hands the evidence to the agent, and the third try passes", async () => {
    const shop = runShop(
      [THREE[0]!],
      '[verify]\ncommand = ["sh", "-c", "echo only $(wc -l < log) lines; test $(wc -l < log) -ge 3"]\n',
    );
    shop.script({ runs: [[{ append: "log" }, { tick: "all" }]] });
    expect((await shop.run()).code).toBe(0);
    expect(attempts(shop)).toEqual(["failed", "failed", "passed"]);
    const { prompt } = JSON.parse(readFileSync(shop.path("script.json.step-1.3.json"), "utf8")) as {
      prompt: string;
    };
    expect(prompt).toContain("only 2 lines");
    expect(shop.commits()).toEqual(["step-1"]);
  });

  it("that fails three times escalates, and the steps that do not depend on it go on", async () => {
    const shop = runShop(
      [THREE[0]!, { number: "2", tasks: ["other"] }],
      '[verify]\ncommand = ["test", "-e", "work/step-2.txt"]\n',
    );
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("3 attempts failed; the last: test -e work/step-2.txt failed");
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
    expect(attempts(shop)).toEqual(["failed", "failed", "failed"]);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).not.toContain("work/step-1.txt");
    // What was rejected is not lost.
    const refs = shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/snapshots").split("\n");
    expect(
      refs.some((ref) => shop.repo.git("ls-tree", "-r", "--name-only", ref).includes("work/step-1.txt")),
    ).toBe(true);
  });

  it("that takes too long blocks the step, and `pawl verify` finishes it", async () => {
    const shop = runShop(
      [THREE[0]!],
      '[verify]\ntimeout = "1s"\ncommand = ["sh", "-c", "echo waiting for the port; test -e ../../../../go || sleep 60"]\n',
    );
    const run = await shop.run();
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(/step-1: sh -c .* timed out, attempt 1 of 3; log \S+-verify\.log\n/);
    expect(run.stderr).toContain("step-1: | waiting for the port");
    expect(run.stdout).toMatch(/\n +\| waiting for the port\n +log \S+-verify\.log\n/);
    expect(shop.query("select status, block_reason from steps")).toEqual([
      { status: "blocked", block_reason: "verification_timeout" },
    ]);
    writeFileSync(shop.path("go"), "");
    const verified = shop.json("verify", "plan.md", "step-1");
    expect(verified.data).toMatchObject({ outcome: "passed", completed: true });
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("is about the tree that is committed: what a hook changes is verified again", async () => {
    const shop = runShop([THREE[0]!], '[verify]\ncommand = ["sh", "-c", "echo >> ../../../../verified"]\n');
    const hook = join(shop.repo.path, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho formatted > work/step-1.txt\ngit add work\n", { mode: 0o755 });
    expect((await shop.run()).code).toBe(0);
    expect(attempts(shop)).toEqual(["passed", "passed"]);
    expect(readFileSync(shop.path("verified"), "utf8")).toBe("\n\n");
    expect(shop.commits()).toEqual(["step-1"]);
    const [verdict] = shop.query("select tree from verdicts order by attempt desc limit 1");
    expect(shop.repo.git("rev-parse", "pawl/plan^{tree}")).toBe(verdict!["tree"]);
  });

  it("that changes the files each time is given up, and a person is asked", async () => {
    const settings = '[verify]\nclean = false\ncommand = ["sh", "-c", "echo again >> noise"]\n';
    const shop = runShop([THREE[0]!], settings);
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("its files change each time they are verified");
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect(shop.commits()).toEqual([]);
  });

  it("asked for later is made of what was kept where the worktree went on to another step", async () => {
    const shop = runShop(
      [THREE[0]!, { number: "2", tasks: ["other"] }],
      '[verify]\ncommand = ["test", "-e", "work/step-2.txt"]\n',
    );
    expect((await shop.run()).code).toBe(5);
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
    expect(shop.json("verify", "plan.md", "step-1").data).toMatchObject({
      outcome: "passed",
      completed: true,
    });
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expect(shop.starts("step-1")).toBe(3);
  });

  it("of a step with nothing to check wants to see that something was done", async () => {
    const shop = runShop([{ number: "1" }]);
    shop.script({ runs: [[{ say: "Done!" }]] });
    const { code, stdout } = await shop.run();
    expect({ code, stdout }).toMatchObject({ code: 5 });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "nothing was changed, and there is nothing to check the step by",
    );
    expect(shop.commits()).toEqual([]);
  });

  it("that was killed is done again, not resumed as a run", async () => {
    const shop = runShop(
      [THREE[0]!, THREE[1]!],
      '[verify]\ncommand = ["sh", "-c", "test ! -e ../../../../wait || { touch ../../../../seen; sleep 60; }; test -e ../../../../good"]\n',
    );
    expect((await shop.run()).code).toBe(5);
    writeFileSync(shop.path("wait"), "");
    const { child, ended } = shop.start("verify", "plan.md", "step-1");
    await untilThere(shop.path("seen"));
    child.kill("SIGKILL");
    await ended;
    expect(shop.json("resume")).toMatchObject({ issues: [{ code: "E174" }] });
    expect(shop.starts("step-1")).toBe(3);
  });

  it("refused before it began leaves nothing to resume", async () => {
    const shop = runShop();
    expect(shop.json("run", "plan.md", "--agent", "nonesuch")).toMatchObject({ status: "error" });
    expect(shop.query("select status, resumable from sessions where resumable = 1")).toEqual([]);
    expect(shop.json("resume")).toMatchObject({ issues: [{ code: "E174" }] });
  });

  it("that passed counts, however often the runner is killed before the commit", async () => {
    const shop = runShop([THREE[0]!], '[verify]\ncommand = ["sh", "-c", "echo x >> ../../../../checked"]\n');
    shop.repo.write(
      ".git/hooks/pre-commit",
      `#!/bin/sh\ntest -e ${shop.path("go")} || { touch ${shop.path("seen")}; sleep 60; }\n`,
    );
    chmodSync(join(shop.repo.path, ".git/hooks/pre-commit"), 0o755);
    for (const verb of [["run", "plan.md", ...AGENT], ["resume"], ["resume"], ["resume"]]) {
      rmSync(shop.path("seen"), { force: true });
      const { child, ended } = shop.start(...verb);
      await untilThere(shop.path("seen"));
      child.kill("SIGKILL");
      await ended;
    }
    writeFileSync(shop.path("go"), "");
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.commits()).toEqual(["step-1"]);
    expect(readFileSync(shop.path("checked"), "utf8")).toBe("x\n");
  });

  it("that kills its own runner is started as often as a step may be cut off", async () => {
    const shop = runShop(
      [THREE[0]!],
      '[verify]\ncommand = ["sh", "-c", "echo >> ../../../../starts; kill -9 $PPID"]\n',
    );
    for (let round = 0; round < MOST_CUT_OFF; round += 1) {
      const { ended } = round === 0 ? shop.start("run", "plan.md", ...AGENT) : shop.start("resume");
      expect((await ended).signal).toBe("SIGKILL");
    }
    expect(shop.pawl("resume").code).toBe(5);
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect(readFileSync(shop.path("starts"), "utf8")).toBe("\n".repeat(MOST_CUT_OFF));
  });

  it("of a hook that refuses goes back to the agent with what the hook said", async () => {
    const shop = runShop([THREE[0]!]);
    const hook = join(shop.repo.path, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\ntest -e signed-off || { echo sign it off first >&2; exit 1; }\n", {
      mode: 0o755,
    });
    shop.script({ steps: { "step-1": [GOOD, [...GOOD, { write: "signed-off" }]] } });
    expect((await shop.run()).code).toBe(0);
    const { prompt } = JSON.parse(readFileSync(shop.path("script.json.step-1.2.json"), "utf8")) as {
      prompt: string;
    };
    expect(prompt).toContain("sign it off first");
  });
});

// proves G-agents-contained
describe("an agent", () => {
  it("that hits a limit pauses the run without an attempt; resume continues", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-2": [[{ limit: { inSeconds: 3600 } }], GOOD] } });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("resume with: pawl resume");
    expect(shop.query("select status, interruption_type from sessions")).toEqual([
      { status: "interrupted", interruption_type: "usage_limit" },
    ]);
    expect(shop.query("select count(*) as n from attempts where anchor = 'step-2'")).toEqual([{ n: 0 }]);
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.steps()).toEqual(DONE);
  });

  it("that knows when its limit ends is waited for with --wait, but not beyond --max-wait", async () => {
    const settings = `agent = "limited"\n[agents.limited]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;
    const shop = runShop([THREE[0]!], settings);
    writeFileSync(
      shop.path("script.json"),
      JSON.stringify({ speak: "claude", runs: [[{ limit: { inSeconds: 3600 } }], GOOD] }),
    );
    const { code, stdout } = await shop.start("run", "plan.md", "--wait", "--max-wait", "10m").ended;
    expect(code).toBe(5);
    expect(stdout).toContain("until");
    const [{ paused_until: until }] = shop.query("select paused_until from sessions") as [
      { paused_until: string },
    ];
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 3_000_000);
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });

  it("that hangs past its timeout, ignores TERM and forks a daemon is contained and reported", async () => {
    const shop = runShop(
      [THREE[0]!],
      'workflow = "short"\n[[workflows.short.commands]]\nname = "work"\ntype = "implement_spec"\nprompt = "implement"\ntimeout = "2s"\n',
    );
    shop.script({
      runs: [
        [
          { ignore: ["SIGTERM"] },
          { daemon: shop.path("daemon") },
          { binary: 4096 },
          { escapes: true },
          { hang: true },
        ],
      ],
    });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("The agent did not end in time");
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect([...shop.pids(), Number(readFileSync(shop.path("daemon"), "utf8"))].filter(lives)).toEqual([]);
  }, 60_000);

  it("that leaves a daemon with nothing to know it by but its folder leaves nothing running", async () => {
    const shop = runShop([THREE[0]!]);
    shop.script({ runs: [[...GOOD, { daemon: shop.path("daemon"), clear: true, mute: true }]] });
    expect((await shop.run()).code).toBe(0);
    const daemon = Number(readFileSync(shop.path("daemon"), "utf8"));
    try {
      expect(lives(daemon)).toBe(false);
    } finally {
      if (lives(daemon)) process.kill(daemon, "SIGKILL");
    }
  });

  it("that fails three times is reported with what it said", async () => {
    const shop = runShop([THREE[0]!]);
    shop.script({ runs: [[{ fail: "no idea how" }]] });
    const { code, stdout, stderr } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("3 attempts failed; the last: the agent failed");
    expect(stdout).toMatch(/\n +\| .*no idea how/);
    expect(stderr.match(/step-1: \| .*no idea how/g)).toHaveLength(3);
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect(shop.starts("step-1")).toBe(3);
    expect(shop.json("recover").data.findings).toMatchObject([{ rule: "verification-escalated" }]);
    const [row] = shop.query("select evidence from verdicts order by attempt desc limit 1");
    expect(row!["evidence"]).toContain("no idea how");
  });

  it.each([
    ["state", "complete", "plan.md", "{step}"],
    ["state", "claim", "plan.md"],
    ["state", "release", "plan.md", "{step}"],
    ["commit", "--message", "by myself"],
  ])("that wants to do the run's own work learns who does it: pawl %s %s", async (...words) => {
    const shop = runShop([THREE[0]!], '[verify]\ncommand = ["test", "-e", "work/step-1.txt"]\n');
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { tick: "all" }, { pawl: words }]] });
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.query("select outcome from verdicts")).toEqual([{ outcome: "passed" }]);
    expect(shop.commits()).toEqual(["step-1"]);
  });

  it("is stopped before anything is written when its claim is lost", async () => {
    const shop = runShop([THREE[0]!]);
    shop.script({ steps: { "step-1": [HANG, GOOD] } });
    const { ended } = shop.start("run", "plan.md", "--lease-duration", "2", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const [pid] = shop.pids();
    expect(shop.json("state", "release", "plan.md", "step-1", "--force").data.released).toBe(true);
    await until(() => !lives(pid!));
    expect((await ended).code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    // The work of the lost claim was put aside, not mixed into the next one.
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).not.toContain("half.txt");
    const refs = shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/snapshots").split("\n");
    expect(refs.some((ref) => shop.repo.git("ls-tree", "-r", "--name-only", ref).includes("half.txt"))).toBe(
      true,
    );
  });
});

describe("improve", () => {
  const improveScript = (shop: RunShop, runs: readonly Acts[]) => shop.script({ runs });
  const review = [{ write: "specs/better.md" }, { say: "Spec: better" }];
  const implement = [{ write: "better.txt" }];
  const tidy = [{ append: "tidy.txt" }];
  const nothing = [{ say: "Spec: none" }];

  it("goes round until a review finds nothing to do", async () => {
    const shop = runShop();
    improveScript(shop, [review, implement, tidy, nothing]);
    const { code, stderr } = await shop.start("improve", "--focus", "words", ...AGENT).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(
      shop.query("select iteration, command, spec_id, spec_found from checkpoints order by number"),
    ).toEqual([
      { iteration: 1, command: "code-review", spec_id: null, spec_found: "better" },
      { iteration: 1, command: "implement-spec", spec_id: "better", spec_found: null },
      { iteration: 1, command: "lint", spec_id: "better", spec_found: null },
      { iteration: 2, command: "code-review", spec_id: null, spec_found: "nothing to do" },
    ]);
    expect(shop.repo.git("log", "--format=%s", "main..pawl/improve").split("\n")).toEqual([
      "lint: iteration 1",
      "implement-spec: iteration 1",
      "code-review: iteration 1",
    ]);
  });

  it.each([
    ["implement-spec", [review, HANG, implement, tidy, nothing]],
    ["lint", [review, implement, HANG, tidy, nothing]],
  ] as const)("interrupted in %s continues with it, with spec and focus", async (command, runs) => {
    const shop = runShop();
    improveScript(shop, runs);
    const { child, ended } = shop.start("improve", "--focus", "words", ...AGENT);
    await untilWritten(join(shop.repo.path, ".pawl/worktrees/improve/half.txt"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    const resumed = shop.pawl("resume");
    expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
    const rows = shop.query("select command, spec_id from checkpoints order by number");
    const at = rows.findIndex((row) => row["command"] === command);
    expect(rows.slice(at, at + 2)).toEqual([
      { command, spec_id: "better" },
      { command, spec_id: "better" },
    ]);
    const { prompt } = JSON.parse(readFileSync(shop.path("script.json.run.1.json"), "utf8")) as {
      prompt: string;
    };
    expect(prompt).toContain("words");
  });
});

describe("several workers", () => {
  const TWELVE = Array.from({ length: 12 }, (_, index) => ({
    number: String(index + 1),
    tasks: ["do it"],
    ...(index >= 3 ? { dependsOn: [`step-${index - 2}`] } : {}),
  }));

  it("finish a plan of twelve steps with one commit each, and the same tree as one worker", async () => {
    const work = [{ write: "work/{step}.txt", text: "{step}\n" }, { tick: "all" }];
    const shops = [runShop(TWELVE), runShop(TWELVE)];
    for (const shop of shops) shop.script({ runs: [work] });
    const [many, one] = shops;
    const result = await many!.run("--workers", "3");
    expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
    expect((await one!.run()).code).toBe(0);
    expect(many!.commits().toSorted()).toEqual(one!.commits().toSorted());
    expect(many!.commits()).toHaveLength(12);
    expect(new Set(many!.commits()).size).toBe(12);
    // The commit that each step was completed with is the one that carries its name, or the merge that brought it.
    const signed = many!.repo
      .git(
        "log",
        "--no-merges",
        "--format=%H %(trailers:key=Pawl-Plan,valueonly,separator=%x2C) %(trailers:key=Pawl-Step,valueonly,separator=%x2C)",
        "main..pawl/plan",
      )
      .split("\n");
    expect(signed.map((line) => line.split(" ").slice(1).join(" ")).toSorted()).toEqual(
      TWELVE.map(({ number }) => `plan.md step-${number}`).toSorted(),
    );
    for (const { anchor, commit_hash: commit } of many!.query("select anchor, commit_hash from steps")) {
      const own = signed.find((line) => line.endsWith(` ${String(anchor)}`))!.slice(0, 40);
      expect(many!.repo.git("merge-base", own, String(commit))).toBe(own);
    }
    expect(many!.repo.git("rev-parse", "pawl/plan^{tree}")).toBe(
      one!.repo.git("rev-parse", "pawl/plan^{tree}"),
    );
    expect(many!.repo.git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(many!.query("select count(*) as n from commit_intents where closed_at is null")).toEqual([
      { n: 0 },
    ]);
    expect(many!.query("select count(distinct worktree) as n from sessions")).toEqual([{ n: 3 }]);
  });

  it("that find nothing ready wait for what is in flight, and say so", async () => {
    const shop = runShop([{ number: "1" }, { number: "2", dependsOn: ["step-1"] }]);
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { pause: 600 }]] });
    const { code, stderr } = await shop.run("--workers", "2");
    expect(code).toBe(0);
    expect(stderr).toMatch(/\[[12]\] waiting for step-1 \(worker [12]\)\n/);
    expect(stderr).not.toContain(shop.repo.path);
    expect(shop.commits()).toEqual(["step-1", "step-2"]);
  });

  it("begin no more steps than are wanted", async () => {
    const shop = runShop([{ number: "1" }, { number: "2" }, { number: "3" }, { number: "4" }]);
    expect((await shop.run("--workers", "3", "--max-steps", "2")).code).toBe(0);
    expect(shop.commits()).toHaveLength(2);
  });

  it("block only the step whose work conflicts and whose agent leaves it so, and keep its work", async () => {
    const shop = runShop([{ number: "1" }, { number: "2" }, { number: "3" }]);
    const same = (step: string) => [
      { write: `started-${step}` },
      { waitFor: shop.path("go") },
      { write: "same.txt", text: `${step}\n` },
    ];
    const leave = [{ say: "done" }];
    shop.script({ steps: { "step-1": [same("step-1"), leave], "step-2": [same("step-2"), leave] } });
    const { ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    await untilInOne(shop, "started-step-1");
    await untilInOne(shop, "started-step-2");
    writeFileSync(shop.path("go"), "");
    const { code, stdout } = await ended;
    expect(code).toBe(5);
    expect(stdout).toContain("same.txt");
    const states = shop.steps().toSorted();
    expect(states.filter((state) => state.endsWith("completed"))).toHaveLength(2);
    expect(shop.query("select block_reason, block_note from steps where status = 'blocked'")).toMatchObject([
      { block_reason: "merge_conflict", block_note: expect.stringContaining("conflict markers") },
    ]);
    const kept = shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/rescue").split("\n");
    expect(kept.some((ref) => shop.repo.git("ls-tree", "-r", "--name-only", ref).includes("same.txt"))).toBe(
      true,
    );
  });

  it("of two runs share a plan, and two in one worktree are refused", async () => {
    const shop = runShop([{ number: "1" }, { number: "2" }, { number: "3" }, { number: "4" }]);
    shop.script({ runs: [[{ write: "work/{step}.txt" }, { pause: 300 }]] });
    const first = shop.start("run", "plan.md", ...AGENT);
    const second = shop.start("run", "plan.md", ...AGENT);
    const ends = await Promise.all([first.ended, second.ended]);
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(new Set(shop.commits()).size).toBe(4);
    expect(shop.commits()).toHaveLength(4);
    expect(shop.query("select count(distinct worktree) as n from sessions")).toEqual([{ n: 2 }]);
  });

  it("refuse a worktree in which another session runs", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [HANG] } });
    const worktree = shop.repo.addWorktree("mine");
    const { child, ended } = shop.start("run", "plan.md", "--worktree", worktree, ...AGENT);
    await untilWritten(join(worktree, "half.txt"));
    const refused = shop.pawl("run", "plan.md", "--worktree", worktree, ...AGENT);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("E170");
    child.kill("SIGTERM");
    await ended;
  });

  it("that were interrupted together are resumed together", async () => {
    const shop = runShop([{ number: "1" }, { number: "2" }]);
    const wait = [[{ write: "half-{step}.txt" }, { hang: true }], [{ write: "work/{step}.txt" }]];
    shop.script({ steps: { "step-1": wait, "step-2": wait } });
    const { child, ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    await untilInOne(shop, "half-step-1.txt");
    await untilInOne(shop, "half-step-2.txt");
    child.kill("SIGKILL");
    await ended;
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.commits().toSorted()).toEqual(["step-1", "step-2"]);
    expect(shop.query("select status from sessions")).toEqual([
      { status: "completed" },
      { status: "completed" },
    ]);
    expect(shop.pids().filter(lives)).toEqual([]);
  });
});
