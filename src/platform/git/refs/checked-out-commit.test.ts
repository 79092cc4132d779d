import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { checkedOutCommit } from "./checked-out-ref.ts";

function stage() {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const { path, git } = repository;
  const gitDir = join(path, ".git");
  return { git, look: () => checkedOutCommit({ gitDir, commonDir: gitDir }) };
}

it("reads what is checked out, as a branch of its own file, a packed one, and without a branch", () => {
  const { git, look } = stage();
  const head = git("rev-parse", "HEAD");
  expect(look()).toBe(head);
  git("pack-refs", "--all");
  expect(look()).toBe(head);
  git("checkout", "-q", "--detach");
  expect(look()).toBe(head);
});

it("leaves a branch that has no commit yet to git", () => {
  const { git, look } = stage();
  git("symbolic-ref", "HEAD", "refs/heads/unborn");
  expect(look()).toBeUndefined();
});

it("leaves a branch that names another one to git, also where the packed refs still know its old commit", () => {
  const { git, look } = stage();
  git("branch", "other");
  git("pack-refs", "--all");
  git("commit", "-q", "--allow-empty", "-m", "more");
  git("symbolic-ref", "refs/heads/other", git("symbolic-ref", "HEAD"));
  git("symbolic-ref", "HEAD", "refs/heads/other");
  expect(look()).toBeUndefined();
});
