import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PAWL, pawlJson } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { type Data, ok } from "../support/workshop.ts";
import { git, paste, read } from "../support/worktree-shop.ts";

/** Linux keeps it in memory: another file system than that of temporary files, nearly everywhere. */
const SHARED_MEMORY = "/dev/shm";
const hasOtherDisk = existsSync(SHARED_MEMORY) && statSync(SHARED_MEMORY).dev !== statSync(tmpdir()).dev;

function folderIn(place: string): string {
  const path = realpathSync(mkdtempSync(join(place, "pawl-disk-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Layout {
  readonly repo: string;
  readonly worktree: string;
  readonly env?: Readonly<Record<string, string>>;
}

function repository(path: string, ...options: readonly string[]): string {
  mkdirSync(path);
  git(path, "init", "-q", "-b", "main", ...options);
  writeFileSync(join(path, "plan.md"), SMALL_PLAN);
  git(path, "add", "--all");
  git(path, "commit", "-q", "-m", "root");
  return path;
}

const usual = (repo: string): Layout => ({ repo, worktree: join(repo, ".pawl/worktrees/plan") });

const LAYOUTS: Readonly<Record<string, (here: string, there: string) => Layout>> = {
  "the worktrees": (here, there) => {
    const repo = repository(join(here, "repo"));
    writeFileSync(join(repo, "pawl.toml"), `worktree_dir = "${join(there, "trees")}"\n`);
    return { repo, worktree: join(there, "trees/plan") };
  },
  "the git directory": (here, there) =>
    usual(repository(join(here, "repo"), `--separate-git-dir=${join(there, "store")}`)),
  "the state": (here, there) => ({
    ...usual(repository(join(here, "repo"))),
    env: { PAWL_STATE_DIR: join(there, "state") },
  }),
};

describe.runIf(hasOtherDisk)("another disk", () => {
  it.each(Object.entries(LAYOUTS))("for %s: merged, saved, put aside and brought back", (_name, lay) => {
    const { repo, worktree, env = {} } = lay(folderIn(tmpdir()), folderIn(SHARED_MEMORY));
    const run = (...args: readonly string[]): Data => ok(pawlJson({ cwd: repo, env }, ...args));
    const create = (): Data => run("worktree", "create", "plan.md");
    const bringBack = (answer: Data): string => {
      const saved = answer["saved"] as readonly Data[];
      expect(saved).toHaveLength(1);
      const exports = Object.entries(env).map(([name, value]) => `export ${name}="${value}"\n`);
      paste(repo, `${exports.join("")}${saved[0]!["bring_back"] as string}`);
      return `${worktree}-restored`;
    };
    expect(create()).toMatchObject({ worktree_path: worktree, reused: false, state_initialized: true });
    writeFileSync(join(worktree, "work"), "done");
    git(worktree, "add", "work");
    git(worktree, "commit", "-q", "-m", "work");
    expect(run("worktree", "merge", "plan.md")).toMatchObject({ merged: true });
    expect(read(repo, "work")).toBe("done");

    writeFileSync(join(worktree, "unsaved"), "precious");
    const restored = bringBack(run("worktree", "remove", "pawl/plan"));
    expect(existsSync(worktree)).toBe(false);
    expect(read(restored, "unsaved")).toBe("precious");
    rmSync(restored, { recursive: true });

    create();
    writeFileSync(join(worktree, "mine"), "by hand");
    rmSync(join(worktree, ".git"));
    expect(read(bringBack(run("worktree", "remove", "pawl/plan")), "mine")).toBe("by hand");
    expect(create()).toMatchObject({ reused: false, warnings: [] });
    expect(git(repo, "fsck", "--no-dangling")).toBe("");
  });
});

/** In a place of its own that goes with its last process, where this user may mount something. */
const withMount = (folder: string, script: string) =>
  spawnSync("unshare", ["--mount", "sh", "-ec", `mount -t tmpfs none "${folder}"\n${script}`], {
    encoding: "utf8",
    env: cleanEnv({ NODE: process.execPath, PAWL }),
    cwd: folder,
  });

const mayMount = withMount(tmpdir(), "true").status === 0;

describe.runIf(mayMount)("a worktree whose folder is a mount", () => {
  function stage() {
    const repo = repository(join(folderIn(tmpdir()), "repo"));
    const { worktree } = usual(repo);
    mkdirSync(worktree, { recursive: true });
    return {
      repo,
      worktree,
      inMount: (script: string) =>
        withMount(worktree, `cd "${repo}"\npawl() { "$NODE" "$PAWL" "$@"; }\n${script}`),
    };
  }

  it("is removed up to the mount itself, with what was not committed saved", () => {
    const { repo, worktree, inMount } = stage();
    const { status, stdout, stderr } = inMount(
      `pawl worktree create plan.md\necho precious > "${worktree}/unsaved"\npawl worktree remove pawl/plan\nls -A "${worktree}"`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/Removed .*\n.*kept 1 uncommitted file.*\n$/);
    const ref = git(repo, "for-each-ref", "--format=%(refname)", "refs/pawl/snapshots");
    expect(git(repo, "show", `${ref}:unsaved`)).toBe("precious");
  });

  it("without .git is left as it is, and the message says why", () => {
    const { worktree, inMount } = stage();
    const { stdout, stderr } = inMount(
      `pawl worktree create plan.md\necho mine > "${worktree}/mine"\nrm "${worktree}/.git"\npawl worktree remove pawl/plan || echo "ended with $?"\ncat "${worktree}/mine"`,
    );
    expect(stderr).toMatch(/E283.*the folder is a mount of its own/);
    expect(stdout).toMatch(/ended with 3\nmine\n$/);
  });
});
