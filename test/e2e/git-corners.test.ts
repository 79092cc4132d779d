import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawlAsync, pawlJson } from "../support/cli.ts";
import { commitShop } from "../support/commit-shop.ts";
import { type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { paste, read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

function site(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, { [PLAN]: read(shop.home, PLAN), shared: "1\n" });
  return { ...shop, path: shop.create()["worktree_path"] as string };
}

const savedBy = (answer: Data): readonly { what: string; ref: string; bring_back: string }[] =>
  answer["saved"] as { what: string; ref: string; bring_back: string }[];

describe("what only a worktree's own log knows", () => {
  it("is kept when the worktree goes, and comes back under a name that is free", () => {
    const shop = site();
    const first = shop.commit(shop.path, { "one.txt": "one" });
    shop.gitIn(shop.path, "reset", "-q", "--hard", "HEAD~1");
    const second = shop.commit(shop.path, { "two.txt": "two" });
    shop.gitIn(shop.path, "reset", "-q", "--hard", "HEAD~1");
    const saved = savedBy(ok(shop.worktrees("remove", shop.path)));
    expect(saved.map(({ what }) => what)).toEqual([expect.stringContaining("only its log knows")]);
    shop.gitIn(shop.home, "reflog", "expire", "--expire=now", "--all");
    shop.gitIn(shop.home, "gc", "-q", "--prune=now");
    paste(shop.home, saved[0]!.bring_back);
    const [branch] = shop.refs("refs/heads/rescued");
    const log = shop.gitIn(shop.home, "rev-list", branch!);
    expect(log).toContain(first);
    expect(log).toContain(second);
  });

  it("is nothing where everything is on some branch", () => {
    const shop = site();
    shop.commit(shop.path, { "one.txt": "one" });
    expect(savedBy(ok(shop.worktrees("remove", shop.path)))).toEqual([]);
  });
});

it("keeps every side of a conflict in the index of a worktree whose folder is gone", () => {
  const shop = site();
  shop.commit(shop.path, { shared: "theirs\n" });
  shop.commit(shop.home, { shared: "ours\n" });
  expect(() => shop.gitIn(shop.path, "merge", "-q", "main")).toThrow();
  rmSync(shop.path, { recursive: true });
  const saved = savedBy(ok(shop.worktrees("remove", "pawl/plan")));
  const { ref } = saved.find(({ what }) => what.includes("staged"))!;
  expect(shop.gitIn(shop.home, "show", `${ref}:shared.ours`)).toBe("theirs");
  expect(shop.gitIn(shop.home, "show", `${ref}:shared.theirs`)).toBe("ours");
  expect(shop.gitIn(shop.home, "show", `${ref}:shared.base`)).toBe("1");
});

it("says that a branch of the very name stands in the way of all others", () => {
  const shop = worktreeShop();
  shop.commit(shop.home, { [PLAN]: read(shop.home, PLAN) });
  shop.gitIn(shop.home, "branch", "pawl");
  const issue = refused(shop.worktrees("create", PLAN), "E103", 4);
  expect(issue.hint).toContain("git branch -m pawl pawl-old");
  paste(shop.home, "git branch -m pawl pawl-old");
  ok(shop.worktrees("create", PLAN));
});

it("leaves a worktree alone that a person made where hooks of a merge would run", () => {
  const shop = site();
  shop.commit(shop.path, { "one.txt": "one" }, "step-0");
  const theirs = join(shop.home, ".pawl/worktrees/.merge-pawl-plan");
  shop.gitIn(shop.home, "worktree", "add", "-q", "--detach", theirs);
  shop.put(theirs, { precious: "work" });
  shop.put(shop.home, { ".git/hooks/commit-msg": "#!/bin/sh\n" });
  shop.gitIn(shop.home, "config", "core.hooksPath", ".git/hooks");
  const issue = refused(shop.worktrees("merge", PLAN), "E103", 4);
  expect(issue.message).toContain(theirs);
  expect(read(theirs, "precious")).toBe("work");
});

describe("pawl commit", () => {
  it("puts back what was staged by hand when a hook refuses", () => {
    const shop = commitShop();
    const worktree = shop.worktree("mine");
    shop.take(worktree, "step-1");
    shop.write(worktree, "half", "staged\n");
    shop.git(worktree, "add", "half");
    shop.write(worktree, "half", "not staged\n");
    shop.hook("pre-commit", "exit 1");
    const before = shop.git(worktree, "status", "--porcelain");
    refused(shop.commit(worktree, "step-1"), "E131", 1);
    expect(shop.git(worktree, "show", ":half")).toBe("staged");
    expect(shop.git(worktree, "status", "--porcelain")).toBe(before);
    rmSync(join(shop.home, ".git/hooks/pre-commit"));
    ok(shop.commit(worktree, "step-1"));
    expect(shop.git(worktree, "show", "HEAD:half")).toBe("not staged");
  });

  it("says the same to everybody who commits the same step at once", async () => {
    const shop = commitShop();
    const worktree = shop.worktree("mine");
    shop.take(worktree, "step-1");
    shop.write(worktree, "work.txt");
    const args = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", worktree, "--json"];
    const runs = await Promise.all([1, 2, 3].map(() => pawlAsync({ cwd: shop.home }, ...args)));
    const answers = runs.map(({ stdout }) => (JSON.parse(stdout) as { data: Data }).data);
    expect(new Set(answers.map((data) => data["commit_hash"] as string)).size).toBe(1);
    for (const data of answers) expect(data).toMatchObject({ completed: true, state_update_failed: false });
    expect(shop.git(worktree, "rev-list", "--count", "main..HEAD")).toBe("1");
  });

  it("warns of a repository inside, of which git keeps no file", () => {
    const shop = commitShop();
    const worktree = shop.worktree("mine");
    shop.take(worktree, "step-1");
    shop.write(worktree, "vendor/file");
    shop.git(join(worktree, "vendor"), "init", "-q");
    shop.git(join(worktree, "vendor"), "add", "--all");
    shop.git(join(worktree, "vendor"), "commit", "-q", "-m", "inside");
    shop.write(worktree, "work.txt");
    const { warnings } = ok(shop.commit(worktree, "step-1"));
    expect(warnings).toEqual([expect.stringMatching(/^nested_repository: .*: vendor$/)]);
  });

  it("obeys the file of settings that the user has named", () => {
    const shop = commitShop();
    const worktree = shop.worktree("mine");
    shop.take(worktree, "step-1");
    shop.write(worktree, "work.txt");
    const hooks = join(shop.home, "../hooks");
    mkdirSync(hooks);
    writeFileSync(join(hooks, "pre-commit"), "#!/bin/sh\necho said by the file >&2\nexit 1\n", {
      mode: 0o755,
    });
    writeFileSync(`${hooks}.config`, `[core]\nhooksPath = ${hooks}\n`);
    const args = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", worktree];
    const answer = shop.jsonWith({ env: { GIT_CONFIG_GLOBAL: `${hooks}.config` } }, ...args);
    expect(refused(answer, "E131", 1).message).toContain("said by the file");
    ok(shop.json(...args));
  });
});

it("says in a shallow clone that the history in between was not fetched, and merges once it is", () => {
  const shop = site();
  const clone = join(shop.home, "..", "clone");
  shop.gitIn(shop.home, "clone", "-q", "--depth=1", `file://${shop.home}`, clone);
  const inClone = (...args: readonly string[]) => pawlJson({ cwd: clone }, ...args);
  const path = ok(inClone("worktree", "create", PLAN))["worktree_path"] as string;
  shop.commit(path, { "new.txt": "new" });
  shop.commit(shop.home, { "first.txt": "1" });
  shop.commit(shop.home, { "second.txt": "2" });
  shop.gitIn(clone, "fetch", "-q", "--depth=1", "origin", "main");
  shop.gitIn(clone, "reset", "-q", "--hard", "FETCH_HEAD");
  const issue = refused(inClone("worktree", "merge", PLAN), "E301", 3);
  expect(issue.hint).toContain("git fetch --unshallow");
  expect(ok(inClone("worktree", "clean", "--merged", "--dry-run"))).toMatchObject({ removed: [] });
  shop.gitIn(clone, "fetch", "-q", "--unshallow");
  expect(ok(inClone("worktree", "merge", PLAN))).toMatchObject({ merged: true });
  expect(read(clone, "new.txt")).toBe("new");
});

it("says whose lock it is when a branch stays locked", () => {
  const shop = site();
  shop.commit(shop.path, { "new.txt": "new" });
  const lock = join(shop.home, ".git/refs/heads/main.lock");
  writeFileSync(lock, "");
  const issue = refused(shop.worktrees("merge", PLAN), "E100", 4);
  expect(issue.message).toContain(`${lock}, since 2`);
  expect(issue.hint).toContain(`mv -n ${lock} `);
  rmSync(lock);
  expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
}, 60_000);

it("says that a base which is no branch cannot be merged into, and merges where --into says", () => {
  const shop = worktreeShop();
  shop.commit(shop.home, { [PLAN]: read(shop.home, PLAN) });
  shop.gitIn(shop.home, "tag", "v1");
  const path = shop.create("--base", "v1")["worktree_path"] as string;
  shop.commit(path, { "new.txt": "new" });
  const issue = refused(shop.worktrees("merge", PLAN), "E102", 2);
  expect(issue.message).toMatch(/into v1: it is no branch but the commit [0-9a-f]{12}/);
  expect(ok(shop.worktrees("merge", PLAN, "--into", "main"))).toMatchObject({ merged: true });
});
