import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { treeOfIndex } from "./tree-of-index.ts";

const write = (top: string, path: string, text = path) => {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
};
const indexOf = (top: string) => readFileSync(join(top, ".git/index"));

it("names the tree that git makes of the same index", () => {
  const { path, git } = testRepository();
  // Names that a comparison of whole paths and one of folders order differently, and nested ones.
  for (const name of ["a", "a.b", "a-b/c", "ab/c/d/e", "ab/c.d", "ab/c0", "b/x", "é/ü", "z/z/z"])
    write(path, name);
  git("add", "--all");
  git("update-index", "--chmod=+x", "a");
  expect(treeOfIndex(indexOf(path), "sha1")).toBe(git("write-tree").trim());
  rmSync(join(path, "ab"), { recursive: true });
  write(path, "b/x", "changed");
  git("add", "--all");
  expect(treeOfIndex(indexOf(path), "sha1")).toBe(git("write-tree").trim());
});

it("names the tree of an index without files", () => {
  const { path, git } = testRepository();
  git("rm", "-r", "-q", "--cached", "--ignore-unmatch", ".");
  expect(treeOfIndex(indexOf(path), "sha1")).toBe(git("write-tree").trim());
});

it("leaves to git what it may read otherwise", () => {
  const { path, git } = testRepository();
  write(path, "new.txt");
  git("add", "--intent-to-add", "new.txt");
  expect(treeOfIndex(indexOf(path), "sha1")).toBeUndefined();
  git("add", "new.txt");
  git("update-index", "--index-version", "4");
  expect(treeOfIndex(indexOf(path), "sha1")).toBeUndefined();
  git("update-index", "--index-version", "2");
  git("update-index", "--split-index");
  expect(treeOfIndex(indexOf(path), "sha1")).toBeUndefined();
});
