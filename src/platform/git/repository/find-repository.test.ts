import { execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { Failure } from "../../../domain/errors.ts";
import { findRepository } from "./find-repository.ts";

const scratch = throwawayGit();
const { git, init, path } = scratch;
const uid = process.geteuid?.();
const find = (folder: string) => findRepository(path(folder), uid, scratch.env);

/** Every layout that people have, built once. Names are folders that a case can start from. */
beforeAll(() => {
  init("plain");
  mkdirSync(path("plain/deep/down"), { recursive: true });
  git("plain", "worktree", "add", "--quiet", "../linked");
  mkdirSync(path("linked/sub"));
  git("plain", "worktree", "add", "--quiet", "--detach", ".pawl/worktrees/inner");
  mkdirSync(path("plain/.worktrees/fake"), { recursive: true });

  git("", "clone", "--quiet", "--bare", "plain", "bare.git");
  git("bare.git", "worktree", "add", "--quiet", "-b", "side", "../of-bare");

  mkdirSync(path("hidden"));
  git("", "clone", "--quiet", "--bare", "plain", "hidden/.bare");
  writeFileSync(path("hidden/.git"), "gitdir: ./.bare\n");
  git("hidden", "worktree", "add", "--quiet", "-b", "main", "main");

  mkdirSync(path("bare-dot-git"));
  git("", "clone", "--quiet", "--bare", "plain", "bare-dot-git/.git");

  init("lib");
  init("super");
  git("super", "submodule", "--quiet", "add", path("lib"), "vendor/lib");
  git("super/vendor/lib", "worktree", "add", "--quiet", "../../../linked-lib");

  init("separate", `--separate-git-dir=${path("stored-elsewhere")}`);
  git("separate", "worktree", "add", "--quiet", "../linked-separate");

  init("moved-git");
  renameSync(path("moved-git/.git"), path("behind-link.git"));
  symlinkSync(path("behind-link.git"), path("moved-git/.git"));
  symlinkSync(path("plain"), path("link-to-plain"));
  symlinkSync(path("plain/deep"), path("link-into-plain"));

  init("own-settings");
  git("own-settings", "config", "extensions.worktreeConfig", "true");
  git("own-settings", "worktree", "add", "--quiet", "../linked-own-settings");

  init("own-bare");
  git("own-bare", "worktree", "add", "--quiet", "../linked-own-bare");
  git("own-bare", "config", "extensions.worktreeConfig", "true");
  git("own-bare", "config", "--unset", "core.bare");
  git("own-bare", "config", "--worktree", "core.bare", "true");

  init("settings-elsewhere");
  git("settings-elsewhere", "worktree", "add", "--quiet", "../linked-elsewhere");
  git("settings-elsewhere", "config", "core.worktree", path("plain"));

  init("not\na\tplain\u{1b}[31m name");
  git("not\na\tplain\u{1b}[31m name", "worktree", "add", "--quiet", "--detach", "../linked\nname ");

  init("detached");
  git("detached", "checkout", "--quiet", "--detach");
  init("sha256", "--object-format=sha256");
  git("sha256", "checkout", "--quiet", "--detach");
  init("unborn-outer");
  git("", "init", "--quiet", "unborn-outer/unborn");
  mkdirSync(path("unborn-outer/empty-dot-git/.git"), { recursive: true });

  mkdirSync(path("plain/loop"));
  symlinkSync(".git", path("plain/loop/.git"));
  for (const look of ["no-head", "bad-head", "odd-link", "old-link"]) {
    mkdirSync(path("plain/looks", look, "objects"), { recursive: true });
    mkdirSync(path("plain/looks", look, "refs"));
  }
  writeFileSync(path("plain/looks/bad-head/HEAD"), "ref: nowhere\n");
  symlinkSync("/etc/hostname", path("plain/looks/odd-link/HEAD"));
  symlinkSync("refs/heads/trunk", path("plain/looks/old-link/HEAD"));
}, 60_000);

afterAll(() => scratch.remove());

interface Told {
  readonly commonDir: string;
  readonly topLevel: string | undefined;
}

function askGit(folder: string): Told {
  const ask = (...args: string[]): string =>
    execFileSync("git", args, { cwd: path(folder), env: scratch.env, encoding: "utf8", stdio: "pipe" }).slice(
      0,
      -1,
    );
  const commonDir = realpathSync.native(ask("rev-parse", "--path-format=absolute", "--git-common-dir"));
  const inside = ask("rev-parse", "--is-inside-work-tree") === "true";
  return { commonDir, topLevel: inside ? ask("rev-parse", "--show-toplevel") : undefined };
}

describe("findRepository says what git says", () => {
  it.each([
    "plain",
    "plain/deep/down",
    "plain/.git",
    "plain/.git/refs/heads",
    "plain/.git/worktrees/linked",
    "plain/.worktrees/fake",
    "plain/.pawl/worktrees/inner",
    "linked",
    "linked/sub",
    "bare.git",
    "bare.git/objects",
    "of-bare",
    "hidden",
    "hidden/main",
    "hidden/.bare",
    "bare-dot-git",
    "super",
    "super/vendor",
    "super/vendor/lib",
    "linked-lib",
    "separate",
    "stored-elsewhere",
    "linked-separate",
    "moved-git",
    "behind-link.git",
    "link-to-plain",
    "link-into-plain/down",
    "own-settings",
    "linked-own-settings",
    "own-bare",
    "linked-own-bare",
    "linked-elsewhere",
    "not\na\tplain\u{1b}[31m name",
    "linked\nname ",
    "detached",
    "sha256",
    "unborn-outer/unborn",
    "unborn-outer/empty-dot-git",
    "plain/loop",
    "plain/looks/no-head",
    "plain/looks/bad-head",
    "plain/looks/odd-link",
    "plain/looks/old-link",
  ])("in %j", (folder) => {
    const { commonDir, topLevel } = find(folder);
    expect({ commonDir, topLevel }).toEqual(askGit(folder));
  });
});

describe("the main top level", () => {
  it.each([
    ["linked/sub", "plain"],
    ["plain/.git/worktrees/linked", "plain"],
    ["plain/.git", "plain"],
    ["of-bare", undefined],
    ["bare.git", undefined],
    ["hidden", undefined],
    ["hidden/main", undefined],
    ["bare-dot-git", undefined],
    ["super/vendor/lib", "super/vendor/lib"],
    ["linked-lib", "super/vendor/lib"],
    ["separate", "separate"],
    ["moved-git", "moved-git"],
    ["own-settings", "own-settings"],
    ["linked-own-settings", "own-settings"],
    ["linked-own-bare", undefined],
  ])("seen from %s is %s", (folder, main) => {
    expect(find(folder).mainTopLevel).toBe(main === undefined ? undefined : path(main));
  });

  it("is not claimed when nothing leads from the git directory to it", () => {
    expect(find("linked-separate").mainTopLevel).toBeUndefined();
  });

  it("is not claimed when core.worktree names a folder of another repository", () => {
    expect(find("linked-elsewhere").mainTopLevel).toBeUndefined();
    expect(find("settings-elsewhere")).toMatchObject({ topLevel: undefined, mainTopLevel: undefined });
  });
});

describe("findRepository refuses", () => {
  const refusal = (folder: string): Failure => {
    try {
      find(folder);
    } catch (error) {
      if (error instanceof Failure) return error;
    }
    throw new Error(`${folder} was accepted`);
  };

  it("a folder without a repository above it", () => {
    mkdirSync(path("nothing/here"), { recursive: true });
    expect(refusal("nothing/here")).toMatchObject({
      problem: "repository/not-found",
      message: `There is no git repository at ${path("nothing/here")} or in any folder above it.`,
    });
  });

  it("a folder that is gone, and a file", () => {
    writeFileSync(path("file"), "");
    expect(refusal("gone").message).toBe(`The folder ${path("gone")} cannot be entered.`);
    expect(refusal("file").message).toBe(`${path("file")} is not a folder.`);
  });

  it.each([
    ["leads nowhere", "gitdir: /nowhere\n", /points to \/nowhere, which is not a git directory/],
    ["is empty", "", /is not a valid \.git file/],
    ["names nothing", "gitdir: \n", /names no git directory/],
    ["is something else", "hello\n", /is not a valid \.git file/],
    ["is huge", `gitdir: ${"x".repeat(2 << 20)}`, /too large/],
  ])("a .git file that %s, instead of taking the repository around it", (_, content, message) => {
    mkdirSync(path("plain/broken"), { recursive: true });
    writeFileSync(path("plain/broken/.git"), content);
    expect(refusal("plain/broken").message).toMatch(message);
    expect(() => askGit("plain/broken")).toThrow();
    rmSync(path("plain/broken"), { recursive: true });
  });

  it("a linked worktree whose repository was moved away", () => {
    init("goes-away");
    git("goes-away", "worktree", "add", "--quiet", "../left-behind");
    renameSync(path("goes-away"), path("went-away"));
    expect(refusal("left-behind").message).toMatch(/is not a git directory/);
    expect(() => askGit("left-behind")).toThrow();
  });
});

it("ignores every GIT_ variable that would lead elsewhere", () => {
  const poison = {
    GIT_DIR: path("bare.git"),
    GIT_WORK_TREE: path("lib"),
    GIT_COMMON_DIR: path("bare.git"),
    GIT_INDEX_FILE: path("lib/.git/index"),
    GIT_OBJECT_DIRECTORY: "/nowhere",
    GIT_CEILING_DIRECTORIES: path(""),
  };
  try {
    for (const [name, value] of Object.entries(poison)) vi.stubEnv(name, value);
    expect(findRepository(path("linked/sub"), uid)).toMatchObject({
      commonDir: path("plain/.git"),
      topLevel: path("linked"),
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

describe("a repository of another user", () => {
  const FOREIGN = 4242;

  it("is accepted when git accepts it", () => {
    // Git itself runs as the real user, to whom the folder belongs; only our first look takes it for a foreign one.
    expect(findRepository(path("plain"), FOREIGN, scratch.env).topLevel).toBe(path("plain"));
  });

  it("is not trusted for the sake of a user behind sudo unless root asks", () => {
    const env = { ...scratch.env, SUDO_UID: String(uid), PATH: path("nothing") };
    expect(() => findRepository(path("plain"), FOREIGN, env)).toThrow(/no git on PATH to ask/);
  });

  // Only root can give a folder away.
  describe.runIf(uid === 0)("seen by root", () => {
    beforeAll(() => {
      cpSync(path("lib"), path("foreign"), { recursive: true });
      chownSync(path("foreign/.git"), FOREIGN, FOREIGN);
    });

    it("is refused with git's reason, even for root", () => {
      expect(() => find("foreign")).toThrow(/dubious ownership in repository at/);
      expect(() => askGit("foreign")).toThrow();
    });

    it("is accepted when the user behind sudo owns it", () => {
      const env = { ...scratch.env, SUDO_UID: String(FOREIGN) };
      expect(findRepository(path("foreign"), uid, env).topLevel).toBe(path("foreign"));
    });

    it("is accepted when safe.directory allows it, and not by a leaked variable", () => {
      git("", "config", "--global", "--add", "safe.directory", path("foreign"));
      expect(find("foreign").topLevel).toBe(path("foreign"));
      git("", "config", "--global", "--unset-all", "safe.directory");
      const leaked = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" };
      expect(() => findRepository(path("foreign"), uid, { ...scratch.env, ...leaked })).toThrow(/dubious/);
    });

    it("is refused with a clear reason when there is no git to ask", () => {
      const env = { ...scratch.env, PATH: path("nothing") };
      expect(() => findRepository(path("foreign"), uid, env)).toThrow(
        /belongs to another user, and there is no git on PATH to ask/,
      );
    });
  });
});
