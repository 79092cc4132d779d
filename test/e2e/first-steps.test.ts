import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canPlayOthers, pawl } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { type Data, ok, PLAN, refused, workshop } from "../support/workshop.ts";

/** What a newcomer sees who does things in another order than the README. */
describe("without a plan", () => {
  it("names what could be one, and how to write one", () => {
    const shop = workshop(null);
    expect(refused(shop.json("run"), "E166", 5).hint).toContain("`pawl plan new plan`");
    shop.repository.write("list.md", "- [ ] one\n");
    shop.repository.write("notes.md", "- [x] done long ago\n");
    const { message, hint } = refused(shop.json("run"), "E166", 5);
    expect(message).toContain("list.md");
    expect(message).not.toContain("notes.md");
    expect(hint).toContain("`pawl run list.md`");
    expect(shop.text("status").stdout).toContain("No plan has started here.");
    refused(shop.json("resume"), "E174", 6);
    expect(shop.text("init").stdout).toContain("checklist list.md: pawl run list.md");
  });

  it("sends no one into a run whose plan has errors", () => {
    const shop = workshop(null);
    shop.repository.write("bad.md", "#### Step 1: A {#a}\n\n**Depends on:** #nope\n");
    shop.repository.write("latin.md", new Uint8Array([...Buffer.from("#### Step 1: A {#a}\n"), 0xe4]));
    shop.repository.write(".auto-claude/specs/001-shop/spec.md", "# A shop\n");
    const { stdout } = shop.text("init");
    expect(stdout).toContain("plan bad.md: 1 error; see: pawl plan check bad.md");
    expect(stdout).toContain("plan latin.md: 1 error; see: pawl plan check latin.md");
    expect(stdout).toContain("pawl run .auto-claude/specs/001-shop");
    expect(ok(shop.json("init"))["plans_with_errors"]).toEqual([
      { plan_path: "bad.md", errors: 1 },
      { plan_path: "latin.md", errors: 1 },
    ]);
  });

  it("says in a bare repository that plans lie in worktrees", () => {
    const shop = workshop(null);
    const bare = shop.repository.git("rev-parse", "--absolute-git-dir");
    expect(pawl({ cwd: bare }, "init").stdout).toMatch(/Plans are in worktrees/);
    const { stderr, code } = pawl({ cwd: bare }, "run");
    expect(code).toBe(5);
    expect(stderr).toContain("git worktree list");
    expect(stderr).not.toContain("plan new");
    const empty = join(shop.home, "empty.git");
    shop.repository.git("init", "-q", "--bare", empty);
    expect(pawl({ cwd: empty }, "doctor").stdout).toContain("There is no commit yet");
  });

  it("never takes a file with boxes for the one that is meant", () => {
    const shop = workshop(null);
    shop.repository.write("README.md", "- [ ] one day\n");
    expect(refused(shop.json("run", "--agent", "claude"), "E166", 5).details?.["plans"]).toEqual([]);
  });
});

describe("where everything waits for one step", () => {
  const CHAIN = planText([{ number: "1" }, { number: "2", dependsOn: ["step-1"] }]);

  it("claim says which, and what a person can do about it", () => {
    const shop = workshop(CHAIN);
    ok(shop.json("state", "hold", PLAN, "step-1"));
    const [issue] = shop.claim(".").issues;
    expect(issue?.hint).toContain("`pawl state retry plan.md step-1` lets step-1 be claimed again");
  });

  it("and a worker is busy, claim says to wait", () => {
    const shop = workshop(CHAIN);
    shop.take(shop.worktree("mine"));
    expect(shop.claim(".").issues[0]?.hint).toContain("Wait for a step to finish");
  });
});

describe("the repository itself", () => {
  it("is distinguished from a file outside of it", () => {
    const shop = workshop(planText([{ number: "1" }]));
    expect(refused(shop.json("state", "init", "."), "E058", 2).message).toContain("is the repository itself");
    expect(refused(shop.json("state", "init", "/etc/hosts"), "E058", 2).message).toContain("not inside");
  });
});

describe("from a subfolder", () => {
  it("a plan goes by its name from the top, for every command", () => {
    const shop = workshop(planText([{ number: "1" }]));
    shop.repository.write("sub/deep/note.txt", "note");
    const cwd = join(shop.repository.path, "sub/deep");
    for (const words of [
      ["plan", "check"],
      ["plan", "show"],
      ["plan", "graph"],
      ["state", "show"],
    ])
      expect(pawl({ cwd }, ...words, PLAN)).toMatchObject({ code: 0 });
    expect(pawl({ cwd }, "plan", "check", "other.md").stderr).toContain("sub/deep/other.md");
  });
});

describe("a journal without a line", () => {
  it("says so to people, and nothing to programs", () => {
    const shop = workshop(planText([{ number: "1" }]));
    expect(shop.text("state", "events", "other.md").stdout).toBe("The journal has nothing of other.md.\n");
    expect(shop.text("state", "events", "other.md", "--jsonl").stdout).toBe("");
  });
});

describe("a refusal with a list", () => {
  it("says each entry once", () => {
    const shop = workshop("#### Step 1: A {#a}\n\n**Commit:** `a: b`\n");
    const { stderr, code } = shop.text("plan", "convert", PLAN, "--to", "checklist");
    expect(code).toBe(5);
    expect(stderr.split("commit lines")).toHaveLength(2);
    expect(stderr).toMatch(/- commit lines, 1: /);
  });
});

describe("a hint", () => {
  it("has the names filled in", () => {
    const shop = workshop(planText([{ number: "1" }]));
    ok(shop.json("state", "claim", PLAN, "--worktree", ".", "--start"));
    const update = shop.json(
      "state",
      "update",
      PLAN,
      "step-1",
      "--worktree",
      ".",
      "--task",
      "9",
      "completed",
    );
    expect(refused(update, "E061", 2).hint).toContain("`pawl plan show plan.md --step step-1`");
    ok(shop.json("state", "release", PLAN, "step-1", "--worktree", "."));
    for (const verb of [["verify"], ["state", "retry"], ["state", "start"]]) {
      const args = verb[1] === "start" ? ["--worktree", "."] : [];
      const { hint } = refused(shop.json(...verb, PLAN, "step-1", ...args), "E050", 4);
      expect(hint).toContain("plan.md");
      expect(hint).not.toMatch(/<plan>|<step>|PATH/);
    }
  });

  it("guesses a mistyped step by its letters, never by its number", () => {
    const shop = workshop(planText([{ number: "1" }, { number: "2" }]));
    const said = (step: string) => refused(shop.json("explain", PLAN, step), "E060", 2).message;
    expect(said("setp-2")).toBe("plan.md has no step setp-2. Did you mean step-2?");
    expect(said("step-22")).toBe("plan.md has no step step-22.");
  });

  it("says where a snapshot can go whose worktree is gone", () => {
    const shop = workshop(planText([{ number: "1" }]));
    const mine = shop.worktree("mine");
    writeFileSync(join(mine, "work.txt"), "work");
    const { ref } = ok(shop.json("snapshot", "take", "--worktree", mine))["snapshot"] as { ref: string };
    rmSync(mine, { recursive: true });
    const { hint } = refused(shop.json("snapshot", "restore", ref), "E064", 2);
    expect(hint).toContain(`\`pawl snapshot restore ${ref} --to <folder>\``);
  });

  it("after a commit that completes nothing says what is left to do", () => {
    const shop = workshop(planText([{ number: "1", tasks: ["dig"] }]));
    ok(shop.claim("."));
    shop.repository.write("a.txt", "work");
    const { stdout, code } = shop.text("commit", "--plan", PLAN, "--step", "step-1", "--worktree", ".");
    expect(code).toBe(0);
    const commit = shop.repository.git("rev-parse", "--short=12", "HEAD");
    expect(stdout).toContain(`then: pawl state complete plan.md step-1 --worktree . --commit ${commit}`);
    ok(shop.work("update", ".", "step-1", "--all", "completed"));
    ok(shop.work("complete", ".", "step-1", "--commit", commit));
  });
});

describe("an answer", () => {
  /** The command that the last answer names, as it can be typed. */
  const next = (text: string): readonly string[] =>
    (/^  next: .*\bpawl ([a-z].*)$/m.exec(text)?.[1] ?? "").split(" ");

  it("ends with the call that comes next, from the claim to the last step", () => {
    const shop = workshop(
      planText([
        { number: "1", tasks: ["dig"], tests: ["deep"] },
        { number: "1.1", tasks: ["by hand"] },
        { number: "2" },
      ]),
    );
    const said: string[] = [];
    let words = ["state", "claim", PLAN, "--worktree", "."] as readonly string[];
    while (words.length > 1 && said.length < 20) {
      const { stdout, code } = shop.text(...words);
      expect(code, stdout).toBe(0);
      said.push(words.slice(0, words[0] === "state" ? 2 : 1).join(" "));
      if (words[1] === "start") shop.repository.write(`${said.length}.txt`, "work");
      words = next(stdout);
    }
    expect(said).toEqual([
      "state claim",
      "state start",
      "state update",
      "state update",
      "state update",
      "state complete",
      "commit",
      "state claim",
      "state start",
      "commit",
    ]);
    expect(shop.plan()["status"]).toBe("done");
  });

  it("about a plan that is not there names those that are, the nearest first", () => {
    const shop = workshop(planText([{ number: "1" }]));
    shop.repository.write("other.md", planText([{ number: "1" }]));
    const { hint, details } = refused(shop.json("state", "claim", "plam.md", "--worktree", "."), "E054", 2);
    expect(hint).toContain("plans that are here: plan.md, other.md.");
    expect(details!["plans"]).toEqual(["other.md", "plan.md"]);
    for (const name of ["other.md", PLAN]) rmSync(join(shop.home, name));
    expect(refused(shop.json("state", "init", "plam.md"), "E054", 2).hint).toContain("ask the person");
  });
});

describe("doctor", () => {
  const checkOf = (doctor: Data, name: string) =>
    (doctor["checks"] as { name: string; status: string; message: string; details: Data }[]).find(
      (one) => one.name === name,
    );

  it.each([
    ["of a name that is none", "nonsense = 1\n", "nonsense"],
    ["of a table that only runs read", "[verify]\ncommand = 3\n", "verify.command"],
    ["that are no TOML", "agent = \n", "pawl.toml:1"],
  ])("reports settings %s", (_, settings, said) => {
    const shop = workshop();
    shop.repository.write("pawl.toml", settings);
    const { code, data } = shop.json("doctor");
    expect(code).toBe(1);
    expect(checkOf(data, "settings")).toMatchObject({ status: "fail" });
    expect(checkOf(data, "settings")?.message).toContain(said);
  });

  it("warns when there is no agent to run", () => {
    const shop = workshop();
    const git = join(shop.home, "..", "bin");
    shop.repository.write("../bin/git", '#!/bin/sh\nexec /usr/bin/env -i PATH="$REAL_PATH" git "$@"\n');
    chmodSync(join(git, "git"), 0o755);
    const env = { PATH: git, REAL_PATH: process.env["PATH"] ?? "" };
    expect(checkOf(shop.jsonWith({ env }, "doctor").data, "agents")).toMatchObject({ status: "warn" });
  });

  it("warns of what a run would be refused by: no author to commit as, nothing to start from", () => {
    const shop = workshop(null);
    expect(checkOf(shop.json("doctor").data, "git_commits")).toMatchObject({ status: "pass" });
    shop.repository.git("checkout", "-q", "--orphan", "empty");
    const env = { GIT_COMMITTER_NAME: "" };
    const { data } = shop.jsonWith({ env }, "doctor");
    expect(checkOf(data, "git_commits")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/no author to commit as.* no commit yet/),
    });
  });

  it.runIf(canPlayOthers())("fails where nothing can be written", () => {
    const shop = workshop();
    chmodSync(join(shop.home, ".."), 0o755);
    execFileSync("chown", ["-R", "65534", shop.home]);
    execFileSync("chmod", ["-R", "a-w", join(shop.home, ".git")]);
    const answer = shop.jsonWith({ uid: 65_534 }, "doctor").data;
    expect(checkOf(answer, "writable")).toMatchObject({ status: "fail" });
    expect(checkOf(answer, "writable")?.details["problems"]).toContain(join(shop.home, ".git"));
  });
});

describe("lists for people", () => {
  it("stand in columns, and name items as they are ticked", () => {
    const shop = workshop(
      planText([
        { number: "1", tasks: ["dig"] },
        { number: "10", dependsOn: ["step-1"] },
      ]),
    );
    shop.take(".");
    const other = shop.worktree("other");
    const { stdout } = shop.text("state", "claim", PLAN, "--worktree", other);
    expect(stdout).toMatch(/^ {2}step-1 {3}held by .*\n {2}step-10 {2}waits for step-1$/m);
    expect(shop.text("state", "complete", PLAN, "step-1", "--worktree", ".").stderr).toContain(
      "    - task 1: dig\n",
    );
  });

  it("keep what stopped a step within 80 columns, under the bars of its plans", () => {
    const shop = workshop(planText([{ number: "1", title: "A title that takes room" }]));
    shop.repository.write("longer-name.md", planText([{ number: "1" }]));
    ok(shop.json("state", "init", "longer-name.md"));
    const reason = "it is not known yet which of the two machines it has to be done on, and Ada is away";
    ok(shop.json("state", "hold", PLAN, "step-1", "--reason", reason));
    const lines = shop.text("status").stdout.split("\n");
    expect(lines.slice(0, 2).map((line) => line.indexOf("["))).toEqual([16, 16]);
    expect(lines.find((line) => line.includes("on hold"))).toContain('step-1 "A title that takes room"');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("a run that finds nothing to do", () => {
  it("says why, and that there is no log", () => {
    const shop = workshop(planText([{ number: "1" }]));
    shop.repository.git("add", PLAN);
    shop.repository.git("commit", "-q", "-m", "plan");
    ok(shop.json("state", "hold", PLAN, "step-1", "--reason", "Ada is away"));
    const { stdout } = shop.text("run", PLAN, "--", "true");
    expect(stdout).toContain("waits    step-1 on hold: Ada is away");
    const [session] = ok(shop.json("sessions", "list"))["sessions"] as readonly { readonly id: string }[];
    const { message, hint } = refused(shop.json("sessions", "logs", session!.id), "E171", 2);
    expect(message).toMatch(/^Session s-[0-9a-f]{8} has run no command\.$/);
    expect(hint).toContain("`pawl sessions show s-");
  });
});

describe("a spec folder of which only the text is committed", () => {
  it("is the plan of the main checkout in every worktree", () => {
    const shop = workshop(null);
    const spec = ".auto-claude/specs/001-cart";
    shop.repository.write(`${spec}/spec.md`, "# A cart\n");
    shop.repository.git("add", ".");
    shop.repository.git("commit", "-q", "-m", "spec");
    const subtasks = [{ id: "a", description: "Do it", status: "pending" }];
    shop.repository.write(
      `${spec}/implementation_plan.json`,
      JSON.stringify({ feature: "Cart", phases: [{ id: "p", name: "P", subtasks }] }),
    );
    ok(shop.json("state", "init", spec));
    const mine = shop.worktree("mine");
    ok(shop.json("state", "claim", spec, "--worktree", mine, "--start"));
    const there = pawl({ cwd: mine }, "state", "update", spec, "a", "--all", "completed", "--worktree", mine);
    expect(there).toMatchObject({ code: 0, stderr: "" });
    const run = shop.text("worktree", "create", spec);
    expect([run.code, run.stderr]).toEqual([0, ""]);
  });
});
