import { writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { isLooseAncestor, looseCommit } from "./loose-commit.ts";

let repo: TestRepository;
let commonDir: string;

beforeEach(() => {
  repo = testRepository();
  commonDir = join(repo.path, ".git");
});
afterEach(() => repo.remove());

function commit(message: string): string {
  repo.git("commit", "-q", "--allow-empty", "-m", message);
  return head();
}
const head = () => repo.git("rev-parse", "HEAD").trim();

it("reads the tree and the parents of a commit", () => {
  const first = commit("tree 1\nparent 2\n");
  expect(looseCommit(commonDir, first)).toEqual({
    tree: repo.git("rev-parse", "HEAD^{tree}").trim(),
    parents: repo.git("rev-parse", "HEAD^").split("\n").filter(Boolean),
    message: "tree 1\nparent 2\n",
    isSigned: false,
  });
  const second = commit("two");
  expect(looseCommit(commonDir, second)!.parents).toEqual([first]);
});

it("finds every way back, also through a merge", () => {
  const first = commit("one");
  repo.git("switch", "-q", "-c", "side");
  const side = commit("side");
  repo.git("switch", "-q", "-");
  const main = commit("main");
  repo.git("merge", "-q", "--no-edit", "side");
  for (const one of [first, side, main, head()]) expect(isLooseAncestor(commonDir, one, head())).toBe(true);
  expect(isLooseAncestor(commonDir, head(), main)).toBe(false);
  expect(isLooseAncestor(commonDir, side, main)).toBe(false);
});

it("leaves to git what is damaged, no commit or not there", () => {
  const first = commit("one");
  const second = commit("two");
  expect(looseCommit(commonDir, repo.git("rev-parse", "HEAD^{tree}").trim())).toBeUndefined();
  expect(looseCommit(commonDir, "0".repeat(40))).toBeUndefined();
  const file = join(commonDir, "objects", second.slice(0, 2), second.slice(2));
  chmodSync(file, 0o644);
  writeFileSync(file, "");
  expect(looseCommit(commonDir, second)).toBeUndefined();
  expect(isLooseAncestor(commonDir, first, second)).toBe(false);
});

it("leaves to git what is packed", () => {
  const first = commit("one");
  const second = commit("two");
  repo.git("repack", "-adq");
  expect(looseCommit(commonDir, second)).toBeUndefined();
  expect(isLooseAncestor(commonDir, first, second)).toBe(false);
});
