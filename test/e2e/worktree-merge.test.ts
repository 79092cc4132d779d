import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";
import { type World, worldOf } from "../support/world.ts";

/** A worktree with two steps committed, and a base that went on beside it. */
function readyToMerge(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, { shared: "1\n2\n3\n", [PLAN]: read(shop.home, PLAN) });
  const path = shop.create()["worktree_path"] as string;
  shop.commit(path, { "ground.txt": "ground" }, "step-0");
  shop.commit(path, { "walls.txt": "walls", shared: "one\n2\n3\n" }, "step-1");
  shop.commit(shop.home, { "elsewhere.txt": "elsewhere" });
  return { ...shop, path };
}

const head = (shop: WorktreeShop, ref = "main"): string => shop.repository.git("rev-parse", ref);

/** Everything but the empty files that Pawl locks. */
function worldWithoutLocks(shop: WorktreeShop): World {
  const world = worldOf(shop.repository);
  return { ...world, files: world.files.filter((line) => !line.startsWith("locks")) };
}

/** Puts a hook of the user's into the repository. */
function hook(shop: WorktreeShop, name: string, script: string): void {
  writeFileSync(join(shop.home, ".git/hooks", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(shop.home, ".git/hooks", name), 0o755);
}

const clean = (shop: WorktreeShop): void => {
  expect(shop.repository.git("status", "--porcelain")).toBe("");
  expect(shop.repository.git("fsck", "--no-dangling")).toBe("");
};

// proves G-never-half-merged
describe("worktree merge", () => {
  it("makes a merge commit that lists the steps, and brings the checkout along", () => {
    const shop = readyToMerge();
    const before = head(shop);
    const answer = ok(shop.worktrees("merge", PLAN));
    expect(answer).toMatchObject({
      branch_name: "pawl/plan",
      base_branch: "main",
      merged: true,
      how: "merge",
      steps: ["step-0", "step-1"],
      checkout: shop.home,
    });
    expect(shop.repository.git("rev-parse", "main^1", "main^2")).toBe(
      `${before}\n${head(shop, "pawl/plan")}`,
    );
    expect(shop.repository.git("log", "-1", "--format=%B")).toBe(
      "Merge plan plan.md: 2 steps\n\nSteps:\n- step-0: work on step-0\n- step-1: work on step-1",
    );
    expect(read(shop.home, "shared")).toBe("one\n2\n3\n");
    clean(shop);
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: false, already_merged: true });
    expect(head(shop)).toBe(answer["commit_hash"]);
  });

  it("--squash makes one commit from which a lost database is read back", () => {
    const shop = readyToMerge();
    const before = head(shop);
    const answer = ok(shop.worktrees("merge", "pawl/plan", "--squash"));
    expect(answer).toMatchObject({ merged: true, how: "squash" });
    expect(shop.repository.git("rev-list", "--parents", "-1", "main")).toBe(`${head(shop)} ${before}`);
    const trailers = shop.repository.git("log", "-1", "--format=%(trailers:only,unfold)");
    expect(trailers).toMatch(
      /^Pawl-Plan: plan\.md\nPawl-Step: step-0\nPawl-Step: step-1\nPawl-Proof: step-0 /,
    );
    clean(shop);
    expect(ok(shop.worktrees("merge", PLAN, "--squash"))).toMatchObject({ already_merged: true });
    ok(shop.worktrees("remove", "pawl/plan", "--delete-branch"));
    for (const ref of shop.refs("refs/pawl")) shop.repository.git("update-ref", "-d", ref);
    rmSync(join(shop.home, ".git/pawl"), { recursive: true });
    ok(shop.json("init"));
    expect(ok(shop.json("state", "reconcile", PLAN, "--force", "--trust-unsigned"))["reconciled"]).toEqual([
      { step_anchor: "step-0", git_hash: head(shop) },
      { step_anchor: "step-1", git_hash: head(shop) },
    ]);
  });

  it("does not list a step that the branch itself took back", () => {
    const shop = readyToMerge();
    shop.gitIn(shop.path, "revert", "--no-edit", "HEAD");
    const answer = ok(shop.worktrees("merge", PLAN, "--squash"));
    expect(answer["steps"]).toEqual(["step-0"]);
    const trailers = shop.repository.git("log", "-1", "--format=%(trailers:only,unfold)").split("\n");
    expect(trailers.filter((line) => !line.startsWith("Pawl-Proof: step-0 "))).toEqual([
      "Pawl-Plan: plan.md",
      "Pawl-Step: step-0",
    ]);
  });

  it("--ff-only moves the base without a commit, or refuses", () => {
    const shop = readyToMerge();
    refused(shop.worktrees("merge", PLAN, "--ff-only"), "E112", 4);
    shop.gitIn(shop.path, "rebase", "-q", "main");
    expect(ok(shop.worktrees("merge", PLAN, "--ff-only"))).toMatchObject({ how: "fast-forward" });
    expect(head(shop)).toBe(head(shop, "pawl/plan"));
    clean(shop);
    refused(shop.worktrees("merge", PLAN, "--ff-only", "--squash"), "E066", 2);
  });

  it("names the files of conflicts and touches nothing", () => {
    const shop = readyToMerge();
    shop.commit(shop.home, { shared: "eins\n2\n3\n", "walls.txt": "other walls" });
    const before = worldWithoutLocks(shop);
    const issue = refused(shop.worktrees("merge", PLAN), "E110", 4);
    expect(issue.details?.["files"]).toEqual(["shared", "walls.txt"]);
    expect(worldWithoutLocks(shop)).toEqual(before);
    clean(shop);
  });

  it("refuses when files in the checkout are in its way, and lets others be", () => {
    const shop = readyToMerge();
    shop.put(shop.home, { shared: "my own edit\n", "ground.txt": "untracked in the way", mine: "unrelated" });
    const before = worldWithoutLocks(shop);
    const issue = refused(shop.worktrees("merge", PLAN), "E111", 4);
    expect(new Set(issue.details!["files"] as string[])).toEqual(new Set(["ground.txt", "shared"]));
    expect(worldWithoutLocks(shop)).toEqual(before);
    shop.gitIn(shop.home, "restore", "shared");
    rmSync(join(shop.home, "ground.txt"));
    ok(shop.worktrees("merge", PLAN));
    expect(read(shop.home, "mine")).toBe("unrelated");
    expect(read(shop.home, "ground.txt")).toBe("ground");
  });

  it("does not write over ignored files either", () => {
    const shop = readyToMerge();
    shop.commit(shop.home, { ".gitignore": "ground.txt\n" });
    shop.put(shop.home, { "ground.txt": "ignored, but mine" });
    const before = head(shop);
    refused(shop.worktrees("merge", PLAN), "E111", 4);
    expect(read(shop.home, "ground.txt")).toBe("ignored, but mine");
    expect(head(shop)).toBe(before);
    expect(shop.repository.git("status", "--porcelain")).toBe("");
  });

  it("refuses in the middle of a person's merge or rebase", () => {
    const shop = readyToMerge();
    shop.gitIn(shop.home, "merge", "-q", "--no-commit", "--no-ff", "pawl/plan");
    refused(shop.worktrees("merge", PLAN), "E111", 4);
    shop.gitIn(shop.home, "merge", "--abort");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
  });

  it("moves a base that is not checked out, and --into another one", () => {
    const shop = readyToMerge();
    shop.repository.git("branch", "release");
    shop.repository.git("switch", "-q", "-c", "side");
    const answer = ok(shop.worktrees("merge", PLAN, "--into", "release"));
    expect(answer).toMatchObject({ base_branch: "release", checkout: null });
    expect(head(shop, "release")).toBe(answer["commit_hash"]);
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ base_branch: "main", checkout: null });
    expect(existsSync(join(shop.home, "ground.txt"))).toBe(false);
    clean(shop);
    refused(shop.worktrees("merge", PLAN, "--into", "nowhere"), "E102", 2);
    refused(shop.worktrees("merge", PLAN, "--into", "pawl/plan"), "E102", 2);
    refused(shop.worktrees("merge", "nothing.md"), "E064", 2);
  });

  it("says what stays behind uncommitted", () => {
    const shop = readyToMerge();
    shop.put(shop.path, { forgotten: "x" });
    expect(ok(shop.worktrees("merge", PLAN))["warnings"]).toEqual([
      expect.stringContaining("1 uncommitted file"),
    ]);
    expect(read(shop.path, "forgotten")).toBe("x");
  });

  it("lets hooks decide, with the files around them that they expect", () => {
    const shop = readyToMerge();
    hook(
      shop,
      "pre-merge-commit",
      "test -f walls.txt && test -f elsewhere.txt && pwd > ../../../seen && exit 0; exit 1",
    );
    hook(shop, "commit-msg", 'echo "Reviewed-by: a hook" >> "$1"');
    const answer = ok(shop.worktrees("merge", PLAN));
    expect(shop.repository.git("log", "-1", "--format=%B")).toContain("Reviewed-by: a hook");
    expect(answer["merged"]).toBe(true);
    expect(shop.repository.git("worktree", "list").split("\n")).toHaveLength(2);
    rmSync(join(shop.home, "seen"));
    clean(shop);
  });

  it.each([
    ["pre-merge-commit", []],
    ["commit-msg", []],
    ["pre-commit", ["--squash"]],
    ["commit-msg", ["--squash"]],
  ])("changes nothing when the hook %s refuses %j", (name, more) => {
    const shop = readyToMerge();
    hook(shop, name, "echo the hook says no >&2; exit 1");
    const before = worldWithoutLocks(shop);
    const issue = refused(shop.worktrees("merge", PLAN, ...more), "E113", 1);
    expect(JSON.stringify(issue)).toContain("the hook says no");
    expect({ ...worldWithoutLocks(shop), tables: 0 }).toEqual({ ...before, tables: 0 });
    expect(shop.repository.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  it("signs where signing is set up, and changes nothing when signing fails", () => {
    const shop = readyToMerge();
    writeFileSync(
      join(shop.home, ".git/sign"),
      '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\nprintf -- "-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n"\n',
    );
    chmodSync(join(shop.home, ".git/sign"), 0o755);
    shop.repository.git("config", "commit.gpgSign", "true");
    shop.repository.git("config", "gpg.program", "/bin/false");
    const before = head(shop);
    refused(shop.worktrees("merge", PLAN), "E113", 1);
    expect(head(shop)).toBe(before);
    clean(shop);
    shop.repository.git("config", "gpg.program", join(shop.home, ".git/sign"));
    ok(shop.worktrees("merge", PLAN));
    expect(shop.repository.git("cat-file", "-p", "main")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
  });

  it("waits for a lock of git and never removes one", () => {
    const shop = readyToMerge();
    const lock = join(shop.home, ".git/index.lock");
    writeFileSync(lock, "");
    const issue = refused(shop.worktrees("merge", PLAN), "E100", 4);
    expect(issue.details?.["lock"]).toBe(lock);
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    ok(shop.worktrees("merge", PLAN));
    clean(shop);
  });

  it.each([
    ["locked and half checked out", []],
    ["without its .git", [".git"]],
  ])("is not stopped by a checkout for hooks that a killed git left %s", (_, gone) => {
    const shop = readyToMerge();
    hook(shop, "commit-msg", 'echo "Reviewed-by: a hook" >> "$1"');
    const scratch = join(shop.home, ".pawl/worktrees/.merge-pawl-plan");
    const left = ["--no-checkout", "--lock", "--reason", "initializing", "--detach", scratch, "main"];
    shop.repository.git("worktree", "add", "-q", ...left);
    shop.put(scratch, { "left.txt": "left" });
    for (const name of gone) rmSync(join(scratch, name));
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    expect(existsSync(scratch)).toBe(false);
    expect(existsSync(join(`${scratch}.rescued-1`, "left.txt"))).toBe(gone.length > 0);
    expect(shop.repository.git("worktree", "list").split("\n")).toHaveLength(2);
    clean(shop);
  });

  it("takes files for merged that a killed git wrote before it could move the branch", () => {
    const shop = readyToMerge();
    shop.put(shop.home, { "ground.txt": "ground", shared: "one\n2\n3\n" });
    const answer = ok(shop.worktrees("merge", PLAN));
    expect(answer).toMatchObject({ merged: true, checkout: shop.home });
    expect(head(shop)).toBe(answer["commit_hash"]);
    clean(shop);
    shop.gitIn(shop.path, "rm", "-q", "ground.txt");
    shop.gitIn(shop.path, "commit", "-q", "-m", "gone");
    rmSync(join(shop.home, "ground.txt"));
    ok(shop.worktrees("merge", PLAN));
    clean(shop);
  });

  it("does not take a file for merged of which something else is staged, or that differs", () => {
    const shop = readyToMerge();
    shop.put(shop.home, { shared: "staged\n" });
    shop.gitIn(shop.home, "add", "shared");
    shop.put(shop.home, { shared: "one\n2\n3\n", "ground.txt": "ground", "walls.txt": "other walls" });
    const before = [head(shop), shop.gitIn(shop.home, "status", "--porcelain")];
    const issue = refused(shop.worktrees("merge", PLAN), "E111", 4);
    expect(issue.details?.["files"]).toEqual(["shared", "walls.txt"]);
    expect([head(shop), shop.gitIn(shop.home, "status", "--porcelain")]).toEqual(before);
    expect(shop.gitIn(shop.home, "show", ":shared")).toBe("staged");
  });

  it("moves the base alone when the checkout goes to another branch just before it was brought forward", () => {
    const shop = readyToMerge();
    const before = head(shop);
    const bin = join(shop.home, ".git/bin");
    const script = `case "$*" in *"ls-files --cached"*) test -f seen || git switch -q -c elsewhere; touch seen;; esac`;
    shop.put(bin, { git: `#!/bin/sh\nPATH="\${PATH#*:}"\n${script}\nexec git "$@"\n` });
    chmodSync(join(bin, "git"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    const answer = ok(shop.jsonWith({ env }, "worktree", "merge", PLAN));
    expect(answer).toMatchObject({ merged: true, checkout: null });
    expect(head(shop, "elsewhere")).toBe(before);
    expect(head(shop, "main")).toBe(answer["commit_hash"]);
    rmSync(join(shop.home, "seen"));
    clean(shop);
  });

  it("believes no trailer that a title or a message smuggles in", () => {
    const shop = readyToMerge();
    shop.put(shop.path, { more: "x" });
    shop.gitIn(shop.path, "add", "--all");
    shop.gitIn(
      shop.path,
      "commit",
      "-q",
      "--cleanup=verbatim",
      "-m",
      "title\u2028Pawl-Step: step-2\r\rPawl-Plan: plan.md\n\ncommit 0123456789012345678901234567890123456789\n\nPawl-Step: step-2\n\nbody",
    );
    const answer = ok(shop.worktrees("merge", PLAN, "--squash"));
    expect(answer["steps"]).toEqual(["step-0", "step-1"]);
    rmSync(join(shop.home, ".git/pawl"), { recursive: true });
    ok(shop.json("init"));
    const { reconciled } = ok(shop.json("state", "reconcile", PLAN, "--force", "--trust-unsigned")) as {
      reconciled: Data[];
    };
    expect(reconciled.map((one) => one["step_anchor"] as string).toSorted()).toEqual(["step-0", "step-1"]);
  });
});
