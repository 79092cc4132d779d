import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { treeOfIndex, writeTreeOf } from "./tree-of-index.ts";

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

it("writes the folders that changed, as git would", () => {
  const { path, git } = testRepository();
  for (const name of ["a", "ab/c/d/e", "ab/c.d", "b/x", "z/z/z"]) {
    write(path, name);
    // Git takes files as old as its index for changed, with their folders.
    utimesSync(join(path, name), 1e9, 1e9);
  }
  git("add", "--all");
  git("commit", "--quiet", "-m", "files");
  git("repack", "-a", "-d", "--quiet");
  rmSync(join(path, "ab/c.d"));
  write(path, "b/x", "changed");
  write(path, "new/one", "new");
  git("add", "--all");
  const tree = writeTreeOf(join(path, ".git"), indexOf(path))!;
  // The root, `ab`, `b` and `new` are written; `ab/c` and `z` are in the pack and stay there.
  expect(git("count-objects").split(" ")[0]).toBe("6");
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
  expect(tree).toBe(git("write-tree").trim());
});

it("writes a folder again that a power cut has emptied", () => {
  const { path, git } = testRepository();
  write(path, "in/a");
  git("add", "--all");
  const tree = git("write-tree").trim();
  const file = join(path, ".git/objects", tree.slice(0, 2), tree.slice(2));
  rmSync(file);
  writeFileSync(file, "");
  expect(writeTreeOf(join(path, ".git"), indexOf(path))).toBe(tree);
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
});

it.each(["", "other objects in a pack"])(
  "writes a folder again that is gone although the index names it; %s",
  (pack) => {
    const { path, git } = testRepository();
    if (pack !== "") git("gc", "-q");
    write(path, "in/a");
    git("add", "--all");
    const tree = git("write-tree").trim();
    rmSync(join(path, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    expect(writeTreeOf(join(path, ".git"), indexOf(path))).toBe(tree);
    expect(git("cat-file", "-t", tree).trim()).toBe("tree");
    expect(git("fsck", "--strict", "--no-dangling")).toBe("");
  },
);

it("leaves an index to git that needs many new folders", () => {
  const { path, git } = testRepository();
  for (let number = 0; number < 101; number += 1) write(path, `${number}/file`);
  git("add", "--all");
  expect(writeTreeOf(join(path, ".git"), indexOf(path))).toBeUndefined();
});
