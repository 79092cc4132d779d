import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { throwawayGit, type ThrowawayGit } from "../../../../test/support/throwaway-git.ts";
import type { Worktree } from "../../ports/repository.ts";
import { cacheWorktree } from "./cache-worktree.ts";
import { discoverGit } from "./discover-git.ts";
import { resolveWorktree } from "./resolve-worktree.ts";

describe("rememberWorktree", () => {
  let host: ThrowawayGit;
  let examined: string[];
  let worktree: (path: string) => Worktree;

  beforeEach(() => {
    host = throwawayGit();
    host.init("repo");
    host.git("repo", "worktree", "add", "--quiet", "../linked");
    examined = [];
    const commonDir = host.path("repo/.git");
    const asker = { uid: process.geteuid?.(), env: host.env };
    worktree = cacheWorktree({
      base: host.root,
      commonDir,
      resolve(path) {
        examined.push(path);
        return resolveWorktree({ path, base: host.root, commonDir, asker, discover: discoverGit });
      },
    });
  });

  afterEach(() => host.remove());

  const ask = (path: string, times: number): readonly Worktree[] =>
    Array.from({ length: times }, () => worktree(path));

  it.each(["linked", "repo"])("examines %s twice, then remembers it", (path) => {
    const answers = ask(path, 5);

    expect(new Set(answers.map(({ id, path }) => `${id} ${path}`)).size).toBe(1);
    expect(examined).toEqual([path, path]);
  });

  it("remembers every worktree apart", () => {
    ask("linked", 3);

    expect(ask("repo", 3).at(-1)).toEqual({ path: host.path("repo"), id: "main" });
    expect(ask("linked", 1)).toEqual([
      { path: host.path("linked"), id: expect.stringMatching(/^linked~/) as string },
    ]);
    expect(examined).toHaveLength(4);
  });

  it("refuses a worktree that was removed", () => {
    ask("linked", 3);
    host.git("repo", "worktree", "remove", "../linked");

    expect(() => worktree("linked")).toThrow("does not exist");
  });

  it("refuses a plain folder in its place", () => {
    ask("linked", 3);
    rmSync(host.path("linked"), { recursive: true });
    mkdirSync(host.path("linked"));

    expect(() => worktree("linked")).toThrow();
  });

  it("refuses a worktree that git has forgotten", () => {
    ask("linked", 3);
    rmSync(host.path("repo/.git/worktrees/linked"), { recursive: true });

    expect(() => worktree("linked")).toThrow();
  });

  it("refuses a worktree whose entry points elsewhere now", () => {
    ask("linked", 3);
    writeFileSync(host.path("repo/.git/worktrees/linked/gitdir"), `${host.path("elsewhere/.git")}\n`);

    expect(() => worktree("linked")).toThrow("administrative entry");
  });

  it("follows a link that leads to another worktree now", () => {
    host.git("repo", "worktree", "add", "--quiet", "../other");
    symlinkSync(host.path("linked"), host.path("current"));
    expect(ask("current", 3).at(-1)?.id).toMatch(/^linked~/);
    symlinkSync(host.path("other"), host.path("next"));
    renameSync(host.path("next"), host.path("current"));

    expect(worktree("current").id).toMatch(/^other~/);
  });

  it("does not remember a refusal", () => {
    expect(() => ask("later", 1)).toThrow();
    host.git("repo", "worktree", "add", "--quiet", "../later");

    expect(worktree("later").id).toMatch(/^later~/);
  });
});
