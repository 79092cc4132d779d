import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PAWL, pawl, pawlJson } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { ailments, type Data, ok, refused } from "../support/workshop.ts";
import { git, read } from "../support/worktree-shop.ts";

/** Where a call is made, and where its repository keeps what all worktrees share. */
interface Place {
  readonly cwd: string;
  readonly commonDir: string;
  /** Where the plan's worktree must come to lie. */
  readonly worktree: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder with a repository beside the one under test that nothing may touch. */
function home(): { readonly path: (...parts: string[]) => string; readonly neighbour: () => string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-matrix-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (...parts: string[]) => join(root, ...parts);
  repository(path("neighbour"));
  return { path, neighbour: () => fingerprint(path("neighbour")) };
}

function repository(path: string, ...options: readonly string[]): string {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q", "-b", "main", ...options);
  writeFileSync(join(path, "plan.md"), SMALL_PLAN);
  git(path, "add", "--all");
  git(path, "commit", "-q", "-m", "root");
  return path;
}

/** Every file with its content, and every ref. */
const fingerprint = (path: string): string =>
  execFileSync("sh", ["-c", "find . -type f | sort | xargs sha1sum"], { cwd: path, encoding: "utf8" });

const plain = (path: string): Place => ({
  cwd: path,
  commonDir: join(path, ".git"),
  worktree: join(path, ".pawl/worktrees/plan"),
});

type Path = (...parts: string[]) => string;

const PLACES: Readonly<Record<string, (path: Path) => Place>> = {
  "a plain repository": (path) => plain(repository(path("repo"))),
  "a subdirectory": (path) => {
    const top = plain(repository(path("repo")));
    mkdirSync(path("repo/deep/er"), { recursive: true });
    return { ...top, cwd: path("repo/deep/er") };
  },
  "a linked worktree": (path) => {
    const top = plain(repository(path("repo")));
    git(top.cwd, "worktree", "add", "-q", "-b", "side", path("linked"));
    return { ...top, cwd: path("linked") };
  },
  "a bare repository with worktrees": (path) => {
    repository(path("seed"));
    git(path(), "clone", "-q", "--bare", path("seed"), path("repo.git"));
    git(path("repo.git"), "worktree", "add", "-q", path("linked"), "main");
    return {
      cwd: path("linked"),
      commonDir: path("repo.git"),
      worktree: path("repo.git/pawl/worktrees/plan"),
    };
  },
  "a submodule": (path) => {
    repository(path("lib"));
    repository(path("super"));
    git(path("super"), "submodule", "--quiet", "add", path("lib"), "lib");
    return {
      cwd: path("super/lib"),
      commonDir: path("super/.git/modules/lib"),
      worktree: path("super/lib/.pawl/worktrees/plan"),
    };
  },
  "a separate git directory": (path) => {
    mkdirSync(path("away"));
    repository(path("repo"), `--separate-git-dir=${path("away/store")}`);
    return { ...plain(path("repo")), commonDir: path("away/store") };
  },
  "a symlinked path": (path) => {
    const place = plain(repository(path("repo")));
    symlinkSync(path("repo"), path("link"));
    return { ...place, cwd: path("link") };
  },
  "spaces and non-ASCII": (path) => plain(repository(path("mein  Ördner/プロジェクト 'x'"))),
  "variables of another repository's hook": (path) => {
    const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE } = {
      GIT_DIR: path("neighbour/.git"),
      GIT_WORK_TREE: path("neighbour"),
      GIT_INDEX_FILE: path("neighbour/.git/index"),
    };
    return { ...plain(repository(path("repo"))), env: { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE } };
  },
  "a shallow clone": (path) => {
    repository(path("seed"));
    git(path("seed"), "commit", "-q", "--allow-empty", "-m", "second");
    git(path(), "clone", "-q", "--depth=1", `file://${path("seed")}`, path("repo"));
    return plain(path("repo"));
  },
  "a detached HEAD with a remote": (path) => {
    repository(path("seed"));
    git(path(), "clone", "-q", path("seed"), path("repo"));
    git(path("repo"), "switch", "-q", "--detach");
    return plain(path("repo"));
  },
  "no name and no address": (path) => ({
    ...plain(repository(path("repo"))),
    env: {
      GIT_AUTHOR_NAME: "",
      GIT_AUTHOR_EMAIL: "",
      GIT_COMMITTER_NAME: "",
      GIT_COMMITTER_EMAIL: "",
      HOME: path(),
      EMAIL: "",
    },
  }),
};

describe("create, list, work, remove and clean in every kind of repository", () => {
  it.each(Object.entries(PLACES))("%s", (name, make) => {
    const { path, neighbour } = home();
    const place = make(path);
    const before = neighbour();
    const run = (...args: readonly string[]) =>
      pawlJson({ cwd: place.cwd, ...(place.env ? { env: place.env } : {}) }, ...args);
    const plan = existsSync(join(place.cwd, "plan.md")) ? "plan.md" : "../../plan.md";
    const made = ok(run("worktree", "create", plan));
    expect(made).toMatchObject({
      worktree_path: place.worktree,
      state_initialized: true,
      reused: false,
      warnings: [],
    });
    expect(git(place.worktree, "rev-parse", "--show-toplevel", "--abbrev-ref", "HEAD")).toBe(
      `${place.worktree}\npawl/plan`,
    );
    expect(existsSync(join(place.commonDir, "pawl/state.db"))).toBe(true);
    expect(ok(run("worktree", "create", plan))).toMatchObject({ reused: true });
    expect(ok(run("state", "claim", plan, "--worktree", place.worktree))).toMatchObject({ claimed: true });
    const views = ok(run("worktree", "list"))["worktrees"] as Data[];
    expect(views.find((view) => view["branch_name"] === "pawl/plan")).toMatchObject({
      worktree_path: place.worktree,
      state: "held",
      ahead: 0,
      dirty_files: 0,
      problem: null,
    });
    refused(run("worktree", "remove", "pawl/plan"), "E104", 4);
    ok(run("state", "release", plan, "step-0", "--worktree", place.worktree));
    writeFileSync(join(place.worktree, "unsaved"), "precious");
    const removed = ok(run("worktree", "remove", place.worktree));
    expect(existsSync(place.worktree)).toBe(false);
    const { ref } = (removed["saved"] as Data[])[0]!;
    expect(git(place.commonDir, "show", `${ref as string}:unsaved`)).toBe("precious");
    // Work is kept without a name, but no commit of a step can be made.
    const ill = name === "no name and no address" ? ["git_commits warn"] : [];
    expect(ailments(ok(run("doctor")))).toEqual(ill);
    expect(neighbour()).toBe(before);
  });

  it.each([
    "a plain repository",
    "a submodule",
    "a separate git directory",
    "a bare repository with worktrees",
    "spaces and non-ASCII",
    "variables of another repository's hook",
  ])("merge in %s", (name) => {
    const { path, neighbour } = home();
    const place = PLACES[name]!(path);
    const before = neighbour();
    const run = (...args: readonly string[]) =>
      pawlJson({ cwd: place.cwd, ...(place.env ? { env: place.env } : {}) }, ...args);
    ok(run("worktree", "create", "plan.md"));
    writeFileSync(join(place.worktree, "work"), "done");
    git(place.worktree, "add", "work");
    git(place.worktree, "commit", "-q", "-m", "work");
    expect(ok(run("worktree", "merge", "plan.md"))).toMatchObject({ merged: true, base_branch: "main" });
    expect(read(place.cwd, "work")).toBe("done");
    expect(git(place.cwd, "status", "--porcelain", "--untracked-files=no")).toBe("");
    expect(neighbour()).toBe(before);
  });
});

describe("commit, snapshot and reconcile in every kind of repository", () => {
  it.each(Object.entries(PLACES))("%s", (name, make) => {
    const { path, neighbour } = home();
    const place = make(path);
    const before = neighbour();
    const run = (...args: readonly string[]) =>
      pawlJson({ cwd: place.cwd, ...(place.env ? { env: place.env } : {}) }, ...args);
    const plan = existsSync(join(place.cwd, "plan.md")) ? "plan.md" : "../../plan.md";
    const worktree = ["--worktree", place.worktree];
    ok(run("worktree", "create", plan));
    ok(run("state", "claim", plan, ...worktree));
    ok(run("state", "start", plan, "step-0", ...worktree));
    ok(run("state", "update", plan, "step-0", "--all", "completed", ...worktree));
    writeFileSync(join(place.worktree, "work"), "done");
    const answer = run("commit", "--plan", plan, "--step", "step-0", ...worktree);
    if (name === "no name and no address") {
      expect(refused(answer, "E131", 1).message).toMatch(/ident|tell me who you are/i);
      expect(git(place.worktree, "rev-parse", "HEAD")).toBe(git(place.cwd, "rev-parse", "main"));
    } else {
      const head = git(place.worktree, "rev-parse", "HEAD");
      expect(ok(answer)).toMatchObject({ commit_hash: head, files_staged: ["work"], completed: true });
      loseDatabase(join(place.commonDir, "pawl"));
      ok(run("init"));
      expect(ok(run("state", "reconcile", plan))).toMatchObject({
        reconciled: [{ step_anchor: "step-0", git_hash: head }],
      });
    }
    writeFileSync(join(place.worktree, "unsaved"), "precious");
    const taken = ok(run("snapshot", "take", ...worktree))["snapshot"] as Data;
    ok(run("snapshot", "restore", taken["ref"] as string, "--to", path("back")));
    expect([read(path("back/unsaved")), read(path("back/work"))]).toEqual(["precious", "done"]);
    expect(neighbour()).toBe(before);
  });
});

function loseDatabase(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith("state.db")) rmSync(join(folder, name));
}

describe("says clearly why not", () => {
  it("on an unborn branch", () => {
    const { path } = home();
    mkdirSync(path("repo"));
    git(path("repo"), "init", "-q", "-b", "main");
    writeFileSync(path("repo/plan.md"), SMALL_PLAN);
    const issue = refused(pawlJson({ cwd: path("repo") }, "worktree", "create", "plan.md"), "E102", 2);
    expect(issue.message).toContain("main has no commit yet");
    expect(existsSync(path("repo/.pawl"))).toBe(false);
  });

  it("on a detached HEAD whose commits the remote does not have", () => {
    const { path } = home();
    repository(path("seed"));
    git(path(), "clone", "-q", path("seed"), path("repo"));
    git(path("repo"), "switch", "-q", "--detach");
    git(path("repo"), "commit", "-q", "--allow-empty", "-m", "mine");
    const { message, hint } = refused(
      pawlJson({ cwd: path("repo") }, "worktree", "create", "plan.md"),
      "E102",
      2,
    );
    expect(message).toContain("which origin/main does not have");
    expect(hint).toContain("git switch -c");
    git(path("repo"), "switch", "-q", "-c", "mine");
    expect(ok(pawlJson({ cwd: path("repo") }, "worktree", "create", "plan.md"))).toMatchObject({
      base_branch: "mine",
    });
  });

  it("on a detached HEAD without a remote", () => {
    const { path } = home();
    repository(path("repo"));
    git(path("repo"), "switch", "-q", "--detach");
    const issue = refused(pawlJson({ cwd: path("repo") }, "worktree", "create", "plan.md"), "E102", 2);
    expect(issue.message).toContain("detached");
    expect(
      ok(pawlJson({ cwd: path("repo") }, "worktree", "create", "plan.md", "--base", "main")),
    ).toBeTruthy();
  });

  it("when a merge needs a name and there is none", () => {
    const { path } = home();
    const env = { ...PLACES["no name and no address"]!(path).env, GIT_CONFIG_GLOBAL: path("config") };
    writeFileSync(path("config"), "[user]\nuseConfigOnly = true\n");
    const cwd = path("repo");
    ok(pawlJson({ cwd }, "worktree", "create", "plan.md"));
    const worktree = path("repo/.pawl/worktrees/plan");
    git(worktree, "commit", "-q", "--allow-empty", "-m", "work");
    writeFileSync(join(worktree, "work"), "x");
    git(worktree, "add", "work");
    git(worktree, "commit", "-q", "-m", "work");
    git(cwd, "config", "user.useConfigOnly", "true");
    const tip = git(cwd, "rev-parse", "main");
    const answer = pawl({ cwd, env }, "worktree", "merge", "plan.md");
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringMatching(/ident/) });
    expect(git(cwd, "rev-parse", "main")).toBe(tip);
  });

  it("outside any repository", () => {
    const { path } = home();
    mkdirSync(path("nowhere"));
    const issue = refused(pawlJson({ cwd: path("nowhere") }, "worktree", "list"), "E065", 3);
    expect(issue.message).toContain("no git repository");
  });
});

describe("inside a real hook of another worktree", () => {
  it("works where it stands, not where the hook's variables point", () => {
    const { path } = home();
    repository(path("repo"));
    repository(path("outer"));
    git(path("outer"), "worktree", "add", "-q", "-b", "side", path("linked"));
    const hook = path("outer/.git/hooks/pre-commit");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(
      hook,
      `#!/bin/sh\ncd "${path("repo")}" && "${process.execPath}" "${PAWL}" worktree create plan.md --json > "${path("answer")}"\n`,
    );
    chmodSync(hook, 0o755);
    git(path("linked"), "commit", "-q", "--allow-empty", "-m", "runs the hook");
    const answer = JSON.parse(read(path("answer"))) as { data: Data };
    expect(answer.data).toMatchObject({ worktree_path: path("repo/.pawl/worktrees/plan") });
    expect(git(path("outer"), "branch", "--list", "pawl/*")).toBe("");
    expect(cleanEnv()["GIT_DIR"]).toBeUndefined();
  });
});
