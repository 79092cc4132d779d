import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { looseCommit } from "./loose-commit.ts";
import { writeCommit } from "./write-commit.ts";

const commitIn = (git: (...args: string[]) => string) => ({
  tree: git("rev-parse", "HEAD^{tree}").trim(),
  parent: git("rev-parse", "HEAD").trim(),
  message: "Work on step-ü, not landed yet",
});

it("is a commit to git, with its tree, parent and message", () => {
  const { path, git } = testRepository();
  const commit = commitIn(git);
  const id = writeCommit(join(path, ".git"), commit)!;
  expect(git("cat-file", "-t", id).trim()).toBe("commit");
  expect(git("log", "-1", "--format=%T %P %an <%ae> %s", id).trim()).toBe(
    `${commit.tree} ${commit.parent} Pawl <pawl@localhost> ${commit.message}`,
  );
  expect(looseCommit(join(path, ".git"), id)).toMatchObject({ tree: commit.tree, parents: [commit.parent] });
  git("update-ref", "refs/heads/made", id);
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
  // Beside it lie objects alone, no file that was begun.
  const names = readdirSync(join(path, ".git/objects", id.slice(0, 2)));
  expect(names).toContain(id.slice(2));
  expect(names.filter((name) => !/^[\da-f]{38}$/.test(name))).toEqual([]);
});

it("leaves a repository that a group shares to git", () => {
  const { path, git } = testRepository();
  chmodSync(join(path, ".git/objects"), 0o2775);
  expect(writeCommit(join(path, ".git"), commitIn(git))).toBeUndefined();
});
