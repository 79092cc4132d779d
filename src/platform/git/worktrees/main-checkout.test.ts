import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { mainIfFree } from "./main-checkout.ts";

function stage() {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const { path: mainTopLevel, git, addWorktree } = repository;
  const commonDir = join(mainTopLevel, ".git");
  const linked = addWorktree("linked");
  const look = (branch = "pawl/new", path = join(mainTopLevel, "new")) =>
    mainIfFree({ commonDir, mainTopLevel }, { branch, path });
  return { git, look, linked, mainTopLevel, entry: join(commonDir, "worktrees/linked") };
}

it("shows the main checkout where neither the branch nor the path is taken", () => {
  const { git, look, linked, mainTopLevel } = stage();
  const head = git("rev-parse", "HEAD");
  const main = { path: mainTopLevel, isMain: true, isBare: false, branch: "main", head };
  expect(look()).toEqual(main);
  git("-C", linked, "checkout", "-q", "--detach");
  git("pack-refs", "--all");
  expect(look()).toEqual(main);
});

it("leaves to git a branch that is checked out, or being rebased, anywhere", () => {
  const { git, look, linked, entry } = stage();
  git("branch", "pawl/new");
  git("-C", linked, "switch", "-q", "pawl/new");
  expect(look()).toBeUndefined();
  git("-C", linked, "checkout", "-q", "--detach");
  expect(look()).toBeDefined();
  mkdirSync(join(entry, "rebase-merge"));
  writeFileSync(join(entry, "rebase-merge/head-name"), "refs/heads/pawl/new\n");
  expect(look()).toBeUndefined();
  expect(look("main")).toBeUndefined();
});

it("leaves to git a path that a worktree has, or had before it was lost", () => {
  const { look, linked } = stage();
  expect(look("pawl/new", linked)).toBeUndefined();
  renameSync(linked, `${linked}-away`);
  expect(look("pawl/new", linked)).toBeUndefined();
  expect(look("pawl/new", `${linked}-other`)).toBeDefined();
});

it.each(["HEAD", "gitdir", "index"])("leaves to git an entry without its %s", (name) => {
  const { look, entry } = stage();
  rmSync(join(entry, name));
  expect(look()).toBeUndefined();
});

it("leaves to git a main checkout that is detached or has no commit yet", () => {
  const { git, look } = stage();
  git("switch", "-q", "--orphan", "unborn");
  expect(look()).toBeUndefined();
  git("checkout", "-q", "--detach", "main");
  expect(look()).toBeUndefined();
});

it("leaves a bare repository to git", () => {
  const { path, remove } = testRepository({ bare: true });
  onTestFinished(remove);
  expect(
    mainIfFree({ commonDir: path, mainTopLevel: undefined }, { branch: "pawl/new", path: "/new" }),
  ).toBeUndefined();
});
