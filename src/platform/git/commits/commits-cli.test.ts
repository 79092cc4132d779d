import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FlushRecorder, recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import type { Commits } from "../../ports/commits.ts";
import { commitsCli } from "./commits-cli.ts";

let repo: TestRepository;
let commits: Commits;

beforeEach(() => {
  repo = testRepository();
  repo.write(".gitignore", "secret\n");
  repo.git("add", "-A");
  repo.git("commit", "-qm", "files");
  commits = commitsCli(cleanEnv());
});

afterEach(() => repo.remove());

const worktree = () => ({ path: repo.path, id: "main" });

const committed = (): readonly string[] =>
  repo.git("show", "--format=", "--name-only", "HEAD").split("\n").toSorted();

const make = (message: string, paths?: readonly string[]) =>
  commits.make(worktree(), { message, paths, allowEmpty: false });

it("takes a path that reads like an option for the name of a file", async () => {
  repo.write("-f", "new\n");
  repo.write("secret", "never\n");
  repo.write("other", "later\n");
  await commits.stage(worktree(), ["-f"]);
  expect(repo.git("diff", "--cached", "--name-only")).toBe("-f");
  expect((await make("only that file", ["-f"])).made).toBe(true);
  expect(committed()).toEqual(["-f"]);
  repo.write("-f", "changed\n");
  expect(await commits.uncommitted(worktree(), ["-f"])).toEqual(["-f"]);
});

it("takes a path that reads like a pattern for the name of one file", async () => {
  for (const name of ["*", "a", ":(exclude)a"]) repo.write(name, `${name}\n`);
  await commits.stage(worktree(), ["*"]);
  expect(repo.git("diff", "--cached", "--name-only")).toBe("*");
  expect((await make("only that file", ["*"])).made).toBe(true);
  expect(committed()).toEqual(["*"]);
  expect(await commits.uncommitted(worktree(), [":(exclude)a"])).toEqual([":(exclude)a"]);
});

it("puts the index back as it was, with what its user had staged", async () => {
  repo.write("staged", "half\n");
  repo.git("add", "staged");
  repo.write("staged", "whole\n");
  repo.write("new", "new\n");
  const before = readFileSync(join(repo.path, ".git/index"));
  const unstage = await commits.stage(worktree(), undefined);
  expect(repo.git("diff", "--cached", "--name-only").split("\n")).toEqual(["new", "staged"]);
  await unstage();
  expect(readFileSync(join(repo.path, ".git/index")).equals(before)).toBe(true);
});

it("undoes no commit that is not checked out any more", async () => {
  repo.write("a", "a\n");
  await commits.stage(worktree(), undefined);
  await make("first");
  const first = repo.git("rev-parse", "HEAD");
  repo.git("commit", "-q", "--allow-empty", "-m", "theirs");
  await expect(commits.takeBack(worktree(), first)).rejects.toMatchObject({ problem: "git/failed" });
  expect(repo.git("log", "-1", "--format=%s")).toBe("theirs");
});

it("names what differs between two trees, and leaves the index alone", async () => {
  const empty = await commits.tree(worktree());
  repo.write("a", "a\n");
  const full = await commits.tree(worktree());
  expect(await commits.changed(worktree(), empty, full)).toEqual(["a"]);
  expect(repo.git("diff", "--cached", "--name-only")).toBe("");
});

it("flushes the commit and every folder of its branch's name", async () => {
  repo.git("switch", "-qc", "pawl/deep/name");
  const recorder: FlushRecorder = recordFlushes();
  try {
    repo.write("a", "a\n");
    await commits.stage(worktree(), undefined);
    await make("first");
    await commits.flush(worktree());
  } finally {
    recorder.stop();
  }
  for (const folder of ["refs/heads", "refs/heads/pawl", "refs/heads/pawl/deep"])
    expect(recorder.events).toContain(`fsync ${join(repo.path, ".git", folder)}`);
  const committing = recorder.at(/^git .*core\.fsync=all .* commit /);
  expect(committing).toBeGreaterThan(-1);
  expect(recorder.at(/^sync .*objects$|^fsync .*objects/)).toBeGreaterThan(committing);
});

it("flushes the git directory where no branch is checked out", async () => {
  repo.git("switch", "-q", "--detach");
  const recorder: FlushRecorder = recordFlushes();
  try {
    await commits.flush(worktree());
  } finally {
    recorder.stop();
  }
  expect(recorder.events).toContain(`fsync ${join(repo.path, ".git")}`);
});
