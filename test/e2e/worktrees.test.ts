import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawlAsync } from "../support/cli.ts";
import { type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { paste, read, worktreeShop } from "../support/worktree-shop.ts";

const sorted = (values: readonly string[]): readonly string[] => values.toSorted();

const FIELDS = [
  "base_branch",
  "branch_name",
  "plan_path",
  "reused",
  "state_initialized",
  "total_steps",
  "warnings",
  "worktree_path",
];

describe("Step 7: worktree create calls state init", () => {
  it("gives a valid plan state and says so", () => {
    const shop = worktreeShop(null);
    shop.repository.write(PLAN, planOfTwo);
    const made = shop.create();
    expect(Object.keys(made).toSorted()).toEqual(FIELDS);
    expect(made).toMatchObject({
      worktree_path: join(shop.home, ".pawl/worktrees/plan"),
      branch_name: "pawl/plan",
      base_branch: "main",
      plan_path: PLAN,
      total_steps: 2,
      reused: false,
      state_initialized: true,
      warnings: [],
    });
    expect(shop.plan()["steps"]).toHaveLength(2);
  });

  it("succeeds with state_initialized false when the plan is invalid", () => {
    const shop = worktreeShop(null);
    shop.repository.write(PLAN, planOfTwo.replace("#step-0\n", "#nowhere\n"));
    const made = shop.create();
    expect(made).toMatchObject({ state_initialized: false, reused: false });
    expect(made["warnings"]).toEqual([expect.stringContaining("state init failed: plan.md:")]);
    expect(existsSync(join(made["worktree_path"] as string, ".git"))).toBe(true);
  });

  it("succeeds with state_initialized false when the state cannot be written", () => {
    const shop = worktreeShop(null);
    shop.repository.write(PLAN, planOfTwo);
    shop.repository.write(".git/pawl/state.db", "no database at all, and long enough to be read".repeat(100));
    const made = ok(shop.worktrees("create", PLAN));
    expect(made).toMatchObject({ state_initialized: false, reused: false });
    expect(made["warnings"]).toHaveLength(1);
  });
});

const planOfTwo = `## Phase 1.0: Two {#phase}

### Execution Steps {#execution-steps}

#### Step 0: One {#step-0}

**Tasks:**
- [ ] one

#### Step 1: Two {#step-1}

**Depends on:** #step-0

**Tasks:**
- [ ] two
`;

describe("worktree create", () => {
  it("finds the same worktree however often it is called, from anywhere", () => {
    const shop = worktreeShop();
    const first = shop.create();
    expect(shop.create()).toEqual({ ...first, reused: true });
    expect(ok(shop.jsonWith({ cwd: first["worktree_path"] as string }, "worktree", "create", PLAN))).toEqual({
      ...first,
      reused: true,
    });
    expect(shop.repository.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  it("starts git once for a new one, and once more where its configuration is not plain", () => {
    const shop = worktreeShop();
    ok(shop.json("state", "init", PLAN));
    const log = join(shop.home, "../git-calls");
    const bin = join(shop.home, ".git/bin");
    shop.put(bin, { git: `#!/bin/sh\nPATH="\${PATH#*:}"\necho "$*" >> "${log}"\nexec git "$@"\n` });
    chmodSync(join(bin, "git"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    const callsFor = (name: string): readonly string[] => {
      writeFileSync(log, "");
      ok(shop.jsonWith({ env }, "worktree", "create", PLAN, "--name", name));
      return read(log)
        .trimEnd()
        .split("\n")
        .map((call) => / (config|worktree add) /.exec(call)?.[1] ?? call);
    };
    expect(callsFor("one")).toEqual(["worktree add"]);
    expect(callsFor("two")).toEqual(["worktree add"]);
    writeFileSync(join(shop.home, ".git/config"), "[a]\n\tb = c", { flag: "a" });
    expect(callsFor("three")).toEqual(["config", "worktree add"]);
    for (const name of ["one", "two", "three"])
      expect(shop.view(`pawl/${name}`)).toMatchObject({ plan_path: PLAN, base_branch: "main" });
    expect(shop.repository.git("config", "a.b")).toBe("c");
  });

  it("finishes what a call left that was killed while it held the lock of git's configuration", () => {
    const shop = worktreeShop();
    const inGit = (name: string): string => join(shop.home, ".git", name);
    writeFileSync(inGit("config.pawl"), "never became the configuration");
    linkSync(inGit("config.pawl"), inGit("config.lock"));
    expect(shop.create()).toMatchObject({ reused: false, warnings: [] });
    expect([inGit("config.pawl"), inGit("config.lock")].filter((path) => existsSync(path))).toEqual([]);
    expect(shop.view("pawl/plan")).toMatchObject({ plan_path: PLAN, base_branch: "main" });
  });

  it.each([
    "worktree remove pawl/plan --delete-branch",
    "worktree clean --merged --delete-branch",
    "doctor --fix",
  ])("leaves no such lock in the way of %s", (command) => {
    const shop = worktreeShop();
    const inGit = (name: string): string => join(shop.home, ".git", name);
    shop.commit(shop.create()["worktree_path"] as string, { "done.txt": "done" });
    shop.repository.git("merge", "-q", "pawl/plan");
    writeFileSync(inGit("config.pawl"), "never became the configuration");
    linkSync(inGit("config.pawl"), inGit("config.lock"));
    ok(shop.json(...command.split(" ")));
    expect([inGit("config.pawl"), inGit("config.lock")].filter((path) => existsSync(path))).toEqual([]);
    expect(read(shop.home, ".git/config").includes("pawl/plan")).toBe(command.startsWith("doctor"));
  });

  it("keeps its folder out of git status, and itself out of a prune", () => {
    const shop = worktreeShop();
    const made = shop.create();
    expect(shop.repository.git("status", "--porcelain")).toBe("?? plan.md");
    expect(shop.view("pawl/plan")).toMatchObject({
      locked: true,
      lock_reason: expect.stringContaining("pawl"),
    });
    rmSync(made["worktree_path"] as string, { recursive: true });
    shop.repository.git("worktree", "prune");
    expect(shop.view("pawl/plan")).toMatchObject({ missing: true });
  });

  it("is made again from its branch when the folder is gone, and keeps what was staged there", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.commit(path, { "done.txt": "done" });
    shop.put(path, { "staged.txt": "staged only" });
    shop.gitIn(path, "add", "staged.txt");
    rmSync(path, { recursive: true });
    const again = shop.create();
    expect(again).toMatchObject({ worktree_path: path, reused: false, base_branch: "main" });
    expect(read(path, "done.txt")).toBe("done");
    const [ref] = shop.refs("refs/pawl/rescue");
    expect(shop.repository.git("show", `${ref}:staged.txt`)).toBe("staged only");
    expect((again["warnings"] as string[]).join("\n")).toContain(ref);
  });

  it("is made again from the branch when only the branch is left", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.commit(path, { "done.txt": "done" });
    ok(shop.worktrees("remove", path));
    expect(shop.create()).toMatchObject({ worktree_path: path, reused: false });
    expect(read(path, "done.txt")).toBe("done");
  });

  it("starts from --base, else from base_branch, else from the main checkout's branch", () => {
    const shop = worktreeShop();
    shop.repository.git("branch", "one");
    shop.repository.git("branch", "two");
    shop.repository.write("pawl.toml", 'base_branch = "one"\n');
    expect(shop.create("--name", "a", "--base", "two")).toMatchObject({
      base_branch: "two",
      branch_name: "pawl/a",
    });
    expect(shop.create("--name", "b")).toMatchObject({ base_branch: "one" });
    rmSync(join(shop.home, "pawl.toml"));
    expect(shop.create("--name", "c")).toMatchObject({ base_branch: "main" });
    expect(shop.create("--name", "a", "--base", "one")["warnings"]).toHaveLength(1);
  });

  it.each(["nowhere", "-x", "--help", "main^{tree}", "a\nb"])(
    "refuses the base %j and makes nothing",
    (base) => {
      const shop = worktreeShop();
      refused(shop.worktrees("create", PLAN, `--base=${base}`), "E102", 2);
      expect(shop.refs("refs/heads")).toEqual(["refs/heads/main"]);
      expect(existsSync(join(shop.home, ".pawl"))).toBe(false);
    },
  );

  it.each(["../x", "a/b", "-x", "x.lock", ".git", "a b"])("refuses the name %j", (name) => {
    const shop = worktreeShop();
    expect(shop.worktrees("create", PLAN, `--name=${name}`)).toMatchObject({ status: "error", code: 2 });
    expect(shop.refs("refs/heads")).toEqual(["refs/heads/main"]);
  });

  it("never hands out the main checkout, a plain folder or another plan's worktree", () => {
    const shop = worktreeShop();
    shop.repository.git("switch", "-q", "-c", "pawl/plan");
    expect(refused(shop.worktrees("create", PLAN), "E103", 4).message).toContain("main checkout");
    shop.repository.git("switch", "-q", "main");
    shop.repository.git("branch", "-q", "-D", "pawl/plan");
    shop.put(shop.home, { ".pawl/worktrees/plan/precious.txt": "mine" });
    expect(refused(shop.worktrees("create", PLAN), "E103", 4).message).toContain("no worktree");
    expect(read(shop.home, ".pawl/worktrees/plan/precious.txt")).toBe("mine");
    shop.create("--name", "other");
    shop.repository.write("docs/other.md", planOfTwo);
    const second = ok(shop.worktrees("create", "docs/other.md"));
    expect(second["branch_name"]).toMatch(/^pawl\/other-[0-9a-f]{8}$/);
    refused(shop.worktrees("create", "docs/other.md", "--name", "other"), "E103", 4);
  });

  it("makes one worktree when many ask at once", async () => {
    const shop = worktreeShop();
    shop.repository.write("pawl.toml", 'worktree_setup = ["sh", "-c", "sleep 0.2; echo x >> ran"]\n');
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => pawlAsync({ cwd: shop.home }, "worktree", "create", PLAN, "--json")),
    );
    expect(runs.map(({ code, stdout }) => (code === 0 ? "" : stdout))).toEqual(["", "", "", "", ""]);
    const made = runs.map(({ stdout }) => (JSON.parse(stdout) as { data: Data }).data);
    expect(made.filter(({ reused }) => reused === false)).toHaveLength(1);
    expect(read(shop.home, ".pawl/worktrees/plan/ran")).toBe("x\n");
  });

  it("runs the set-up command once, in the worktree, without a shell and without git's variables", () => {
    const shop = worktreeShop();
    shop.repository.write(
      "pawl.toml",
      `worktree_setup = ["node", "-e", "require('fs').appendFileSync('ran', process.cwd()+' '+process.argv[1]+' '+process.env.GIT_DIR+'\\\\n')", "$(touch canary); 'x'"]\n`,
    );
    const path = shop.create()["worktree_path"] as string;
    shop.create();
    expect(read(path, "ran")).toBe(`${path} $(touch canary); 'x' undefined\n`);
    expect(existsSync(join(path, "canary"))).toBe(false);
    ok(shop.worktrees("remove", path));
    shop.create();
    expect(existsSync(join(path, "ran"))).toBe(true);
  });

  it("takes the new worktree and branch away again when the set-up fails, and shows what it said", () => {
    const shop = worktreeShop();
    shop.repository.write(
      "pawl.toml",
      'worktree_setup = ["sh", "-c", "echo made > file; echo the reason >&2; exit 3"]\n',
    );
    const issue = refused(shop.worktrees("create", PLAN), "E109", 1);
    expect(issue.message).toContain("exit code 3");
    expect(issue.details?.["output"]).toContain("the reason");
    expect(shop.repository.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(shop.refs("refs/heads")).toEqual(["refs/heads/main"]);
    shop.repository.write("pawl.toml", 'worktree_setup = ["no-such-program-anywhere"]\n');
    expect(refused(shop.worktrees("create", PLAN), "E109", 1).message).toContain("was not found");
    rmSync(join(shop.home, "pawl.toml"));
    expect(shop.create()).toMatchObject({ reused: false, state_initialized: true });
  });

  it("does not take away what it did not make: an old branch, a worktree that was there", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    const commit = shop.commit(path, { "done.txt": "done" });
    ok(shop.worktrees("remove", path));
    shop.repository.write("pawl.toml", 'worktree_setup = ["false"]\n');
    refused(shop.worktrees("create", PLAN), "E109", 1);
    expect(shop.repository.git("rev-parse", "pawl/plan")).toBe(commit);
  });

  it("tells a failing post-checkout hook and keeps the worktree", () => {
    const shop = worktreeShop();
    shop.put(shop.home, { ".git/hooks/post-checkout": "#!/bin/sh\necho hook says no >&2\nexit 1\n" });
    chmodSync(join(shop.home, ".git/hooks/post-checkout"), 0o755);
    const made = shop.create();
    expect(made["warnings"]).toEqual([expect.stringContaining("hook says no")]);
    expect(shop.create()).toMatchObject({ reused: true, warnings: [] });
  });

  it("puts worktrees where worktree_dir says", () => {
    const shop = worktreeShop();
    shop.repository.write("pawl.toml", 'worktree_dir = "../elsewhere"\n');
    expect(shop.create()["worktree_path"]).toBe(join(shop.home, "../elsewhere/plan"));
    expect(readdirSync(join(shop.home, "../elsewhere"))).toEqual(["plan"]);
  });

  it("refuses a folder of worktrees that leads out of the checkout", () => {
    const shop = worktreeShop();
    mkdirSync(join(shop.home, "../outside"));
    symlinkSync("../outside", join(shop.home, ".pawl"));
    refused(shop.worktrees("create", PLAN), "E103", 4);
    expect(readdirSync(join(shop.home, "../outside"))).toEqual([]);
  });
});

describe(".worktreeinclude", () => {
  it("copies ignored files that it names, and only those", () => {
    const shop = worktreeShop();
    shop.put(shop.home, {
      ".gitignore": ".env*\nsecret/\nbuild/\n",
      ".worktreeinclude": ".env*\n!.env.example\nsecret/**\nuntracked.txt\n",
      ".env": "TOKEN=1",
      ".env.example": "TOKEN=",
      "secret/deep/key": "key",
      "build/out": "large",
      "untracked.txt": "not ignored, so not copied",
    });
    chmodSync(join(shop.home, ".env"), 0o600);
    const path = shop.create()["worktree_path"] as string;
    expect(read(path, ".env")).toBe("TOKEN=1");
    expect(lstatSync(join(path, ".env")).mode & 0o777).toBe(0o600);
    expect(read(path, "secret/deep/key")).toBe("key");
    for (const name of [".env.example", "build", "untracked.txt"])
      expect(existsSync(join(path, name))).toBe(false);
    shop.put(path, { ".env": "TOKEN=changed by the agent" });
    shop.create();
    expect(read(path, ".env")).toBe("TOKEN=changed by the agent");
  });

  it("never reads or writes through a symlink, and never outside", () => {
    const shop = worktreeShop();
    mkdirSync(join(shop.home, "../outside"));
    shop.put(join(shop.home, "../outside"), { victim: "untouched", source: "secret" });
    // A branch whose `conf` leads out of the worktree, while the main checkout has a folder there.
    symlinkSync("../../../../outside", join(shop.home, "conf"));
    shop.gitIn(shop.home, "add", "conf");
    shop.gitIn(shop.home, "commit", "-q", "-m", "a trap");
    shop.gitIn(shop.home, "branch", "trap");
    shop.gitIn(shop.home, "rm", "-q", "conf");
    shop.gitIn(shop.home, "commit", "-q", "-m", "without it");
    shop.put(shop.home, {
      ".gitignore": "conf/\nlink\nfolder\n",
      ".worktreeinclude": "conf/**\nlink\nfolder/**\n",
      "conf/victim": "overwritten",
    });
    symlinkSync("../outside/source", join(shop.home, "link"));
    symlinkSync("../outside", join(shop.home, "folder"));
    const made = shop.create("--base", "trap");
    expect(read(shop.home, "../outside/victim")).toBe("untouched");
    expect(existsSync(join(made["worktree_path"] as string, "link"))).toBe(false);
    expect(made["warnings"]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("conf/victim"),
        expect.stringContaining("link: is a symlink"),
      ]),
    );
  });
});

describe("the plan, seen from its worktree", () => {
  it("is the main checkout's file when it is not committed", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    expect(existsSync(join(path, PLAN))).toBe(false);
    const claimed = ok(shop.jsonWith({ cwd: path }, "state", "claim", PLAN, "--worktree", "."));
    expect(claimed).toMatchObject({ claimed: true, anchor: "step-0" });
  });

  it("is warned about when the committed one is another one", () => {
    const shop = worktreeShop(null);
    shop.commit(shop.home, { [PLAN]: planOfTwo });
    shop.repository.write(PLAN, planOfTwo.replace("Two", "Edited"));
    const answer = shop.json("worktree", "create", PLAN);
    expect(answer.issues).toMatchObject([{ code: "E494", severity: "warning" }]);
  });
});

describe("worktree list", () => {
  it("shows plan, branch, holders, ahead and behind, dirty files, size and age", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.commit(path, { a: "1" });
    shop.commit(path, { b: "2" });
    shop.commit(shop.home, { c: "3" });
    shop.put(path, { "new file": "x", "ü/ö": "y", b: "changed" });
    shop.take(path, "step-0");
    const view = (ok(shop.worktrees("list", "--size"))["worktrees"] as Data[]).find((one) => !one["is_main"]);
    expect(view).toMatchObject({
      worktree_path: path,
      branch_name: "pawl/plan",
      plan_path: PLAN,
      base_branch: "main",
      managed: true,
      ahead: 2,
      behind: 1,
      dirty_files: 3,
      state: "held",
      held: [{ plan_path: PLAN, anchor: "step-0" }],
      missing: false,
      problem: null,
    });
    expect(view!["size_bytes"]).toBeGreaterThan(5);
    expect(Date.now() - Date.parse(view!["last_activity_at"] as string)).toBeLessThan(60_000);
    expect(shop.text("worktree", "list").stdout).toContain("holds step-0");
  });

  it("works without a database, and says when the state cannot be read", () => {
    const shop = worktreeShop(null);
    expect(ok(shop.worktrees("list"))["worktrees"]).toMatchObject([{ is_main: true, state: "free" }]);
    shop.repository.write(PLAN, planOfTwo);
    shop.create();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${shop.database}${suffix}`, { force: true });
    expect(ok(shop.worktrees("list"))).toMatchObject({ state_problem: expect.stringContaining("is gone") });
  });

  it("names worktrees that are locked by others, in the middle of something, or not usable", () => {
    const shop = worktreeShop();
    const foreign = shop.worktree("foreign");
    shop.repository.git("worktree", "lock", "--reason", "on a stick", foreign);
    const path = shop.create()["worktree_path"] as string;
    rmSync(join(path, ".git"));
    writeFileSync(join(path, ".git"), "gitdir: /nowhere\n");
    expect(shop.view("foreign")).toMatchObject({ managed: false, locked: true, lock_reason: "on a stick" });
    expect(shop.view("pawl/plan")).toMatchObject({ problem: expect.stringContaining("/nowhere") });
  });
});

describe("worktree remove", () => {
  it("refuses what a worker holds, and takes it once it is released", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.take(path, "step-0");
    const issue = refused(shop.worktrees("remove", path), "E104", 4);
    expect(issue.message).toContain("step-0");
    expect(existsSync(path)).toBe(true);
    ok(shop.work("release", path, "step-0"));
    expect(ok(shop.worktrees("remove", path))).toMatchObject({ removed: true, saved: [] });
    expect(existsSync(path)).toBe(false);
  });

  it("saves uncommitted files first, and the printed command brings every one back", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.commit(path, { tracked: "old", gone: "gone" });
    const content = { tracked: "new", staged: "staged", "with space": "s", "ü\nline": "n", "-rf": "dash" };
    shop.put(path, content);
    shop.gitIn(path, "add", "staged");
    rmSync(join(path, "gone"));
    symlinkSync("tracked", join(path, "link"));
    writeFileSync(join(path, "tool"), "#!/bin/sh\n", { mode: 0o755 });
    const answer = ok(shop.worktrees("remove", "pawl/plan"));
    expect(existsSync(path)).toBe(false);
    const [saved] = answer["saved"] as Data[];
    expect(saved).toMatchObject({ kind: "snapshot" });
    paste(shop.home, saved!["bring_back"] as string);
    const back = `${path}-restored`;
    for (const [name, text] of Object.entries(content)) expect(read(back, name)).toBe(text);
    expect(existsSync(join(back, "gone"))).toBe(false);
    expect(lstatSync(join(back, "link")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(back, "tool")).mode & 0o111).not.toBe(0);
  });

  it("keeps unmerged commits of a branch that goes, and the printed command brings them back", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    const commit = shop.commit(path, { work: "precious" });
    const answer = ok(shop.worktrees("remove", path, "--delete-branch"));
    expect(answer).toMatchObject({ removed: true, branch_deleted: true, saved: [{ kind: "rescue" }] });
    expect(shop.refs("refs/heads")).toEqual(["refs/heads/main"]);
    paste(shop.home, (answer["saved"] as Data[])[0]!["bring_back"] as string);
    expect(shop.repository.git("rev-parse", "pawl/plan")).toBe(commit);
    expect(shop.text("worktree", "remove", "pawl/plan", "--delete-branch").stdout).toContain(
      "restore it with: git branch",
    );
  });

  it("keeps commits on a detached HEAD and in the middle of a rebase", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.commit(path, { a: "1" });
    shop.gitIn(path, "switch", "-q", "--detach");
    const lone = shop.commit(path, { b: "2" });
    const answer = ok(shop.worktrees("remove", path));
    const [saved] = answer["saved"] as Data[];
    expect(shop.repository.git("rev-parse", saved!["ref"] as string)).toBe(lone);
  });

  it("refuses what cannot be saved: repositories and worktrees inside it", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.put(path, { ".gitignore": "vendor/\n" });
    shop.gitIn(path, "init", "-q", "vendor/lib");
    shop.put(path, { "vendor/lib/x": "x" });
    const issue = refused(shop.worktrees("remove", path), "E106", 4);
    expect(issue.details?.["repositories"]).toEqual(["vendor/lib"]);
    expect(read(path, "vendor/lib/x")).toBe("x");
  });

  it("refuses the main checkout, other repositories, plain folders, and a person's lock", () => {
    const shop = worktreeShop();
    refused(shop.worktrees("remove", shop.home), "E064", 2);
    refused(shop.worktrees("remove", "main"), "E064", 2);
    refused(shop.worktrees("remove", "src"), "E064", 2);
    shop.gitIn(join(shop.home, ".."), "init", "-q", "other");
    refused(shop.worktrees("remove", "../other"), "E064", 2);
    const locked = shop.worktree("locked");
    shop.repository.git("worktree", "lock", "--reason", "do not touch", locked);
    expect(refused(shop.worktrees("remove", locked), "E105", 4).message).toContain("do not touch");
    expect(existsSync(locked)).toBe(true);
  });

  it("is not for agents inside a session", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    const env = { PAWL_SESSION: "s-1" };
    for (const args of [
      ["remove", path],
      ["clean", "--merged"],
      ["merge", PLAN],
    ])
      expect(refused(shop.jsonWith({ env }, "worktree", ...args), "E077", 4).message).toContain("s-1");
  });

  it("takes down a clean worktree of a repository with submodules", () => {
    const shop = worktreeShop();
    shop.gitIn(join(shop.home, ".."), "init", "-q", "-b", "main", "lib");
    shop.commit(join(shop.home, "../lib"), { x: "x" });
    shop.gitIn(shop.home, "submodule", "--quiet", "add", "../lib", "lib");
    shop.gitIn(shop.home, "commit", "-q", "-m", "with a submodule");
    const path = shop.create()["worktree_path"] as string;
    expect(ok(shop.worktrees("remove", path))).toMatchObject({ removed: true });
    const again = shop.create()["worktree_path"] as string;
    shop.gitIn(again, "submodule", "--quiet", "update", "--init");
    refused(shop.worktrees("remove", again), "E106", 4);
    expect(read(again, "lib/x")).toBe("x");
  });
});

describe("worktree clean", () => {
  it("without a filter says what each would choose, and removes nothing", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    expect(ok(shop.worktrees("clean"))).toMatchObject({
      filters: [],
      removed: [],
      choices: { interrupted: [], merged: [], orphaned: [], "older-than": [] },
    });
    expect(existsSync(path)).toBe(true);
  });

  it("--merged takes merged, rebased and squashed work, not new or unmerged branches", () => {
    const shop = worktreeShop();
    const paths = Object.fromEntries(
      ["fresh", "open", "merged", "rebased", "squashed", "overtaken"].map((name) => [
        name,
        shop.create("--name", name)["worktree_path"] as string,
      ]),
    );
    for (const [name, path] of Object.entries(paths)) {
      if (name === "fresh") continue;
      shop.commit(path, { [`${name}-1`]: `${name}\n` });
      shop.commit(path, { [`${name}-2`]: `${name}\nmore\n` });
    }
    shop.gitIn(shop.home, "merge", "-q", "--no-ff", "-m", "merge", "pawl/merged");
    shop.gitIn(shop.home, "cherry-pick", "main..pawl/rebased");
    for (const name of ["squashed", "overtaken"]) {
      shop.gitIn(shop.home, "merge", "-q", "--squash", `pawl/${name}`);
      shop.gitIn(shop.home, "commit", "-q", "-m", `squash ${name}`);
    }
    shop.commit(shop.home, { "overtaken-2": "the base went on here\n" });
    const dry = ok(shop.worktrees("clean", "--merged", "--dry-run"));
    const names = (data: Data) => sorted((data["removed"] as Data[]).map((one) => one["branch_name"]));
    const expected = ["pawl/merged", "pawl/overtaken", "pawl/rebased", "pawl/squashed"];
    expect(names(dry)).toEqual(expected);
    for (const path of Object.values(paths)) expect(existsSync(path)).toBe(true);
    shop.put(paths["squashed"]!, { "not committed": "keep me" });
    const done = ok(shop.worktrees("clean", "--merged", "--delete-branch"));
    expect(names(done)).toEqual(expected);
    expect(shop.refs("refs/heads")).toEqual([
      "refs/heads/main",
      "refs/heads/pawl/fresh",
      "refs/heads/pawl/open",
    ]);
    const kept = (done["removed"] as Data[]).flatMap((one) => one["saved"] as Data[]);
    // The merged branch has all its commits in main; of the others main has only the work.
    expect(kept.filter((one) => one["kind"] === "rescue")).toHaveLength(3);
    const snapshot = kept.find((one) => one["kind"] === "snapshot");
    expect(shop.repository.git("show", `${snapshot!["ref"]}:not committed`)).toBe("keep me");
  });

  it("--orphaned takes those whose folder or plan is gone; --older-than looks at the last activity", () => {
    const shop = worktreeShop();
    const gone = shop.create("--name", "gone")["worktree_path"] as string;
    shop.repository.write("other.md", planOfTwo);
    const orphan = ok(shop.worktrees("create", "other.md"))["worktree_path"] as string;
    const fine = shop.create()["worktree_path"] as string;
    rmSync(gone, { recursive: true });
    rmSync(join(shop.home, "other.md"));
    expect(ok(shop.worktrees("clean", "--older-than", "1h"))["removed"]).toEqual([]);
    const answer = ok(shop.worktrees("clean", "--orphaned"));
    expect(sorted((answer["removed"] as Data[]).map((one) => one["worktree_path"]))).toEqual(
      sorted([gone, orphan]),
    );
    expect(existsSync(fine)).toBe(true);
    expect(shop.refs("refs/heads/pawl")).toHaveLength(3);
    expect(ok(shop.worktrees("clean", "--older-than", "0m"))["removed"]).toHaveLength(1);
    refused(shop.worktrees("clean", "--older-than", "7"), "E066", 2);
  });

  it("keeps what is held or cannot be saved, and says why; never touches worktrees that are not Pawl's", () => {
    const shop = worktreeShop();
    const held = shop.create()["worktree_path"] as string;
    const nested = shop.create("--name", "nested")["worktree_path"] as string;
    const own = shop.worktree("own");
    shop.take(held, "step-0");
    shop.gitIn(nested, "init", "-q", "inner");
    const answer = ok(shop.worktrees("clean", "--older-than", "0m"));
    expect(answer["removed"]).toEqual([]);
    expect(sorted((answer["kept"] as Data[]).map((one) => one["worktree_path"]))).toEqual(
      sorted([held, nested]),
    );
    for (const path of [held, nested, own]) expect(existsSync(path)).toBe(true);
  });
});

describe("doctor, about worktrees", () => {
  const checkOf = (answer: Data, name: string): Data =>
    (answer["checks"] as Data[]).find((check) => check["name"] === name)!;

  it("finds missing, stray and foreign worktrees, old locks, kept work and agents", () => {
    const shop = worktreeShop();
    const path = shop.create()["worktree_path"] as string;
    shop.put(path, { dirty: "x" });
    ok(shop.worktrees("remove", path));
    const gone = shop.create()["worktree_path"] as string;
    rmSync(gone, { recursive: true });
    mkdirSync(join(shop.home, ".pawl/worktrees/plain"));
    shop.gitIn(join(shop.home, ".pawl/worktrees"), "init", "-q", "stranger");
    writeFileSync(join(shop.home, ".git/index.lock"), "");
    paste(shop.home, "touch -d '1 hour ago' .git/index.lock");
    shop.put(shop.home, { "bin/codex": "#!/bin/sh\n" });
    chmodSync(join(shop.home, "bin/codex"), 0o755);
    const env = { PATH: `${join(shop.home, "bin")}:${process.env["PATH"]}` };
    const answer = ok(shop.jsonWith({ env }, "doctor"));
    expect(checkOf(answer, "worktrees")).toMatchObject({
      status: "warn",
      details: { missing: [gone], strays: [{ kind: "plain-folder" }, { kind: "other-repository" }] },
    });
    expect(checkOf(answer, "git_locks")).toMatchObject({ status: "warn" });
    const kept = checkOf(answer, "kept_work");
    expect(kept).toMatchObject({ status: "pass", details: { snapshots: 1, rescue: 0 } });
    expect(kept["details"]["bytes"]).toBeGreaterThan(0);
    expect(checkOf(answer, "repository")).toMatchObject({
      status: "pass",
      details: { common_dir: join(shop.home, ".git"), has_signing_key: false },
    });
    expect(checkOf(answer, "agents")["details"]).toMatchObject({
      found: { codex: join(shop.home, "bin/codex") },
    });
    expect(existsSync(join(shop.home, ".git/index.lock"))).toBe(true);
  });

  it("says when the key that commits are signed with is damaged", () => {
    const shop = worktreeShop();
    writeFileSync(join(shop.home, ".git/pawl/signing-key"), "not a key\n");
    expect(checkOf(shop.json("doctor").data, "repository")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("damaged"),
    });
  });

  it("--fix forgets only a missing worktree whose branch holds everything", () => {
    const shop = worktreeShop();
    const plain = shop.create()["worktree_path"] as string;
    const staged = shop.create("--name", "staged")["worktree_path"] as string;
    shop.put(staged, { staged: "only in the index" });
    shop.gitIn(staged, "add", "staged");
    const foreign = shop.worktree("foreign");
    shop.repository.git("worktree", "lock", "--reason", "on a stick", foreign);
    for (const path of [plain, staged, foreign]) rmSync(path, { recursive: true });
    const answer = ok(shop.json("doctor", "--fix"));
    expect(answer["fixed"]).toEqual([expect.stringContaining(plain)]);
    expect(checkOf(answer, "worktrees")["details"]).toMatchObject({ missing: [foreign, staged] });
    expect(shop.refs("refs/heads/pawl")).toEqual(["refs/heads/pawl/plan", "refs/heads/pawl/staged"]);
    expect(shop.create()).toMatchObject({ worktree_path: plain });
  });
});

describe("[worktree] share", () => {
  it("brings folders that git ignores, before the set-up runs, and warns of others", () => {
    const shop = worktreeShop();
    shop.put(shop.home, {
      ".gitignore": "node_modules/\n",
      "node_modules/a/index.js": "a",
      "pawl.toml":
        'worktree_setup = ["sh", "-c", "cp node_modules/a/index.js seen"]\n[worktree]\nshare = ["node_modules", "src"]\n',
      "src/a.ts": "x",
    });
    const made = shop.create();
    const path = made["worktree_path"] as string;
    expect(read(path, "node_modules/a/index.js")).toBe("a");
    expect(read(path, "seen")).toBe("a");
    expect(made["warnings"]).toEqual(
      expect.arrayContaining([expect.stringContaining("src: is not ignored")]),
    );
  });
});
