import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { heldLockFailure } from "./lock-failure.ts";

let repo: TestRepository;

beforeEach(() => {
  repo = testRepository();
});
afterEach(() => repo.remove());

const locked = (name: string): string => {
  const path = join(repo.path, ".git", name);
  writeFileSync(path, "");
  return path;
};

it("says since when a lock is held, and that no process is there that could hold it", () => {
  const lock = locked("index.lock");
  const failure = heldLockFailure(`fatal: Unable to create '${lock}': File exists.`);
  expect(failure).toMatchObject({ problem: "git/busy", details: { lock, holders: [] } });
  expect(failure.message).toMatch(/since \d{4}-\d\d-\d\dT.*No git command runs in this repository/);
});

it("says the same of the configuration, of which git names the file and not the lock", () => {
  const lock = locked("config.lock");
  const config = lock.replace(/\.lock$/, "");
  for (const end of ["", ": File exists"]) {
    const failure = heldLockFailure(`error: could not lock config file ${config}${end}`);
    expect(failure.details).toMatchObject({ lock, holders: [] });
    expect(failure.hint).toContain(`mv -n ${lock}`);
  }
});

it("moves the lock of a ref out of the refs, where it would be one itself", () => {
  const { hint } = heldLockFailure(`'${locked("refs/heads/main.lock")}'`);
  expect(hint).toContain(` ${join(repo.path, ".git/main.lock.left")};`);
});

it.runIf(process.platform === "linux")(
  "names the git commands that are at work in the repository",
  async () => {
    const child = spawn("git", ["-c", "core.pager=cat", "cat-file", "--batch"], { cwd: repo.path });
    try {
      child.stdin.write("HEAD\n");
      await once(child.stdout, "data");
      const failure = heldLockFailure(`'${locked("index.lock")}'`);
      expect(failure.details["holders"]).toEqual([{ pid: child.pid, command: "git cat-file" }]);
      expect(failure.hint).not.toContain("mv ");
    } finally {
      child.stdin.end();
      await once(child, "close");
    }
  },
);

it("keeps git's own words where they name no file", () => {
  const failure = heldLockFailure("error: could not lock config file .git/config: File exists");
  expect(failure.message).toContain("could not lock config file .git/config");
});
