import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../test/support/throwaway-git.ts";
import { findRepository } from "./repository/find-repository.ts";
import { gitCli } from "./git-cli.ts";
import { gitRunner } from "./process/run-git.ts";

const scratch = throwawayGit();
const { git, init, commit, path } = scratch;
const port = (env: Record<string, string> = {}, folder = "repo/.git") =>
  gitCli({ gitDir: path(folder), env: { ...scratch.env, ...env } });

let first = "";
let second = "";

beforeAll(() => {
  init("victim");
  init("repo");
  first = git("repo", "rev-parse", "HEAD");
  second = commit("repo", "second\n");
  git("repo", "tag", "--annotate", "--message=x", "v1", first);
});

afterAll(() => scratch.remove());

/** A program that is found as `git` instead of git. */
function impostor(name: string, script: string): Record<string, string> {
  mkdirSync(path(name), { recursive: true });
  writeFileSync(path(name, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(path(name, "git"), 0o755);
  return { PATH: `${path(name)}:${scratch.env["PATH"]}` };
}

it("tells the version", async () => {
  expect(`git version ${await port().version()}`).toBe(git("repo", "version").replace(/ \(.*/, ""));
});

describe("unreachable", () => {
  it("names the commits that a head does not lead to, and those that are not here", async () => {
    const absent = "f".repeat(40);
    expect(await port().unreachable([first, second], [second])).toEqual([]);
    expect(await port().unreachable([first, second], [first])).toEqual([second]);
    expect(await port().unreachable([absent, first, second], [first])).toEqual([absent, second]);
    expect(await port().unreachable(["trunk", "v1"], ["HEAD~1"])).toEqual(["trunk"]);
  });

  it("asks git once where all of them are full names", async () => {
    const log = path("calls");
    const env = impostor("counting", `echo "$*" >> '${log}'; PATH="\${PATH#*:}" exec git "$@"`);
    await port(env).unreachable([first, second], [first]);
    expect(readFileSync(log, "utf8").trim().split("\n")).toEqual([
      expect.stringContaining("rev-list --stdin"),
    ]);
  });
});

describe("commitExists", () => {
  it("gives the full name for everything that names a commit", async () => {
    expect(await port().commitExists(first)).toBe(first);
    expect(await port().commitExists(first.slice(0, 10))).toBe(first);
    expect(await port().commitExists("trunk")).toBe(second);
    expect(await port().commitExists("HEAD~1")).toBe(first);
    expect(await port().commitExists("v1")).toBe(first);
  });

  it("gives nothing for what is no commit of this repository", async () => {
    const tree = git("repo", "rev-parse", "HEAD^{tree}");
    const nothing = [
      tree,
      "0".repeat(40),
      "f".repeat(40),
      "nonsense",
      "",
      " ",
      `${first}\n`,
      `x\n${first}`,
      "a\0b",
    ];
    for (const name of nothing) expect(await port().commitExists(name)).toBeUndefined();
  });

  it.each(["-h", "--help", "--all", "-"])("refuses %s, which git could take for an option", async (name) => {
    await expect(port().commitExists(name)).rejects.toMatchObject({ problem: "commit/invalid" });
  });

  it("names are never expressions that run something", async () => {
    expect(await port().commitExists("$(touch canary)")).toBeUndefined();
    expect(await port().commitExists("; touch canary")).toBeUndefined();
    expect(existsSync(path("repo/.git/canary"))).toBe(false);
  });
});

describe("holdCommit", () => {
  it("makes the ref once and finds it again", async () => {
    expect(await port().holdCommit("refs/pawl/late/plan/step-1", first)).toBe("refs/pawl/late/plan/step-1");
    expect(await port().holdCommit("refs/pawl/late/plan/step-1", first.slice(0, 12))).toBe(
      "refs/pawl/late/plan/step-1",
    );
    expect(git("repo", "for-each-ref", "--format=%(refname) %(objectname)", "refs/pawl")).toBe(
      `refs/pawl/late/plan/step-1 ${first}`,
    );
  });

  it("never moves a ref that holds another commit", async () => {
    const third = commit("repo", "third\n");
    expect(await port().holdCommit("refs/pawl/late/plan/step-1", second)).toBe(
      "refs/pawl/late/plan/step-1-2",
    );
    expect(await port().holdCommit("refs/pawl/late/plan/step-1", third)).toBe("refs/pawl/late/plan/step-1-3");
    expect(await port().holdCommit("refs/pawl/late/plan/step-1", second)).toBe(
      "refs/pawl/late/plan/step-1-2",
    );
    expect(git("repo", "rev-parse", "refs/pawl/late/plan/step-1")).toBe(first);
  });

  it("gives every one of many at once a ref, and loses none", async () => {
    const commits = Array.from({ length: 6 }, (_, number) => commit("repo", `rival ${number}\n`));
    const refs = await Promise.all(commits.map((name) => port().holdCommit("refs/pawl/late/rivals", name)));
    expect(new Set(refs).size).toBe(commits.length);
    expect(refs.map((ref) => git("repo", "rev-parse", ref))).toEqual(commits);
  });

  it("keeps the commit through a collection of garbage", async () => {
    git("repo", "checkout", "--quiet", "-b", "doomed");
    const late = commit("repo", "late\n");
    await port().holdCommit("refs/pawl/late/kept", late);
    git("repo", "checkout", "--quiet", "trunk");
    git("repo", "branch", "--quiet", "-D", "doomed");
    git(
      "repo",
      "-c",
      "gc.reflogExpire=now",
      "-c",
      "gc.reflogExpireUnreachable=now",
      "gc",
      "--quiet",
      "--prune=now",
    );
    expect(await port().commitExists(late)).toBe(late);
    expect(await port().holdCommit("refs/pawl/late/kept", late)).toBe("refs/pawl/late/kept");
  });

  it("accepts every name that a plan and a step can give", async () => {
    const ref = "refs/pawl/late/_plans-my_plan.md/step-1.2/17";
    expect(await port().holdCommit(ref, first)).toBe(ref);
  });

  it("refuses names outside its folder, and commits that do not exist", async () => {
    for (const ref of [
      "refs/heads/trunk",
      "refs/pawl/late/",
      "refs/pawl/late/-x",
      "refs/pawl/late/a\nb",
      "--all",
    ]) {
      await expect(port().holdCommit(ref, first)).rejects.toMatchObject({ problem: "internal/bug" });
    }
    await expect(port().holdCommit("refs/pawl/late/a..b", first)).rejects.toMatchObject({
      problem: "git/failed",
    });
    await expect(port().holdCommit("refs/pawl/late/x", "f".repeat(40))).rejects.toMatchObject({
      problem: "commit/invalid",
    });
  });

  it("reports a ref that cannot be made", async () => {
    await port().holdCommit("refs/pawl/late/leaf", first);
    await expect(port().holdCommit("refs/pawl/late/leaf/below", first)).rejects.toMatchObject({
      problem: "git/failed",
      details: { stderr: [expect.stringContaining("refs/pawl/late/leaf")] },
    });
  });
});

describe("git is run", () => {
  it("on this repository, whatever the environment says", async () => {
    const poison = {
      GIT_DIR: path("victim/.git"),
      GIT_WORK_TREE: path("victim"),
      GIT_INDEX_FILE: path("victim/.git/index"),
      GIT_OBJECT_DIRECTORY: path("victim/.git/objects"),
      GIT_COMMON_DIR: path("victim/.git"),
      GIT_NAMESPACE: "elsewhere",
      GIT_TRACE: path("trace"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: path("hooks"),
    };
    expect(await port(poison).commitExists("HEAD")).toBe(git("repo", "rev-parse", "HEAD"));
    expect(await port(poison).holdCommit("refs/pawl/late/poison", first)).toBe("refs/pawl/late/poison");
    expect(git("repo", "rev-parse", "refs/pawl/late/poison")).toBe(first);
    expect(git("victim", "for-each-ref", "refs/pawl")).toBe("");
    expect(existsSync(path("trace"))).toBe(false);
  });

  it("on the repository it stands in, from inside a real hook of another one's worktree", async () => {
    git("victim", "worktree", "add", "--quiet", "--detach", "../hooked");
    writeFileSync(path("victim/.git/hooks/pre-commit"), `#!/bin/sh\nenv -0 > ${path("hook-env")}\n`, {
      mode: 0o755,
    });
    const before = commit("hooked", "from a hook\n");
    const hookEnv = Object.fromEntries(
      readFileSync(path("hook-env"), "utf8")
        .split("\0")
        .filter((pair) => pair !== "")
        .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
    expect(hookEnv).toHaveProperty("GIT_INDEX_FILE");
    expect(hookEnv).toHaveProperty("GIT_DIR", path("victim/.git/worktrees/hooked"));

    expect(findRepository(path("repo"), process.geteuid?.(), hookEnv).commonDir).toBe(path("repo/.git"));
    expect(await port(hookEnv).commitExists(first)).toBe(first);
    expect(await port(hookEnv).commitExists(before)).toBeUndefined();
    await port(hookEnv).holdCommit("refs/pawl/late/hook", first);
    expect(git("repo", "rev-parse", "refs/pawl/late/hook")).toBe(first);
    expect(git("victim", "for-each-ref", "refs/pawl")).toBe("");
  });

  it("without running what the repository's settings name, when it only reads", async () => {
    init("untrusted");
    writeFileSync(path("evil"), `#!/bin/sh\ntouch ${path("ran")}\n`);
    chmodSync(path("evil"), 0o755);
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "gpg.program",
      "core.sshCommand",
      "core.alternateRefsCommand",
    ]) {
      git("untrusted", "config", key, path("evil"));
    }
    git("untrusted", "config", "log.showSignature", "true");
    await port({}, "untrusted/.git").commitExists("HEAD");
    await port({}, "untrusted/.git").planCommits({ refs: ["HEAD"] });
    expect(existsSync(path("ran"))).toBe(false);
  });

  it("without asking the network for what a partial clone does not have", async () => {
    git("repo", "config", "uploadpack.allowFilter", "true");
    writeFileSync(path("fetch"), `#!/bin/sh\ntouch ${path("fetched")}\n`, { mode: 0o755 });
    git("", "clone", "--quiet", "--bare", "--filter=blob:none", `file://${path("repo")}`, "partial.git");
    git("partial.git", "config", "remote.origin.url", `ext::${path("fetch")}`);
    git("partial.git", "config", "protocol.ext.allow", "always");
    expect(await port({}, "partial.git").commitExists("f".repeat(40))).toBeUndefined();
    expect(existsSync(path("fetched"))).toBe(false);
    expect(() => git("partial.git", "cat-file", "-e", "f".repeat(40))).toThrow();
    expect(existsSync(path("fetched"))).toBe(true);
  });

  it("with a failure that quotes git", async () => {
    const run = gitRunner({ gitDir: path("repo/.git"), env: scratch.env });
    await expect(run({ args: ["rev-list", "nonsense"], access: "read" })).rejects.toMatchObject({
      problem: "git/failed",
      message: expect.stringContaining("git rev-list ended with exit code 128: fatal: "),
      details: { command: ["rev-list", "nonsense"], stderr: expect.arrayContaining([expect.any(String)]) },
    });
  });

  it("with a clear message when it is not there", async () => {
    await expect(port({ PATH: path("empty") }).version()).rejects.toMatchObject({
      problem: "git/failed",
      message: "git was not found on PATH.",
    });
    await expect(port({}, "gone").version()).rejects.toMatchObject({
      message: `The git directory ${path("gone")} is gone.`,
    });
  });

  it("for a limited time", async () => {
    const env = { ...scratch.env, ...impostor("slow", "sleep 300") };
    const run = gitRunner({ gitDir: path("repo/.git"), env, timeoutMs: 200 });
    await expect(run({ args: ["version"], access: "read" })).rejects.toThrow(/took longer than 200 ms/);
  });

  it("for a limited output", async () => {
    const env = impostor("loud", "yes");
    await expect(port(env).version()).rejects.toThrow(/wrote more or other than can be read/);
  });

  it("with a failure when its reader fails", async () => {
    const run = gitRunner({ gitDir: path("repo/.git"), env: scratch.env });
    const cause = new Error("unreadable");
    const onOutput = (): never => {
      throw cause;
    };
    await expect(run({ args: ["version"], access: "read", onOutput })).rejects.toMatchObject({
      problem: "git/failed",
      cause,
    });
  });

  it("with everything it says on the error stream cut short", async () => {
    const env = impostor("upset", "yes fatal | head -c 5000000 >&2; exit 3");
    await expect(port(env).version()).rejects.toMatchObject({ message: /exit code 3: fatal/ });
  });

  it("with fsync of everything when it writes", async () => {
    const env = impostor("witness", `echo "$@" >> ${path("calls")}; exec ${whichGit()} "$@"`);
    await port(env).holdCommit("refs/pawl/late/witness", first);
    const write = readFileSync(path("calls"), "utf8")
      .split("\n")
      .find((call) => call.includes("update-ref"));
    expect(write).toContain("-c core.fsync=all -c gc.auto=0");
  });
});

const whichGit = (): string => `${git("repo", "--exec-path")}/git`;
