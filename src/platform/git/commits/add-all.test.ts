import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cleanEnv, testRepository } from "../../../../test/support/repository.ts";
import { READY_MARK } from "../worktrees/list-worktrees.ts";
import { commitsCli } from "./commits-cli.ts";

/** A worktree with files in two folders; `isOurs` as one that Pawl made. */
function stage({ isOurs }: { readonly isOurs: boolean }) {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const { path, git } = repository;
  for (const name of ["in/a", "out/b"]) repository.write(name, "before\n");
  git("add", "-A");
  git("commit", "-q", "-m", "before");
  if (isOurs) writeFileSync(join(path, ".git", READY_MARK), "\n");
  const commits = commitsCli(cleanEnv());
  const worktree = { path, id: "main" };
  const tree = async () => {
    const name = await commits.tree(worktree);
    return Object.fromEntries(
      git("ls-tree", "-r", "--name-only", name)
        .split("\n")
        .filter((file) => file.includes("/"))
        .map((file) => [file, git("cat-file", "-p", `${name}:${file}`)]),
    );
  };
  const beside = async () =>
    (await commits.beside(worktree, { tree: git("rev-parse", "HEAD^{tree}"), sinceMs: 0 })).hidden;
  return { path, git, tree, beside, write: repository.write };
}

const BEFORE = { "in/a": "before", "out/b": "before" };

describe("the tree of a worktree", () => {
  it.each(["--assume-unchanged", "--skip-worktree"])("shows in Pawl's own what %s hides", async (flag) => {
    const { git, tree, beside, write } = stage({ isOurs: true });
    git("update-index", flag, "in/a");
    write("in/a", "after\n");
    expect(await tree()).toEqual({ ...BEFORE, "in/a": "after" });
    expect(await beside()).toEqual([]);
  });

  it("lacks in Pawl's own a file that was removed behind git's back", async () => {
    const { path, git, tree } = stage({ isOurs: true });
    git("update-index", "--skip-worktree", "in/a");
    rmSync(join(path, "in/a"));
    expect(await tree()).toEqual({ "out/b": "before" });
  });

  it.each(["--assume-unchanged", "--skip-worktree"])("leaves alone what a person hid by %s", async (flag) => {
    const { git, tree, beside, write } = stage({ isOurs: false });
    git("update-index", flag, "in/a");
    write("in/a", "mine\n");
    expect(await tree()).toEqual(BEFORE);
    expect(await beside()).toEqual(["in/a"]);
  });

  it.each([{ isOurs: true }, { isOurs: false }])(
    "is whole in a sparse checkout, Pawl's own: $isOurs",
    async (who) => {
      const { git, tree, beside, write } = stage(who);
      git("sparse-checkout", "set", "--no-cone", "/in/");
      write("in/a", "after\n");
      expect(await tree()).toEqual({ ...BEFORE, "in/a": "after" });
      expect(await beside()).toEqual([]);
    },
  );

  it("shows what is hidden in an index of two files", async () => {
    const { git, tree, write } = stage({ isOurs: true });
    git("update-index", "--split-index");
    git("update-index", "--assume-unchanged", "in/a");
    write("in/a", "after\n");
    expect(await tree()).toEqual({ ...BEFORE, "in/a": "after" });
  });

  it("is not what a file system monitor says it is", async () => {
    const { path, git, tree, write } = stage({ isOurs: false });
    mkdirSync(join(path, ".git/lies"));
    writeFileSync(join(path, ".git/lies/monitor"), "#!/bin/sh\nprintf 'token\\0'\n", { mode: 0o755 });
    git("config", "core.fsmonitor", join(path, ".git/lies/monitor"));
    git("config", "core.fsmonitorHookVersion", "2");
    git("update-index", "--fsmonitor");
    git("status");
    write("in/a", "after\n");
    expect(await tree()).toEqual({ ...BEFORE, "in/a": "after" });
  });
});
