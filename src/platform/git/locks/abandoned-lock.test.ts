import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import type { Failure } from "../../../domain/errors.ts";
import { onAbandonedLock, watchLock } from "./abandoned-lock.ts";
import { lockWaiter } from "./wait-for-lock.ts";

let repo: TestRepository;
let gitDir: string;
let entry: string;
const heard: Failure[] = [];
const started: ChildProcess[] = [];

beforeEach(() => {
  repo = testRepository();
  repo.git("commit", "-q", "--allow-empty", "-m", "one");
  repo.git("worktree", "add", "-q", join(repo.path, "../made"), "-b", "pawl/plan-w1");
  gitDir = realpathSync(join(repo.path, ".git"));
  entry = join(gitDir, "worktrees/made");
  writeFileSync(join(entry, "pawl-ready"), "");
  heard.length = 0;
  onAbandonedLock((failure) => heard.push(failure));
});
afterEach(async () => {
  onAbandonedLock(undefined);
  for (const child of started.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  repo.remove();
});

function locked(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "half");
  return path;
}
const witness = (lock: string) => watchLock(`fatal: Unable to create '${lock}': File exists.`);

/** A git that runs until it is ended. */
async function git(cwd: string): Promise<ChildProcess> {
  const child = spawn("git", ["cat-file", "--batch"], { cwd });
  started.push(child);
  child.stdin.write("HEAD\n");
  await once(child.stdout, "data");
  return child;
}

describe.runIf(process.platform === "linux")("a lock that a killed git left", () => {
  it.each([
    ["in a worktree of Pawl's", () => join(entry, "index.lock"), () => join(entry, "index.lock.left")],
    [
      "on a branch of Pawl's",
      () => join(gitDir, "refs/heads/pawl/plan.lock"),
      () => join(gitDir, "plan.lock.left"),
    ],
    ["on a ref of Pawl's", () => join(gitDir, "refs/pawl/rescue/a.lock"), () => join(gitDir, "a.lock.left")],
  ])("%s is moved aside with what is in it, and that is reported", (_where, lockOf, asideOf) => {
    const lock = locked(lockOf());
    expect(witness(lock)!.moveIfAbandoned()).toBe(true);
    expect(existsSync(lock)).toBe(false);
    expect(readFileSync(asideOf(), "utf8")).toBe("half");
    expect(heard).toMatchObject([{ problem: "git/lock-left", details: { lock, aside: asideOf() } }]);
    // The second one does not replace the first.
    locked(lock);
    expect(witness(lock)!.moveIfAbandoned()).toBe(true);
    expect(existsSync(`${asideOf()}-2`)).toBe(true);
  });

  it("is moved aside after another one that the same git left", async () => {
    const wait = lockWaiter(50);
    for (const lock of [join(entry, "HEAD.lock"), join(gitDir, "refs/heads/pawl/plan-w1.lock")]) {
      locked(lock);
      expect(await wait(`fatal: Unable to create '${lock}': File exists.`)).toBe(true);
      expect(existsSync(lock)).toBe(false);
    }
  });

  it("stays where a person decides: in the main checkout, on their branches, in their worktrees", () => {
    repo.git("worktree", "add", "-q", join(repo.path, "../theirs"), "-b", "mine");
    for (const name of [
      "index.lock",
      "packed-refs.lock",
      "refs/heads/main.lock",
      "worktrees/theirs/index.lock",
    ])
      expect(witness(locked(join(gitDir, name))), name).toBeUndefined();
    expect(witness(locked(join(gitDir, "config.lock")))).toBeUndefined();
  });

  it("stays for as long as a git lives that was there when it was seen; one that came later has not made it", async () => {
    const lock = locked(join(entry, "index.lock"));
    const child = await git(join(repo.path, "../made"));
    const seen = witness(lock)!;
    expect(seen.moveIfAbandoned()).toBe(false);
    const later = await git(join(repo.path, "../made"));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(seen.moveIfAbandoned()).toBe(true);
    expect(later.exitCode).toBeNull();
  });

  it("stays while any process has it open", async () => {
    const lock = locked(join(entry, "index.lock"));
    const child = spawn("sh", ["-c", `exec 3>>"$0"; echo open; exec sleep 1000`, lock]);
    started.push(child);
    await once(child.stdout, "data");
    expect(witness(lock)!.moveIfAbandoned()).toBe(false);
  });

  it("stays when it is another one by now, or a second name of a file: so Pawl takes locks itself", () => {
    const lock = locked(join(entry, "index.lock"));
    const seen = witness(lock)!;
    utimesSync(lock, 1, 1);
    expect([seen.stays(), seen.moveIfAbandoned()]).toEqual([false, false]);
    linkSync(lock, join(entry, "own"));
    expect(witness(lock)).toBeUndefined();
  });
});
