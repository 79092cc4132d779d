import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { Failure } from "../../../domain/errors.ts";
import { entryName } from "../../../domain/worktree-id.ts";
import { findRepository } from "./find-repository.ts";

const scratch = throwawayGit();
const { git, init, path } = scratch;
const repository = (folder = "repo") => findRepository(path(folder), process.geteuid?.(), scratch.env);

function refusal(name: string, folder = "repo"): string {
  try {
    repository(folder).worktree(name);
  } catch (error) {
    if (error instanceof Failure && error.problem === "worktree/not-found") return error.message;
    throw error;
  }
  throw new Error(`${name} was accepted`);
}

beforeAll(() => {
  init("repo");
  mkdirSync(path("repo/deep"));
  git("repo", "worktree", "add", "--quiet", "../linked");
  mkdirSync(path("linked/deep"));
  symlinkSync(path("linked"), path("link"));
  symlinkSync(path("link"), path("link-to-link"));
  symlinkSync(path("linked/deep"), path("deep-link"));
  init("other");
  git("other", "worktree", "add", "--quiet", "../other-linked");
});

afterAll(() => scratch.remove());

describe("worktree gives one identity for every way to write a path", () => {
  const aliases = (name: string): string[] => [
    path(name),
    `${path(name)}/`,
    `${path(name)}///`,
    `${path(name)}/.`,
    `${scratch.root}/./${name}`,
    `${scratch.root}//${name}`,
    `${path(name)}/deep/..`,
    `${path(name)}/deep/../../${name}`,
    `../${name}`,
    `../repo/../${name}/`,
    `./deep/../../${name}`,
    `${"../".repeat(40)}${path(name)}`,
  ];

  it.each([
    ...aliases("linked"),
    path("link"),
    `${path("link")}/`,
    path("link-to-link"),
    `${path("deep-link")}/..`,
  ])("%s is the linked worktree", (alias) => {
    expect(repository().worktree(alias)).toEqual({
      path: path("linked"),
      id: expect.stringMatching(/^linked~/) as string,
    });
  });

  it.each([...aliases("repo"), ".", "./", "deep/.."])("%s is the main worktree", (alias) => {
    expect(repository().worktree(alias)).toEqual({ path: path("repo"), id: "main" });
  });

  it("whichever worktree the question is asked in", () => {
    expect(repository("linked/deep").worktree(path("repo")).id).toBe("main");
    expect(repository("linked/deep").worktree("..").id).toMatch(/^linked~/);
    expect(repository("repo/.git").worktree("..").id).toBe("main");
  });

  it("keeps a linked worktree named main apart from the main worktree", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../more/main");
    expect(repository().worktree(path("more/main")).id).toMatch(/^main~/);
  });

  it("whatever characters it holds", () => {
    const name = "line\nbreak \u{1b}[2J\ttab \u{202e}";
    git("repo", "worktree", "add", "--quiet", "--detach", path(name));
    const { path: canonical, id } = repository().worktree(`../${name}/`);
    expect(canonical).toBe(path(name));
    expect(git("repo", "worktree", "list", "--porcelain", "-z")).toContain(`worktree ${path(name)}\0`);
    expect(id).toMatch(/^line/);
  });

  it("in bare repositories, submodules and separate git directories", () => {
    git("", "clone", "--quiet", "--bare", "repo", "bare.git");
    git("bare.git", "worktree", "add", "--quiet", "-b", "side", "../of-bare");
    expect(repository("bare.git").worktree("../of-bare")).toEqual({
      path: path("of-bare"),
      id: expect.stringMatching(/^of-bare~/) as string,
    });
    init("super");
    git("super", "submodule", "--quiet", "add", path("other"), "sub");
    expect(repository("super/sub").worktree(".")).toEqual({ path: path("super/sub"), id: "main" });
    init("separate", `--separate-git-dir=${path("stored")}`);
    expect(repository("separate").worktree(path("separate")).id).toBe("main");
  });

  it("accepts an entry that points back by a relative path", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../relative");
    writeFileSync(path("repo/.git/worktrees/relative/gitdir"), "../../../../relative/.git\n");
    expect(repository().worktree(path("relative")).id).toMatch(/^relative~/);
  });
});

describe("worktree refuses", () => {
  it("what does not exist, is no folder or cannot be a path", () => {
    writeFileSync(path("a-file"), "");
    expect(refusal(path("gone"))).toBe(`${path("gone")} does not exist.`);
    expect(refusal(`${path("gone")}/../linked`)).toMatch(/does not exist/);
    expect(refusal(path("a-file"))).toBe(`${path("a-file")} is not a folder.`);
    expect(refusal(`${path("a-file")}/`)).toMatch(/cannot be reached/);
    expect(refusal("")).toMatch(/empty/);
    expect(refusal("linked\0")).toMatch(/NUL/);
  });

  it("a plain folder, naming the worktree that git would take it for", () => {
    mkdirSync(path("repo/.worktrees/fake"), { recursive: true });
    const message = `is a plain folder inside the worktree ${path("repo")}; git would work there instead.`;
    expect(refusal(path("repo/.worktrees/fake"))).toContain(message);
    expect(refusal("deep")).toContain(message);
    expect(refusal(path("deep-link"))).toContain(`inside the worktree ${path("linked")}`);
    expect(git("repo/.worktrees/fake", "rev-parse", "--show-toplevel")).toBe(path("repo"));
  });

  it("a folder outside of everything", () => {
    mkdirSync(path("outside"));
    expect(refusal(path("outside"))).toMatch(/no git repository/);
  });

  it("worktrees and folders of another repository", () => {
    mkdirSync(path("other/deep"));
    expect(refusal(path("other"))).toBe(
      `${path("other")} belongs to another repository, ${path("other/.git")}.`,
    );
    expect(refusal(path("other-linked"))).toMatch(/belongs to another repository/);
    expect(refusal(path("other/deep"))).toMatch(/a plain folder inside another repository,/);
  });

  it("git directories", () => {
    expect(refusal(".git")).toMatch(/inside the git directory/);
    expect(refusal(".git/worktrees/linked")).toMatch(/inside the git directory/);
  });

  it("the folder around a bare repository", () => {
    mkdirSync(path("hidden"));
    git("", "clone", "--quiet", "--bare", "repo", "hidden/.bare");
    writeFileSync(path("hidden/.git"), "gitdir: ./.bare\n");
    expect(refusal(path("hidden"), "hidden")).toMatch(/core\.bare or core\.worktree says it is no worktree/);
  });

  it("a worktree that was moved, until git knows its new place", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../moves");
    renameSync(path("moves"), path("moved"));
    expect(refusal(path("moved"))).toContain(`points to ${path("moves")}, which does not exist`);
    git("moved", "worktree", "repair");
    expect(repository().worktree(path("moved")).id).toMatch(/^moves~/);
  });

  it("a copy of a worktree", () => {
    cpSync(path("linked"), path("copied"), { recursive: true });
    expect(refusal(path("copied"))).toContain(`points to ${path("linked")}.`);
    expect(repository().worktree(path("linked")).id).toMatch(/^linked~/);
  });

  it("a worktree whose entry was pruned", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../pruned");
    rmSync(path("repo/.git/worktrees/pruned"), { recursive: true });
    expect(refusal(path("pruned"))).toMatch(/which is not a git directory/);
  });

  it("a folder that was made again where a worktree had been", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../again");
    rmSync(path("again"), { recursive: true });
    mkdirSync(path("again"));
    expect(refusal(path("again"))).toMatch(/no git repository/);
    rmSync(path("again"), { recursive: true });
    git("repo", "worktree", "add", "--quiet", "--force", "--detach", "../again");
    const { id } = repository().worktree(path("again"));
    expect(git("again", "rev-parse", "--git-dir")).toBe(path("repo/.git/worktrees", entryName(id)!));
  });

  it("an entry that does not say where it is, or stands in the wrong place", () => {
    git("repo", "worktree", "add", "--quiet", "--detach", "../odd");
    rmSync(path("repo/.git/worktrees/odd/gitdir"));
    expect(refusal(path("odd"))).toMatch(/does not say where it is/);
    renameSync(path("repo/.git/worktrees/odd"), path("repo/.git/odd"));
    writeFileSync(path("repo/.git/odd/commondir"), "..\n");
    writeFileSync(path("odd/.git"), `gitdir: ${path("repo/.git/odd")}\n`);
    expect(refusal(path("odd"))).toMatch(/is not git's entry of a worktree/);
  });
});
