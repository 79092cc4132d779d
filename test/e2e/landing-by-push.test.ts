import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { AGENT, type RunShop, runShop, THREE, untilThere } from "../support/run-shop.ts";
import { until } from "../support/until.ts";
import { cleanEnv } from "../support/repository.ts";

const SETTINGS = 'remote = "origin"\n[verify]\ncommand = ["sh", "-c", "test -f plan.md"]\n';

/** The first commit of the step, which was kept when it was made anew. */
const OVERTAKEN = "--glob=refs/pawl/rescue/step-1";

interface PushShop extends RunShop {
  readonly remote: string;
  /** Git on the bare repository. */
  readonly there: (...args: readonly string[]) => string;
  /** Anchors in the trailers of the remote's branch of the plan, oldest first. */
  readonly pushed: () => readonly string[];
  readonly hook: (script: string) => void;
}

function pushShop(settings = SETTINGS, steps = THREE): PushShop {
  const shop = runShop(steps, settings);
  const remote = shop.path("remote.git");
  const there = (...args: readonly string[]) =>
    execFileSync("git", ["-C", remote, ...args], { encoding: "utf8", env: cleanEnv() }).trim();
  shop.repo.git("init", "-q", "--bare", "-b", "main", remote);
  shop.repo.git("remote", "add", "origin", remote);
  shop.repo.git("push", "-q", "origin", "main");
  return {
    ...shop,
    remote,
    there,
    pushed: () =>
      there(
        "log",
        "--reverse",
        "--format=%(trailers:key=Pawl-Step,valueonly,separator=%x2C)",
        "main..pawl/plan",
      )
        .split("\n")
        .filter((line) => line !== ""),
    hook(script) {
      writeFileSync(`${remote}/hooks/pre-receive`, `#!/bin/sh\n${script}\n`);
      chmodSync(`${remote}/hooks/pre-receive`, 0o755);
    },
  };
}

describe("with a remote", () => {
  it("a step is completed when the remote has its commit", async () => {
    const shop = pushShop();
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1", "step-2", "step-3"]);
    expect(shop.there("rev-parse", "pawl/plan")).toBe(shop.repo.git("rev-parse", "pawl/plan").trim());
  });

  it("a relative path is taken from the main checkout, as git takes it there", async () => {
    const shop = pushShop();
    shop.repo.git("remote", "set-url", "origin", relative(shop.repo.path, shop.remote));
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1", "step-2", "step-3"]);
  });

  it("a step is built and verified again on top of what another clone pushed meanwhile", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    const other = shop.path("other");
    const push = [
      `git clone -q '${shop.remote}' '${other}'`,
      `cd '${other}'`,
      "git switch -q -c pawl/plan",
      "echo theirs > theirs.txt",
      "git add -A",
      "git commit -q -m theirs",
      "git push -q origin pawl/plan",
    ].join(" && ");
    shop.script({ steps: { "step-1": [[{ write: "work/one.txt" }, { sh: push }, { tick: "all" }]] } });
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.there("log", "--format=%p", "-1", "pawl/plan").split(" ")).toHaveLength(1);
    expect(shop.there("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("theirs.txt");
    expect(shop.pushed()).toEqual(["step-1"]);
    // The commit that was overtaken says the same.
    const message = shop.there("log", "-1", "--format=%B", "pawl/plan");
    expect(message).toBe(shop.repo.git("log", "-1", "--format=%B", OVERTAKEN).trim());
    const tree = shop.there("rev-parse", "pawl/plan^{tree}");
    expect(shop.query("select outcome from tree_verdicts where tree = '" + tree + "'")).toEqual([
      { outcome: "passed" },
    ]);
  });

  it("a step that fails together with what was pushed meanwhile goes back, at no cost of its attempts", async () => {
    const fails = SETTINGS.replace("test -f plan.md", "! test -f theirs.txt || test -f fixed.txt");
    const shop = pushShop(fails, [{ number: "1", tasks: ["dig"] }]);
    const other = shop.path("other");
    const push = `git clone -q '${shop.remote}' '${other}' && cd '${other}' && git switch -q -c pawl/plan &&
echo theirs > theirs.txt && git add -A && git -c user.name=o -c user.email=o@example.com commit -q -m theirs && git push -q origin pawl/plan`;
    // The push comes after the fetch that precedes a verification, so the step passes alone first.
    const hook = `test -e '${other}' || { ${push} >&2; }`;
    writeFileSync(
      `${shop.repo.path}/.git/hooks/post-commit`,
      `#!/bin/sh\nunset GIT_DIR GIT_INDEX_FILE\n${hook}\n`,
    );
    chmodSync(`${shop.repo.path}/.git/hooks/post-commit`, 0o755);
    const fix = [{ write: "fixed.txt" }, { tick: "all" }];
    shop.script({ steps: { "step-1": [[{ write: "one.txt" }, { tick: "all" }], fix] } });
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("Others landed on pawl/plan");
    expect(stderr).toContain("back to its agent");
    expect(shop.query("select verification_attempts from steps")).toEqual([{ verification_attempts: 1 }]);
  });

  it("a push that the server refuses is tried again", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    const count = shop.path("count");
    shop.hook(`echo x >> '${count}'; test $(wc -l < '${count}') -gt 2 || { echo "not yet"; exit 1; }`);
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(count, "utf8")).toBe("x\nx\nx\n");
    expect(shop.pushed()).toEqual(["step-1"]);
  });

  it("a server that never takes it is quoted, and the verified work is kept", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    shop.hook('echo "no steps on Fridays"; exit 1');
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("no steps on Fridays");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("declined). It is kept as");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("`pawl state retry plan.md step-1` lands it");
    expect(shop.query("select block_reason from steps")).toEqual([{ block_reason: "push_refused" }]);
    shop.hook("exit 0");
    expect(shop.pawl("state", "retry", "plan.md", "step-1").code).toBe(0);
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("a step waits for a remote that is away while other steps are worked on, and lands when it is back", async () => {
    const shop = pushShop(`${SETTINGS}[landing]\nwait = "1m"\n`, [
      { number: "1", tasks: ["dig"] },
      { number: "2", tasks: ["paint"] },
    ]);
    renameSync(shop.remote, `${shop.remote}.away`);
    const back = `mv '${shop.remote}.away' '${shop.remote}'`;
    shop.script({
      steps: {
        "step-1": [[{ write: "work/one.txt" }, { tick: "all" }]],
        "step-2": [[{ write: "work/two.txt" }, { sh: back }, { tick: "all" }]],
      },
    });
    const { code, stderr, stdout } = await shop.run("--workers", "1");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("waiting to land");
    expect(stdout).not.toContain("blocked");
    expect(shop.pushed().toSorted()).toEqual(["step-1", "step-2"]);
    expect([shop.starts("step-1"), shop.starts("step-2")]).toEqual([1, 1]);
  });

  it("a run that waited long enough says what waits and ends with 5; the next run lands it without an agent", async () => {
    const shop = pushShop(`${SETTINGS}[landing]\nwait = "1s"\n`, [{ number: "1", tasks: ["dig"] }]);
    renameSync(shop.remote, `${shop.remote}.away`);
    const first = await shop.run();
    expect(first.code).toBe(5);
    expect(first.stdout).toContain("verified, waiting to land");
    const { stdout } = shop.pawl("explain", "plan.md", "step-1");
    expect(stdout).toContain("verified, waiting to land");
    expect(stdout).toContain("next: The next run lands it when the remote answers.");
    renameSync(`${shop.remote}.away`, shop.remote);
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("a run that is killed right after its push is completed from what the remote has", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    const pid = shop.path("pid");
    // The server has moved the branch when this hook kills the run, and the run does not know of it.
    writeFileSync(
      `${shop.remote}/hooks/post-receive`,
      `#!/bin/sh\nkill -9 $(cat '${pid}')\ntouch '${shop.path("killed")}'\n`,
      { mode: 0o755 },
    );
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    writeFileSync(pid, String(child.pid));
    await ended;
    await untilThere(shop.path("killed"));
    writeFileSync(`${shop.remote}/hooks/post-receive`, "#!/bin/sh\n");
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });

  it.each(["while another step is worked on", "while nothing else is to do"])(
    "a push whose answer is lost lands once, also when the remote is away and comes back %s",
    async (when) => {
      const isBusy = when.includes("another");
      const steps = isBusy ? ["1", "2"] : ["1"];
      const settings = `${SETTINGS}[landing]\nwait = "1m"\n`;
      const shop = pushShop(
        settings,
        steps.map((number) => ({ number, tasks: ["dig"] })),
      );
      const hook = `${shop.remote}/hooks/reference-transaction`;
      const away = `mv '${shop.remote}' '${shop.remote}.away'`;
      const back = `mv '${shop.remote}.away' '${shop.remote}'`;
      // The branch has moved there. Then the server is gone: the push is not answered, and the remote cannot be asked.
      writeFileSync(
        hook,
        `#!/bin/sh\n[ "$1" = committed ] || exit 0\nrm '${hook}'\n${away}\nkill -9 $PPID\n`,
        { mode: 0o755 },
      );
      const acts = (file: string) => [{ write: file }, { tick: "all" }];
      shop.script({
        steps: {
          "step-1": [acts("work/one.txt")],
          "step-2": [[{ sh: back }, ...acts("work/two.txt")]],
        },
      });
      const running = shop.run("--workers", "1");
      if (!isBusy) {
        await until(
          () =>
            existsSync(`${shop.remote}.away`) &&
            shop.query("select status from steps")[0]!["status"] === "blocked",
        );
        renameSync(`${shop.remote}.away`, shop.remote);
      }
      const { code, stdout, stderr } = await running;
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
      expect(stdout).not.toContain("blocked");
      const wanted = steps.map((number) => `step-${number}`);
      expect(shop.pushed()).toEqual(wanted);
      expect(shop.steps()).toEqual(wanted.map((step) => `${step} completed`));
      expect(wanted.map((step) => shop.starts(step))).toEqual(wanted.map(() => 1));
    },
  );

  it("shows no password of the remote's address", async () => {
    const shop = pushShop(`${SETTINGS}[landing]\nwait = "1s"\n`, [{ number: "1", tasks: ["dig"] }]);
    shop.repo.git("remote", "set-url", "origin", "http://me:s3cret-token@127.0.0.1:1/x.git");
    const { code, stdout, stderr } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("127.0.0.1");
    expect(JSON.stringify([stdout, stderr, shop.query("select detail from events")])).not.toContain("s3cret");
  });
});

describe("a claim that ends between the push and its record", () => {
  /** Runs right after the server has moved the branch, and before the push is answered. */
  const afterPush = (shop: PushShop, ...calls: readonly string[]) =>
    writeFileSync(
      `${shop.remote}/hooks/post-receive`,
      `#!/bin/sh\nunset $(env | sed -n 's/^\\(GIT_[A-Z_]*\\)=.*/\\1/p')\ncd '${shop.repo.path}'\n${calls.map((call) => `'${process.execPath}' '${PAWL}' ${call}`).join("\n")}\n`,
      { mode: 0o755 },
    );
  const events = (shop: PushShop) =>
    shop.query("select event from events where event like 'landed-%' order by id").map(({ event }) => event);

  it("leaves the commit on the remote and completes a step that has no other owner", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    afterPush(shop, "state hold plan.md step-1 --reason wait");
    const { code, stdout, stderr } = await shop.run();
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(events(shop)).toEqual(["landed-by-remote"]);
  });

  it("leaves the commit on the remote and the step to its new owner", async () => {
    const shop = pushShop(SETTINGS, [{ number: "1", tasks: ["dig"] }]);
    afterPush(shop, "state reset plan.md step-1", "state claim plan.md --worktree . --step step-1");
    expect(shop.pawl("state", "init", "plan.md").code).toBe(0);
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    // It waits for the new owner then.
    await until(() => events(shop).length > 0);
    child.kill("SIGKILL");
    await ended;
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.steps()).toEqual(["step-1 claimed"]);
    expect(events(shop)).toEqual(["landed-late"]);
    expect(shop.repo.git("rev-parse", "pawl/plan").trim()).toBe(shop.there("rev-parse", "pawl/plan"));
  });
});

describe("without a run", () => {
  /** A step in a worktree of the plan, done and not committed. */
  function doneByHand(shop: PushShop): (...more: readonly string[]) => ReturnType<RunShop["pawl"]> {
    expect(shop.pawl("state", "init", "plan.md").code).toBe(0);
    const { worktree_path: path } = shop.json("worktree", "create", "plan.md").data as {
      worktree_path: string;
    };
    expect(shop.pawl("state", "claim", "plan.md", "--worktree", path, "--start").code).toBe(0);
    writeFileSync(`${path}/one.txt`, "one\n");
    const all = ["--worktree", path, "--all", "completed"];
    expect(shop.pawl("state", "update", "plan.md", "step-1", ...all).code).toBe(0);
    return (...more) =>
      shop.pawl("commit", "--plan", "plan.md", "--step", "step-1", "--worktree", path, ...more);
  }

  it.each([
    ["verified", SETTINGS, 3],
    // Its commit is made, and the answer says that the step is not completed.
    ["not verified", 'remote = "origin"\n', 0],
  ])("`pawl commit` of a step that is %s lands by a push, or later by the same call", (_, settings, away) => {
    const shop = pushShop(settings, [{ number: "1", tasks: ["dig"] }]);
    const commit = doneByHand(shop);
    renameSync(shop.remote, `${shop.remote}.away`);
    const refused = commit();
    expect(refused.code).toBe(away);
    expect(refused.stdout + refused.stderr).toContain("origin cannot be reached");
    expect(shop.steps()).toEqual(["step-1 in_progress"]);
    renameSync(`${shop.remote}.away`, shop.remote);
    const { code, stderr } = commit();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.pushed()).toEqual(["step-1"]);
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });
});

it("a run pushes what landed before the remote was set", async () => {
  const shop = pushShop('[verify]\ncommand = ["test", "-f", "plan.md"]\n', [{ number: "1", tasks: ["dig"] }]);
  expect(await shop.run()).toMatchObject({ code: 0 });
  shop.repo.write("pawl.toml", SETTINGS);
  expect(await shop.run()).toMatchObject({ code: 0 });
  expect(shop.pushed()).toEqual(["step-1"]);
});

it("the base that a sync brings into the plan's branch is pushed with it", async () => {
  const shop = pushShop();
  expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
  shop.repo.write("by-a-person.txt", "a person's\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "by a person");
  const { code, stderr } = shop.pawl("worktree", "sync", "plan.md");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(shop.there("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("by-a-person.txt");
});
