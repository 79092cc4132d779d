import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPawl } from "../../src/index.ts";
import { pawlJson } from "../support/cli.ts";
import { commitShop, type CommitShop, COMMIT_PLAN } from "../support/commit-shop.ts";
import { cleanEnv } from "../support/repository.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { type Data, ok, PLAN, refused, workshop } from "../support/workshop.ts";
import { until } from "../support/until.ts";
import { query, withDatabase, worldOf } from "../support/world.ts";

type Git = (...args: string[]) => string;

/** For a hook: ends the command that called git, and makes sure first that it is that one. */
const KILL_CALLER =
  "caller=$(ps -o ppid= -p $(ps -o ppid= -p $$) | tr -d ' '); grep -q pawl.cjs /proc/$caller/cmdline && kill -9 $caller";

/** A `git` that notes how it is called, and is git. */
function watchedGit(home: string) {
  const folder = join(dirname(home), "watched");
  const log = join(folder, "calls");
  mkdirSync(folder);
  writeFileSync(log, "");
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\necho " $* " >> '${log}'\nexec '${git}' "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  return {
    env: { PATH: [folder, process.env["PATH"]].join(delimiter) },
    calls: () => readFileSync(log, "utf8").split("\n"),
  };
}

const trailersOf = (message: string): readonly string[] => (message.split("\n\n").at(-1) ?? "").split("\n");

describe("Step 8: trailers and completion", () => {
  it("commits with trailers and completes the step with the commit", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    const { claim } = shop.take(mine);
    shop.write(mine, "ground.txt");

    const data = ok(shop.commit(mine, "step-1"));

    const head = shop.git(mine, "rev-parse", "HEAD");
    expect(data).toEqual({
      plan_path: PLAN,
      anchor: "step-1",
      claim,
      committed: true,
      commit_hash: head,
      files_staged: ["ground.txt"],
      resumed: false,
      completed: true,
      all_steps_completed: false,
      state_update_failed: false,
      state_failure_reason: null,
      warnings: [],
    });
    expect(shop.step("step-1")).toMatchObject({ status: "completed", commit_hash: head });
    const message = shop.message(mine);
    expect(message.split("\n")[0]).toBe("feat(ground): lay it");
    expect(trailersOf(message)).toEqual([
      `Pawl-Plan: ${PLAN}`,
      "Pawl-Step: step-1",
      `Pawl-Claim: ${claim}`,
      expect.stringMatching(/^Pawl-Content: [0-9a-f]{64}$/),
      expect.stringMatching(/^Pawl-Signature: [0-9a-f]{64}$/),
    ]);
    expect(statSync(join(shop.home, ".git/pawl/signing-key")).mode & 0o777).toBe(0o600);
    expect(
      query(shop.database, "select commit_hash, closed_at is not null as closed from commit_intents"),
    ).toEqual([{ commit_hash: head, closed: 1 }]);
  });

  it("writes trailers that git itself reads as such", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.write(mine, "ground.txt");
    ok(shop.commit(mine, "step-1"));
    const read = (key: string) =>
      shop.git(mine, "log", "-1", `--format=%(trailers:key=${key},valueonly,separator=%x20)`);
    expect([read("Pawl-Step"), read("Pawl-Plan")]).toEqual(["step-1", PLAN]);
  });

  it("replaces trailers that the message has already, and keeps the others", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    const given = [
      "Title",
      "A paragraph.",
      "Another one.",
      "Co-authored-by: B <b@c>\nPawl-Step: step-9\n  and more\nTug-Plan: other.md\nReviewed-by: C <c@d>",
    ].join("\n\n");
    ok(shop.commit(shop.home, "step-1", `--message=${given}`));
    const message = shop.message(shop.home);
    expect(
      message.startsWith("Title\n\nA paragraph.\n\nAnother one.\n\nCo-authored-by: B <b@c>\nReviewed-by"),
    ).toBe(true);
    expect(message.match(/-Step:/g)).toHaveLength(1);
    expect(message.match(/-Plan:/g)).toHaveLength(1);
    expect(message).not.toContain("step-9");
  });

  it("writes the other family where history has it or the settings say so", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.git(shop.home, "commit", "-q", "--allow-empty", "-m", "old\n\nTug-Step: x\nTug-Plan: y.md");
    shop.write(shop.home, "a");
    ok(shop.commit(shop.home, "step-1"));
    expect(trailersOf(shop.message(shop.home)).map((line) => line.replace(/:.*/, ""))).toEqual([
      "Tug-Plan",
      "Tug-Step",
      "Pawl-Claim",
      "Pawl-Content",
      "Pawl-Signature",
    ]);
    shop.write(shop.home, "pawl.toml", 'trailer_prefix = "Pawl"\n');
    shop.take(shop.home);
    ok(shop.commit(shop.home, "step-2"));
    expect(trailersOf(shop.message(shop.home))[1]).toBe("Pawl-Step: step-2");
    shop.write(shop.home, "pawl.toml", 'trailer_prefix = "Other"\n');
    refused(shop.json("state", "list"), "E091", 2);
  });

  it("succeeds even when the step cannot be completed, and completes it when called again", () => {
    const shop = commitShop();
    shop.take(shop.home, "step-3");
    shop.write(shop.home, "a");
    const data = ok(shop.commit(shop.home, "step-3"));
    expect(data).toMatchObject({ committed: true, completed: false, state_update_failed: true });
    expect(data["state_failure_reason"]).toContain("E051");
    expect(data["warnings"]).toEqual([expect.stringContaining("state complete failed")]);
    expect(shop.step("step-3")["status"]).toBe("in_progress");

    ok(shop.work("update", shop.home, "step-3", "--all", "completed"));
    expect(ok(shop.commit(shop.home, "step-3"))).toMatchObject({
      commit_hash: data["commit_hash"],
      resumed: true,
      completed: true,
    });
    expect(shop.commits(shop.home)).toHaveLength(3);
  });

  it("begins a step that was only claimed, so that the commit completes it; no other worker's", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    shop.write(mine, "ground.txt");
    const head = shop.git(mine, "rev-parse", "HEAD");
    refused(shop.commit(shop.home, "step-1"), "E049", 4);
    expect(shop.step("step-1")["status"]).toBe("claimed");
    shop.hook("pre-commit", "exit 1");
    refused(shop.commit(mine, "step-1"), "E131", 1);
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    expect(shop.git(mine, "rev-parse", "HEAD")).toBe(head);
    shop.hook("pre-commit", "exit 0");
    expect(ok(shop.commit(mine, "step-1"))).toMatchObject({ completed: true, state_update_failed: false });
    const events = query(shop.database, "select event from events where anchor = 'step-1' order by id");
    expect(events.map(({ event }) => event)).toEqual([
      "claimed",
      "started",
      "commit-intended",
      "commit-failed",
      "commit-intended",
      "completed",
    ]);
  });

  it("makes a second commit when more was changed after one that could not complete", () => {
    const shop = commitShop();
    shop.take(shop.home, "step-3");
    shop.write(shop.home, "a");
    const first = ok(shop.commit(shop.home, "step-3"));
    shop.write(shop.home, "b");
    ok(shop.work("update", shop.home, "step-3", "--all", "completed"));
    const second = ok(shop.commit(shop.home, "step-3"));
    expect(second).toMatchObject({ resumed: false, completed: true, files_staged: ["b"] });
    expect(shop.git(shop.home, "rev-parse", "HEAD^")).toBe(first["commit_hash"]);
    expect(ok(shop.json("state", "reconcile", PLAN))).toMatchObject({
      skipped_count: 0,
      reconciled_count: 0,
    });
  });

  it("says why nothing was committed to a caller that does not own the step, and touches nothing", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    const before = worldOf(shop.repository);
    shop.write(shop.home, "a");
    refused(shop.commit(shop.home, "step-1"), "E049", 4);
    refused(shop.commit(mine, "step-1", "--claim", "7"), "E049", 4);
    refused(shop.commit(mine, "step-2"), "E050", 4);
    refused(shop.commit(mine, "step-9"), "E060", 2);
    rmSync(join(shop.home, "a"));
    expect(worldOf(shop.repository).refs).toBe(before.refs);
    expect(shop.git(shop.home, "status", "--porcelain")).toBe("");
    expect(query(shop.database, "select * from commit_intents")).toEqual([]);
  });

  it("says that there is nothing to commit, unless an empty commit is meant", () => {
    const shop = commitShop();
    shop.take(shop.home);
    refused(shop.commit(shop.home, "step-1"), "E130", 1);
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    expect(ok(shop.commit(shop.home, "step-1", "--allow-empty"))).toMatchObject({
      files_staged: [],
      completed: true,
    });
  });

  it("commits a substep under the number of its step", () => {
    const shop = commitShop(SMALL_PLAN);
    ok(shop.claim(shop.home, "--step", "step-0"));
    ok(shop.work("start", shop.home, "step-0"));
    ok(shop.work("complete", shop.home, "step-0", "--force", "not what this is about"));
    const { claim } = shop.take(shop.home, "step-1");
    ok(shop.work("update", shop.home, "step-1-1", "--all", "completed"));
    shop.write(shop.home, "north");
    const data = ok(shop.commit(shop.home, "step-1-1"));
    expect(data).toMatchObject({ claim, completed: true, warnings: [] });
    expect(shop.step("step-1-1")).toMatchObject({ status: "completed", commit_hash: data["commit_hash"] });
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    expect(ok(shop.json("state", "reconcile", PLAN))).toMatchObject({ reconciled_count: 0, proposals: [] });
  });

  it("takes plan, step and claim of a session from the environment", () => {
    const shop = commitShop();
    const { claim } = shop.take(shop.home);
    shop.write(shop.home, "a");
    const env = { PAWL_PLAN: PLAN, PAWL_STEP: "step-1", PAWL_CLAIM: String(claim), PAWL_SESSION: "s-1" };
    ok(shop.jsonWith({ env }, "commit"));
    expect(trailersOf(shop.message(shop.home))).toContain("Pawl-Session: s-1");
  });
});

describe("calling again", () => {
  it("gives the same answer and makes no second commit, with a request id or without", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    const first = ok(shop.commit(shop.home, "step-1", "--request-id", "r1"));
    expect(ok(shop.commit(shop.home, "step-1", "--request-id", "r1"))).toEqual(first);
    expect(ok(shop.commit(shop.home, "step-1"))).toEqual({ ...first, resumed: true });
    expect(shop.commits(shop.home)).toHaveLength(3);
    shop.write(shop.home, "b");
    refused(shop.commit(shop.home, "step-1"), "E050", 4);
  });

  it("keeps the commit of an owner that was displaced while it committed", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    const { claim } = shop.take(mine);
    const thief = shop.worktree("thief");
    const steal = `PAWL_WORKTREE= node "${join(process.cwd(), "dist/pawl.cjs")}" state claim ${PLAN} --step step-1 --worktree ${thief} --force >/dev/null`;
    shop.hook("post-commit", `cd ${shop.home} && ${steal}`);
    shop.write(mine, "a");
    const data = ok(shop.commit(mine, "step-1", "--claim", String(claim)));
    expect(data).toMatchObject({ committed: true, completed: false, state_update_failed: true });
    expect(data["state_failure_reason"]).toContain("E076");
    expect(shop.repository.git("for-each-ref", "--format=%(objectname)", "refs/pawl/late")).toBe(
      data["commit_hash"],
    );
    expect(shop.step("step-1")["status"]).toBe("claimed");
  });
});

describe("which files", () => {
  it("are exactly the paths given; what was staged besides stays staged", () => {
    const shop = commitShop();
    shop.write(shop.home, "gone");
    shop.write(shop.home, "sub/old");
    shop.git(shop.home, "add", "-A");
    shop.git(shop.home, "commit", "-q", "-m", "before");
    shop.take(shop.home);
    shop.write(shop.home, "staged");
    shop.git(shop.home, "add", "staged");
    shop.write(shop.home, "untracked");
    shop.write(shop.home, "sub/new");
    shop.write(shop.home, "*", "a star\n");
    rmSync(join(shop.home, "gone"));
    rmSync(join(shop.home, "sub/old"));
    const data = ok(
      shop.jsonWith(
        { cwd: join(shop.home, "sub") },
        "commit",
        "--plan",
        `../${PLAN}`,
        "--step",
        "step-1",
        "--worktree",
        "..",
        "new",
        "old",
        "../gone",
        "../*",
      ),
    );
    expect(data["files_staged"]).toEqual(["*", "gone", "sub/new", "sub/old"]);
    expect(shop.git(shop.home, "status", "--porcelain")).toBe("A  staged\n?? untracked");
  });

  it("may be named from outside the worktree, relative to it", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.write(mine, "a");
    shop.write(mine, "b");
    expect(ok(shop.commit(mine, "step-1", "a"))["files_staged"]).toEqual(["a"]);
  });

  it("are refused when nothing is there, and the step stays", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    const issue = refused(shop.commit(shop.home, "step-1", "--message", "x", "nope"), "E130", 1);
    expect(issue.message).toContain("nothing to commit");
    expect(ok(shop.commit(shop.home, "step-1", "a"))["completed"]).toBe(true);
  });
});

describe("hooks and signing are the user's", () => {
  it("a failing pre-commit leaves the step in progress and shows what it said", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.hook("pre-commit", "echo checking\necho 'line 3 is ugly' >&2\nexit 1");
    const issue = refused(shop.commit(shop.home, "step-1"), "E131", 1);
    expect(issue.details?.["output"]).toEqual(["checking", "line 3 is ugly"]);
    expect(shop.step("step-1")).toMatchObject({ status: "in_progress", commit_hash: null });
    expect(shop.commits(shop.home)).toHaveLength(2);
    const [last] = ok(shop.json("state", "events", PLAN))["events"].slice(-1) as Data[];
    expect(JSON.stringify(last)).toContain("line 3 is ugly");
    shop.hook("pre-commit", "exit 0");
    expect(ok(shop.commit(shop.home, "step-1"))["completed"]).toBe(true);
  });

  it.each([
    ["takes the trailers away", "printf 'rewritten\\n' > \"$1\""],
    ["adds another step", "printf 'Pawl-Step: step-2\\n' >> \"$1\""],
    ["changes the signature", "sed -i 's/^Pawl-Signature: ..../&ff/' \"$1\""],
  ])("a commit-msg hook that %s is reported, and the step completed by the hash", (_, script) => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.hook("commit-msg", script);
    const data = ok(shop.commit(shop.home, "step-1"));
    expect(data["warnings"]).toEqual([expect.stringMatching(/^trailers_changed/)]);
    expect(shop.step("step-1")).toMatchObject({ status: "completed", commit_hash: data["commit_hash"] });
    expect(shop.commits(shop.home)).toHaveLength(3);
    ok(shop.json("state", "reconcile", PLAN));
    expect(shop.step("step-2")["status"]).toBe("pending");
  });

  it("a post-commit that is slow, leaves a process behind or commits again is waited for and does not mislead", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.hook(
      "post-commit",
      "sleep 1\n(sleep 60 &)\n[ -e .again ] || { touch .again; git commit -q --allow-empty -m again; }",
    );
    const start = performance.now();
    const data = ok(shop.commit(shop.home, "step-1"));
    expect(performance.now() - start).toBeGreaterThan(1000);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(data["commit_hash"]).toBe(shop.git(shop.home, "rev-parse", "HEAD^"));
    expect(data).toMatchObject({ warnings: [], completed: true });
  });

  it("signing that fails leaves the step in progress, with what it said", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.git(shop.home, "config", "commit.gpgsign", "true");
    shop.git(shop.home, "config", "gpg.program", "/bin/false");
    const issue = refused(shop.commit(shop.home, "step-1"), "E409", 3);
    expect(issue.message).toContain("gpg failed to sign");
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    expect(shop.commits(shop.home)).toHaveLength(2);
  });

  it("an unknown author is reported in git's words", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.git(shop.home, "config", "user.useConfigOnly", "true");
    const nobody = {
      GIT_AUTHOR_NAME: "",
      GIT_AUTHOR_EMAIL: "",
      GIT_COMMITTER_NAME: "",
      GIT_COMMITTER_EMAIL: "",
    };
    const answer = shop.jsonWith(
      { env: { ...nobody, HOME: "/nonexistent", EMAIL: "" } },
      "commit",
      "--plan",
      PLAN,
      "--step",
      "step-1",
    );
    expect(refused(answer, "E131", 1).details?.["output"].join("\n")).toMatch(/identity|ident|email/i);
  });

  it("a lock of another git is waited for, and never removed", async () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    const lock = join(shop.home, ".git/index.lock");
    shop.write(shop.home, ".git/index.lock", "");
    const { pawlAsync } = await import("../support/cli.ts");
    const { env, calls } = watchedGit(shop.home);
    const running = pawlAsync(
      { cwd: shop.home, env },
      "commit",
      "--plan",
      PLAN,
      "--step",
      "step-1",
      "--json",
    );
    // Tried again means that it waited.
    await until(() => calls().filter((line) => / add /.test(line)).length > 1, "git add was tried twice");
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    expect((await running).code).toBe(0);
  });
});

describe("wherever it is called", () => {
  it("inside a hook of another repository it changes only its own", () => {
    const shop = commitShop();
    const other = commitShop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.write(mine, "a");
    const before = worldOf(other.repository);
    const env = {
      GIT_DIR: join(other.home, ".git"),
      GIT_WORK_TREE: other.home,
      GIT_INDEX_FILE: join(other.home, ".git/index"),
      GIT_PREFIX: "",
      GIT_OBJECT_DIRECTORY: join(other.home, ".git/objects"),
    };
    ok(shop.jsonWith({ env, cwd: mine }, "commit", "--plan", PLAN, "--step", "step-1", "--worktree", mine));
    expect(worldOf(other.repository)).toEqual(before);
    expect(shop.git(mine, "log", "--format=%s", "-1")).toBe("feat(ground): lay it");
  });

  it("on a branch without commits and without a branch", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    shop.git(mine, "checkout", "-q", "--orphan", "fresh");
    shop.take(mine);
    expect(ok(shop.commit(mine, "step-1"))).toMatchObject({ completed: true, files_staged: [PLAN] });
    expect(shop.commits(mine)).toHaveLength(1);
    shop.git(mine, "checkout", "-q", "--detach");
    shop.take(mine);
    shop.write(mine, "b");
    expect(ok(shop.commit(mine, "step-2"))["warnings"]).toEqual([expect.stringMatching(/^detached_head/)]);
  });

  it("never in a checkout around a worktree that lost its .git", () => {
    const shop = commitShop();
    shop.git(shop.home, "worktree", "add", "-q", "-b", "inner", join(shop.home, "inner"));
    const inner = join(shop.home, "inner");
    shop.take(inner);
    shop.write(inner, "a");
    rmSync(join(inner, ".git"));
    refused(shop.commit(inner, "step-1"), "E064", 2);
    expect(shop.commits(shop.home)).toHaveLength(2);
  });
});

describe("finishing from the intent", () => {
  const withCommit = (strip: boolean) => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    // The commit is made, and the call dies before it hears of it.
    shop.hook("commit-msg", strip ? "printf 'rewritten\\n' > \"$1\"" : "exit 0");
    shop.hook("post-commit", KILL_CALLER);
    const { stdout } = shop.text("commit", "--plan", PLAN, "--step", "step-1");
    expect(stdout).toBe("");
    rmSync(join(shop.home, ".git/hooks/post-commit"));
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    return shop;
  };

  it.each([false, true])("finds the commit, also when its trailers are gone (%s)", (strip) => {
    const shop = withCommit(strip);
    const head = shop.git(shop.home, "rev-parse", "HEAD");
    const data = ok(shop.commit(shop.home, "step-1"));
    expect(data).toMatchObject({ commit_hash: head, resumed: true, completed: true });
    expect(data["warnings"]).toHaveLength(strip ? 1 : 0);
    expect(shop.commits(shop.home)).toHaveLength(3);
  });

  it("says what changed since the commit that is finished", () => {
    const shop = withCommit(false);
    shop.write(shop.home, "later");
    expect(ok(shop.commit(shop.home, "step-1"))["warnings"]).toEqual([
      expect.stringMatching(/^uncommitted_changes.*later/),
    ]);
    expect(shop.commits(shop.home)).toHaveLength(3);
  });

  it("comes before the step is handed to another worker, once the owner is gone", () => {
    const shop = withCommit(false);
    const head = shop.git(shop.home, "rev-parse", "HEAD");
    withDatabase(shop.database, (connection) =>
      connection.exec("update steps set lease_uptime_ms = 0 where anchor = 'step-1'"),
    );
    expect(ok(shop.claim(shop.worktree("other")))).toMatchObject({ anchor: "step-2", reclaimed: false });
    expect(shop.step("step-1")).toMatchObject({ status: "completed", commit_hash: head });
  });

  it("is done without, where nothing was committed", () => {
    const shop = commitShop();
    shop.take(shop.home);
    shop.write(shop.home, "a");
    shop.hook("pre-commit", `${KILL_CALLER}\nexit 1`);
    shop.text("commit", "--plan", PLAN, "--step", "step-1");
    rmSync(join(shop.home, ".git/hooks/pre-commit"));
    withDatabase(shop.database, (connection) =>
      connection.exec("update steps set lease_uptime_ms = 0 where anchor = 'step-1'"),
    );
    expect(ok(shop.claim(shop.worktree("other")))).toMatchObject({ anchor: "step-1", reclaimed: true });
  });

  it("is reported by doctor, which finishes it once the owner is gone", () => {
    const shop = commitShop();
    ok(shop.claim(shop.home, "--lease-duration", "1"));
    ok(shop.work("start", shop.home, "step-1"));
    shop.write(shop.home, "a");
    shop.hook("post-commit", KILL_CALLER);
    shop.text("commit", "--plan", PLAN, "--step", "step-1");
    const check = (...more: string[]) =>
      (shop.json("doctor", ...more).data["checks"] as Data[]).find(({ name }) => name === "commits");
    expect(check()).toMatchObject({ status: "warn", details: { commits: [{ anchor: "step-1" }] } });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    expect(check("--fix")).toMatchObject({ status: "pass" });
    expect(shop.step("step-1")).toMatchObject({
      status: "completed",
      commit_hash: shop.git(shop.home, "rev-parse", "HEAD"),
    });
  });
});

describe("what reconcile believes", () => {
  const lose = (shop: ReturnType<typeof commitShop>) => {
    for (const name of readdirSync(dirname(shop.database)))
      if (name.startsWith("state.db")) rmSync(join(dirname(shop.database), name));
    ok(shop.json("init"));
  };
  let works = 0;
  const done = (shop: ReturnType<typeof commitShop>, worktree: string, step: string): string => {
    shop.take(worktree, step);
    if (shop.items(step).length > 0) ok(shop.work("update", worktree, step, "--all", "completed"));
    shop.write(worktree, `${step}.txt`, `${(works += 1)}\n`);
    return ok(shop.commit(worktree, step))["commit_hash"] as string;
  };
  const reconcile = (shop: ReturnType<typeof commitShop>, ...more: readonly string[]) =>
    ok(shop.json("state", "reconcile", PLAN, ...more));

  it("restores every step after the database was lost, from two merged worktrees, one of them squashed", () => {
    const shop = commitShop();
    const [one, two] = [shop.worktree("one"), shop.worktree("two")];
    const first = done(shop, one, "step-1");
    done(shop, two, "step-2");
    done(shop, two, "step-3");
    shop.git(shop.home, "merge", "-q", "--no-edit", "one");
    shop.git(shop.home, "merge", "-q", "--squash", "two");
    shop.git(shop.home, "commit", "-q", "--no-edit");
    const squash = shop.git(shop.home, "rev-parse", "HEAD");
    expect(shop.plan()["status"]).toBe("done");
    lose(shop);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 3, skipped_count: 0, proposals: [] });
    expect(["step-1", "step-2", "step-3"].map((step) => shop.step(step)["commit_hash"])).toEqual([
      first,
      squash,
      squash,
    ]);
    expect(shop.plan()["status"]).toBe("done");
    expect(shop.step("step-1")["claim"]).toBeGreaterThan(1);
  });

  it.each([
    [
      "amend",
      (git: (...args: string[]) => string) => git("commit", "-q", "--amend", "--no-edit", "--date=@1 +0000"),
    ],
    ["rebase", (git: (...args: string[]) => string) => git("rebase", "-q", "--force-rebase", "--root")],
  ])("follows a commit through %s, and after the loss of the database too", (_, rewrite) => {
    const shop = commitShop();
    const recorded = done(shop, shop.home, "step-1");
    rewrite((...args) => shop.repository.git("-c", "user.name=Other", ...args));
    const now = shop.git(shop.home, "rev-parse", "HEAD");
    if (now !== recorded) {
      expect(reconcile(shop)).toMatchObject({
        followed: [{ step_anchor: "step-1", db_hash: recorded, git_hash: now }],
      });
      expect(shop.step("step-1")["commit_hash"]).toBe(now);
    }
    lose(shop);
    expect(reconcile(shop)["reconciled_count"]).toBe(1);
    expect(shop.step("step-1")["commit_hash"]).toBe(now);
  });

  it.each([
    ["an empty commit", (git: Git) => git("commit", "-q", "--allow-empty", "-C", "signed")],
    [
      "other changes in the same file",
      (git: Git, shop: CommitShop) => {
        shop.write(shop.home, "step-1.txt", "something else\n");
        git("add", "--all");
        git("commit", "-q", "-C", "signed");
      },
    ],
    [
      "a squash with more in it than was signed",
      (git: Git, shop: CommitShop) => {
        git("merge", "-q", "--squash", "signed");
        shop.write(shop.home, "more.txt", "without a signature\n");
        git("add", "--all");
        git("commit", "-q", "--no-edit");
      },
    ],
  ])("does not believe a signature that was copied to %s", (_, copy) => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    done(shop, mine, "step-1");
    shop.git(mine, "switch", "-q", "--detach");
    shop.git(mine, "branch", "-q", "-m", "mine", "signed");
    copy((...args) => shop.git(shop.home, ...args), shop);
    lose(shop);
    expect(reconcile(shop)).toMatchObject({
      reconciled_count: 0,
      proposals: [{ step_anchor: "step-1", kind: "other-work" }],
    });
    expect(reconcile(shop, "--trust-unsigned")["reconciled_count"]).toBe(1);
  });

  it("follows a rebase over changes right beside its own, and a squash of several steps by git itself", () => {
    const shop = commitShop();
    shop.write(shop.home, "shared.txt", "1\n2\n3\n4\n5\n");
    shop.git(shop.home, "add", "--all");
    shop.git(shop.home, "commit", "-q", "-m", "ground");
    const mine = shop.worktree("mine");
    shop.write(mine, "shared.txt", "1\n2\n3\n4\nfive\n");
    done(shop, mine, "step-1");
    done(shop, mine, "step-2");
    shop.write(shop.home, "shared.txt", "1\n2\nthree\n4\n5\n");
    shop.git(shop.home, "commit", "-q", "-a", "-m", "beside it");
    shop.git(mine, "rebase", "-q", "main");
    shop.git(shop.home, "merge", "-q", "--squash", "mine");
    shop.git(shop.home, "commit", "-q", "--no-edit");
    const squash = shop.git(shop.home, "rev-parse", "HEAD");
    shop.git(mine, "switch", "-q", "--detach", "main~1");
    shop.git(mine, "branch", "-q", "-m", "mine", "kept");
    lose(shop);
    expect(reconcile(shop)["reconciled_count"]).toBe(2);
    expect(shop.step("step-2")["commit_hash"]).toBe(squash);
  });

  it("follows a cherry-pick to another branch", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    done(shop, mine, "step-1");
    shop.git(shop.home, "cherry-pick", "-x", "mine");
    lose(shop);
    expect(reconcile(shop)["reconciled_count"]).toBe(1);
    expect(shop.step("step-1")["commit_hash"]).toBe(shop.git(shop.home, "rev-parse", "HEAD"));
  });

  it("reads the base branch of the remote", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    const hash = done(shop, mine, "step-1");
    shop.git(shop.home, "update-ref", "refs/remotes/origin/trunk", hash);
    shop.git(shop.home, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
    lose(shop);
    expect(reconcile(shop)["reconciled_count"]).toBe(1);
  });

  it("proposes what is not signed, what another clone signed, and what was signed for something else", () => {
    const shop = commitShop();
    done(shop, shop.home, "step-1");
    const signed = trailersOf(shop.message(shop.home));
    const forge = (...trailers: readonly string[]) =>
      shop.git(shop.home, "commit", "-q", "--allow-empty", "-m", `x\n\n${trailers.join("\n")}`);
    forge(`Pawl-Plan: ${PLAN}`, "Pawl-Step: step-2");
    forge(...signed.map((line) => line.replace("step-1", "step-3")));
    forge(`Pawl-Plan: ${PLAN}`, "Pawl-Step: step-3", "Pawl-Claim: 1", `Pawl-Signature: ${"a".repeat(64)}`);
    lose(shop);
    const answer = reconcile(shop);
    expect(answer).toMatchObject({ reconciled_count: 1 });
    expect(
      answer["proposals"].map(({ step_anchor, kind }: Data) => `${step_anchor} ${kind}`).toSorted(),
    ).toEqual(["step-2 unsigned", "step-3 unsigned"]);
    refused(
      shop.jsonWith({ env: { PAWL_SESSION: "s" } }, "state", "reconcile", PLAN, "--trust-unsigned"),
      "E077",
      4,
    );
    expect(reconcile(shop, "--trust-unsigned")["reconciled_count"]).toBe(2);
  });

  it("does not believe a number that was never given, nor an old commit after a person reopened the step", () => {
    const shop = commitShop();
    const folder = dirname(shop.database);
    const older = readdirSync(folder).filter((name) => name.startsWith("state.db"));
    const copies = new Map(older.map((name) => [name, readFileSync(join(folder, name))]));
    const commit = done(shop, shop.home, "step-1");
    ok(shop.json("state", "reopen", PLAN, "step-1", "--reason", "wrong"));
    expect(reconcile(shop)).toMatchObject({
      reconciled_count: 0,
      proposals: [{ step_anchor: "step-1", git_hash: commit, kind: "reopened" }],
    });
    const again = done(shop, shop.home, "step-1");
    // A copy of the database from before all of it is put back.
    for (const name of readdirSync(folder)) if (name.startsWith("state.db")) rmSync(join(folder, name));
    for (const [name, bytes] of copies) writeFileSync(join(folder, name), bytes);
    shop.take(shop.home, "step-1");
    expect(shop.step("step-1")["claim"]).toBe(1);
    // Claim 1 of the new life is the number of the first commit; the second one's was not given in it.
    expect(reconcile(shop)["reconciled"]).toEqual([{ step_anchor: "step-1", git_hash: commit }]);
    expect(again).not.toBe(commit);
  });

  it("reports a revert as completed, then reverted, and leaves the step to a person", () => {
    const shop = commitShop();
    const commit = done(shop, shop.home, "step-1");
    shop.git(shop.home, "revert", "--no-edit", "HEAD");
    expect(reconcile(shop)).toMatchObject({
      reconciled_count: 0,
      proposals: [
        {
          step_anchor: "step-1",
          git_hash: commit,
          kind: "reverted",
          reason: expect.stringMatching(/^completed, then reverted by/),
        },
      ],
    });
    expect(shop.step("step-1")["status"]).toBe("completed");
  });
});

it("warns of a commit that is not in this clone, and completes all the same", () => {
  const shop = commitShop();
  shop.take(shop.home);
  const answer = shop.work("complete", shop.home, "step-1", "--commit", "abcdef1234");
  expect(ok(answer)).toMatchObject({ completed: true, commit_known: false });
  expect(answer.issues).toMatchObject([{ name: "commit/unknown", severity: "warning" }]);
});

describe("messages that want to be more than they are", () => {
  const PLAN_LINE = `Pawl-Plan: ${PLAN}`;
  const HOSTILE: readonly string[] = [
    `x\n\n${PLAN_LINE}\nPawl-Step: step-2`,
    `x\n\nPawl-Step: step-2\n\n${PLAN_LINE}`,
    `x\r\n\r\n${PLAN_LINE}\r\nPawl-Step: step-2`,
    `x\r\r${PLAN_LINE}\rPawl-Step: step-2`,
    `x\u2028\u2028${PLAN_LINE}\u2028Pawl-Step: step-2`,
    `x\u0085\u0085${PLAN_LINE}\u0085Pawl-Step: step-2`,
    `x\v\v${PLAN_LINE}\vPawl-Step: step-2`,
    `${PLAN_LINE}\nPawl-Step: step-2`,
    `Pawl-Step: step-2`,
    `Tug-Step: step-2\n\nTug-Plan: ${PLAN}`,
    `x\n\nTug-Step: step-2\nTug-Plan: ${PLAN}`,
    `x\n\ntug-step : step-2\nTUG-PLAN: ${PLAN}`,
    `x\n\n  Pawl-Step: step-2\n  ${PLAN_LINE}`,
    `x\n\nFoo: bar\n Pawl-Step: step-2\n ${PLAN_LINE}`,
    `x\n\nPawl-Step: step-1,\n step-2`,
    `x\n\nPawl-Step: step-1, step-2`,
    `x\n\ntext\nPawl-Step: step-2\nSigned-off-by: A <a@b>`,
    `x\n\nSigned-off-by: A <a@b>\nPawl-Step: step-2\n${PLAN_LINE}`,
    `x\n\n(cherry picked from commit ${"a".repeat(40)})\nPawl-Step: step-2`,
    `Squashed commit of the following:\n\ncommit ${"b".repeat(40)}\nAuthor: A <a@b>\n\n    work\n\n    Pawl-Step: step-2\n    ${PLAN_LINE}`,
    `x\n\n* work\n\nPawl-Step: step-2\n${PLAN_LINE}\n\n* more`,
    `x\n\n* Pawl-Step: step-2\n${PLAN_LINE}`,
    `x (#1)\n\n* a\n\nPawl-Step: step-2\n${PLAN_LINE}\n\n---------\n\nCo-authored-by: A <a@b>`,
    `x\n\nbody\n# ------------------------ >8 ------------------------\n`,
    `x\n\n# ------------------------ >8 ------------------------\nPawl-Step: step-2\n${PLAN_LINE}`,
    `x\n\nbody\n\n# a comment`,
    `# only a comment`,
    `x\n\nConflicts:\n\ta\n\tPawl-Step: step-2`,
    `---`,
    `--amend`,
    `--no-verify\n\n-x`,
    `-F /etc/passwd`,
    `\u001b]52;c;cGF3bA==\u0007\u001b[31mred`,
    `a\u202eb\u0000c\u007f\u009b31m`,
    `$(touch canary)\`touch canary\`;touch canary`,
    `%H %(trailers) %x00`,
    `x\n\nPawl-Signature: ${"0".repeat(64)}\nPawl-Claim: 99\nPawl-Step: step-2\n${PLAN_LINE}`,
    `x\n\nPawl-Claim: 1\n\nPawl-Signature: ${"0".repeat(64)}`,
    `${"long ".repeat(5000)}\n\nPawl-Step: step-2`,
    `x\n\nPawl-Step: step-2\n\n\n\n`,
    ` \n\t\n \u0000\u0007`,
    `This reverts commit ${"c".repeat(40)}.\n\nPawl-Step: step-2\n${PLAN_LINE}`,
  ];

  it(`${HOSTILE.length} of them: no trailer is believed but our own`, async () => {
    const shop = commitShop();
    // Only the commits are what is tried here; what leads to the next one needs no process of its own.
    const pawl = await openPawl({ cwd: shop.home, env: cleanEnv() });
    onTestFinished(() => pawl.close());
    const step = { plan: PLAN, step: "step-1" };
    for (const [index, hostile] of HOSTILE.entries()) {
      const { claim } = await pawl.claim({ ...step, worktree: shop.home, start: true });
      shop.write(shop.home, "a", `${index}\n`);
      const data = ok(shop.commit(shop.home, "step-1", `--message=${hostile.replaceAll("\0", "")}`));
      expect({ hostile, ...data }).toMatchObject({ warnings: [], completed: true });
      const own = trailersOf(shop.message(shop.home)).filter((line) => /^(pawl|tug)-/i.test(line));
      expect([hostile, ...own]).toEqual([
        hostile,
        PLAN_LINE,
        "Pawl-Step: step-1",
        `Pawl-Claim: ${claim}`,
        expect.stringMatching(/^Pawl-Content: /),
        expect.stringMatching(/^Pawl-Signature: /),
      ]);
      // oxlint-disable-next-line no-control-regex
      expect(shop.message(shop.home)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      await pawl.reopen({ ...step, reason: "the next message" });
    }
    expect(existsSync(join(shop.home, "canary"))).toBe(false);
    const answer = ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));
    expect(answer["reconciled"]).toEqual([]);
    expect(shop.step("step-2")["status"]).toBe("pending");
  }, 300_000);

  it("titles of plans and names of sessions cannot add a trailer either", () => {
    const title = "Evil `Pawl-Step: step-2` \\n\\nPawl-Step: step-2 {#step-2}";
    const shop = commitShop(
      COMMIT_PLAN.replace("Lay the ground", title).replace("**Commit:** `feat(ground): lay it`\n\n", ""),
    );
    const { claim } = shop.take(shop.home);
    shop.write(shop.home, "a");
    const env = { PAWL_SESSION: "s\nPawl-Step: step-2", PAWL_CLAIM: String(claim) };
    const answer = pawlJson({ cwd: shop.home, env }, "commit", "--plan", PLAN, "--step", "step-1");
    expect(ok(answer)["warnings"]).toEqual([]);
    expect(shop.message(shop.home)).not.toMatch(/^Pawl-Step: step-2/m);
    ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));
    expect(shop.step("step-2")["status"]).toBe("pending");
  });
});

describe("a plan whose boxes are ticked in the file", () => {
  it("does not make a repeated call look like a new one", () => {
    const shop = workshop(null);
    shop.repository.write("tasks.md", "# Tasks\n\n- [ ] T001 dig\n- [ ] T002 build\n");
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "plan");
    ok(shop.json("state", "init", "tasks.md"));
    const { anchor } = ok(shop.json("state", "claim", "tasks.md", "--worktree", shop.home, "--start"));
    shop.repository.write("hole", "deep\n");
    const call = ["commit", "--plan", "tasks.md", "--step", anchor as string, "--worktree", shop.home];
    const first = ok(shop.json(...call));
    expect(shop.repository.git("status", "--porcelain")).toContain("tasks.md");
    expect(ok(shop.json(...call))).toMatchObject({ commit_hash: first["commit_hash"], resumed: true });
  });
});

describe("files in conflict", () => {
  it("are never taken for solved", () => {
    const shop = workshop();
    const { git } = shop.repository;
    shop.repository.write("a", "base\n");
    git("add", "-A");
    git("commit", "-q", "-m", "base");
    git("checkout", "-q", "-b", "other");
    shop.repository.write("a", "other\n");
    git("commit", "-q", "-am", "other");
    git("checkout", "-q", "main");
    shop.repository.write("a", "mine\n");
    git("commit", "-q", "-am", "mine");
    shop.take(shop.home, "step-0");
    ok(shop.work("update", shop.home, "step-0", "--all", "completed"));
    expect(() => git("merge", "-q", "other")).toThrow();
    const call = ["commit", "--plan", PLAN, "--step", "step-0", "--worktree", shop.home];
    expect(refused(shop.json(...call), "E131", 1).details).toMatchObject({ unmerged: ["a"] });
    expect(shop.step("step-0")["status"]).toBe("in_progress");
    shop.repository.write("a", "both\n");
    git("add", "a");
    expect(ok(shop.json(...call))).toMatchObject({ completed: true });
  });
});

describe("a commit of a step that is not finished", () => {
  const unfinished = () => {
    const shop = workshop();
    shop.take(shop.home, "step-0");
    shop.repository.write("work", "half\n");
    const answer = shop.json("commit", "--plan", PLAN, "--step", "step-0", "--worktree", shop.home);
    expect(answer.data).toMatchObject({ committed: true, completed: false });
    return shop;
  };
  const reconcile = (shop: ReturnType<typeof workshop>) => ok(shop.json("state", "reconcile", PLAN));

  it("is a proposal while its owner holds it", () => {
    expect(reconcile(unfinished())).toMatchObject({
      reconciled_count: 0,
      proposals: [{ kind: "open-work" }],
    });
  });

  it("is a proposal once a person put the step back", () => {
    const shop = unfinished();
    ok(shop.json("state", "reset", PLAN, "step-0", "--reason", "not good enough"));
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 0, proposals: [{ kind: "reopened" }] });
  });
});
