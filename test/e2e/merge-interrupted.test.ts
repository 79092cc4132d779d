import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ok, PLAN, refused } from "../support/workshop.ts";
import { read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/**
 * What a merge does to the checkout of its base when it is killed, or fails, in the middle.
 *
 * The branch changes, adds, removes and retypes files. Afterwards each file of the checkout is as it was or as the merge
 * makes it, never something in between, and the next call finishes.
 */

const BIG = "line\n".repeat(50_000);

function site(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, {
    [PLAN]: read(shop.home, PLAN),
    "a-changed": "before\n",
    "b-removed": "before\n",
    "c-folder/file": "before\n",
    "d-file": "before\n",
    "z-last": "before\n",
  });
  const path = shop.create()["worktree_path"] as string;
  shop.gitIn(path, "rm", "-q", "-r", "b-removed", "c-folder", "d-file");
  symlinkSync("a-changed", join(path, "d-file"));
  shop.commit(path, {
    "a-changed": "after\n",
    "c-folder": "now a file\n",
    "e-new/deep/file": BIG,
    "z-last": "after\n",
  });
  shop.put(shop.home, { mine: "not committed" });
  return { ...shop, path };
}

const head = (shop: WorktreeShop): string => shop.gitIn(shop.home, "rev-parse", "main");

/** As it was before the merge, with nothing lying around. */
function untouched(shop: WorktreeShop): void {
  expect(shop.gitIn(shop.home, "status", "--porcelain")).toBe("?? mine");
  expect(read(shop.home, "a-changed")).toBe("before\n");
  expect(existsSync(join(shop.home, "e-new"))).toBe(false);
  nothingLeft(shop);
}

function nothingLeft(shop: WorktreeShop): void {
  expect(readdirSync(join(shop.home, ".git")).filter((name) => /lock|forward/.test(name))).toEqual([]);
  expect(shop.refs("refs/pawl/forward")).toEqual([]);
}

function merged(shop: WorktreeShop): void {
  expect(shop.gitIn(shop.home, "status", "--porcelain")).toBe("?? mine");
  expect(shop.gitIn(shop.home, "diff", "main", "pawl/plan", "--stat")).toBe("");
  expect(read(shop.home, "e-new/deep/file")).toBe(BIG);
  expect(read(shop.home, "mine")).toBe("not committed");
  expect(shop.gitIn(shop.home, "fsck", "--no-dangling")).toBe("");
  nothingLeft(shop);
}

/** A `git` on PATH that does something of ours before the real one, at calls whose arguments match. */
function shim(shop: WorktreeShop, pattern: string, script: string): { PATH: string } {
  const bin = join(shop.home, ".git/bin");
  shop.put(bin, {
    git: `#!/bin/sh\nPATH="\${PATH#*:}"\ncase "$*" in *"${pattern}"*) ${script};; esac\nexec git "$@"\n`,
  });
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env["PATH"]}` };
}

const mergeWith = (shop: WorktreeShop, env: Record<string, string>) =>
  shop.jsonWith({ env }, "worktree", "merge", PLAN);

/** Runs a merge that kills itself; it has no answer. */
function killed(shop: WorktreeShop, env: Record<string, string>): void {
  expect(() => mergeWith(shop, env)).toThrow();
}

describe("a merge that cannot be made whole", () => {
  it("leaves the checkout alone when a filter fails, and merges when it works again", () => {
    const shop = site();
    shop.gitIn(shop.home, "config", "filter.odd.smudge", "false");
    shop.gitIn(shop.home, "config", "filter.odd.clean", "cat");
    shop.gitIn(shop.home, "config", "filter.odd.required", "true");
    writeFileSync(join(shop.home, ".git/info/attributes"), "z-last filter=odd\n");
    const before = head(shop);
    refused(shop.worktrees("merge", PLAN), "E113", 1);
    expect(head(shop)).toBe(before);
    untouched(shop);
    shop.gitIn(shop.home, "config", "filter.odd.smudge", "cat");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("leaves the checkout alone when there is no room for the new files", () => {
    const shop = site();
    const before = head(shop);
    refused(mergeWith(shop, shim(shop, "read-tree -m -u", "ulimit -f 8")), "E113", 1);
    expect(head(shop)).toBe(before);
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("leaves the checkout alone when the branch is locked or a hook of the user's says no", () => {
    const shop = site();
    const before = head(shop);
    shop.put(shop.home, {
      ".git/hooks/reference-transaction": `#!/bin/sh\ntest "$1" != prepared\n`,
    });
    chmodSync(join(shop.home, ".git/hooks/reference-transaction"), 0o755);
    refused(shop.worktrees("merge", PLAN), "E113", 1);
    expect(head(shop)).toBe(before);
    untouched(shop);
    rmSync(join(shop.home, ".git/hooks/reference-transaction"));
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("takes back what it has changed when a file changes under its hands", () => {
    const shop = site();
    const before = head(shop);
    const edit = `echo edited > ${join(shop.home, "z-last")}`;
    const issue = refused(mergeWith(shop, shim(shop, "update-ref --stdin", edit)), "E111", 4);
    expect(issue.details?.["files"]).toEqual(["z-last"]);
    expect(head(shop)).toBe(before);
    expect(read(shop.home, "z-last")).toBe("edited\n");
    shop.gitIn(shop.home, "restore", "z-last");
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("takes everything back, and says which file it is, when one cannot be replaced", () => {
    const shop = site();
    const env = preload(
      shop,
      `if (String(to).endsWith("/z-last"))
         throw Object.assign(new Error("no"), { code: "EPERM" });`,
    );
    const issue = refused(mergeWith(shop, env), "E113", 1);
    expect(issue.message).toContain("z-last cannot be moved or replaced (EPERM)");
    expect(issue.details?.["files"]).toEqual(["z-last"]);
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("takes everything back when the branch cannot move after all", () => {
    const shop = site();
    const before = head(shop);
    // Git has the branch locked, and dies when it should move it.
    const die = `while read -r line && test "$line" != commit; do echo "$line"; done | git "$@"; exit`;
    refused(mergeWith(shop, shim(shop, "update-ref --stdin", die)), "E113", 1);
    expect(head(shop)).toBe(before);
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });
});

describe("a merge that is killed", () => {
  it("is made again when it dies while the new files are written", () => {
    const shop = site();
    // The filter's grandparent is Pawl; it and git go at once, in the middle of a file.
    const kill = "kill -9 $(ps -o ppid= -p $PPID) $PPID";
    shop.gitIn(shop.home, "config", "filter.odd.smudge", kill);
    writeFileSync(join(shop.home, ".git/info/attributes"), "z-last filter=odd\n");
    killed(shop, {});
    expect(read(shop.home, "a-changed")).toBe("before\n");
    shop.gitIn(shop.home, "config", "filter.odd.smudge", "cat");
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("is finished by the next call when it dies between two files, and answered as it would have been", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop));
    expect(read(shop.home, "a-changed")).toBe("after\n");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true, how: "merge" });
    merged(shop);
    const events = shop.text("log", PLAN).stdout;
    expect(events).not.toContain("undefined");
  });

  it("does not overwrite what a person changed before it could be finished", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "2"));
    shop.put(shop.home, { "z-last": "edited meanwhile\n" });
    const issue = refused(shop.worktrees("merge", PLAN), "E180", 4);
    expect(issue.details?.["files"]).toEqual(["z-last"]);
    expect(read(shop.home, "z-last")).toBe("edited meanwhile\n");
    const problems = JSON.stringify(ok(shop.json("doctor")));
    expect(problems).toContain("a merge into it was interrupted");
    shop.put(shop.home, { "z-last": "before\n" });
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it.each([["reset", "-q", "--hard"], ["stash"]])(
    "does again what a person took back before it could be finished: git %s",
    (...command) => {
      const shop = site();
      killed(shop, dieAfterFiles(shop, "3"));
      rmSync(join(shop.home, ".git/index.lock"));
      shop.gitIn(shop.home, ...command);
      expect(read(shop.home, "a-changed")).toBe("before\n");
      expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
      merged(shop);
      expect(read(shop.home, "a-changed")).toBe("after\n");
    },
  );

  it("does not overwrite what a person made of a file that it had changed", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop));
    shop.put(shop.home, { "a-changed": "edited meanwhile\n" });
    const issue = refused(shop.worktrees("merge", PLAN), "E180", 4);
    expect(issue.details?.["files"]).toEqual(["a-changed"]);
    expect(read(shop.home, "a-changed")).toBe("edited meanwhile\n");
    shop.gitIn(shop.home, "restore", "a-changed");
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("knows what it has changed also by a filter that cannot be turned back", () => {
    const shop = site();
    shop.gitIn(shop.home, "config", "filter.odd.smudge", "sed s/^/odd-/");
    shop.gitIn(shop.home, "config", "filter.odd.clean", "cat");
    writeFileSync(join(shop.home, ".git/info/attributes"), "a-changed filter=odd\n");
    killed(shop, dieAfterFiles(shop));
    ok(shop.worktrees("merge", PLAN));
    expect(read(shop.home, "a-changed")).toBe("odd-after\n");
  });

  it("is finished also when the note of it was torn, as long as the list of its changes is whole", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "2"));
    const place = join(shop.home, ".git/pawl-forward");
    writeFileSync(join(place, "intent.json"), "");
    const changes = read(place, "changes.json");
    writeFileSync(join(place, "changes.json"), changes.slice(0, 100));
    const issue = refused(shop.worktrees("merge", PLAN), "E182", 4);
    expect(issue.message).toContain(place);
    writeFileSync(join(place, "changes.json"), changes);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("is finished by doctor --fix too", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "2"));
    expect(JSON.stringify(ok(shop.json("doctor", "--fix"))["fixed"])).toContain("was finished");
    merged(shop);
  });

  it("is forgotten when a person commits what they found", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "2"));
    rmSync(join(shop.home, ".git/index.lock"));
    shop.gitIn(shop.home, "add", "--all", "--", ".", ":!mine");
    shop.gitIn(shop.home, "commit", "-q", "-m", "half of it");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("is taken back when a person commits something else first", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "4"));
    shop.put(shop.home, { "z-last": "edited meanwhile\n" });
    expect(refused(shop.worktrees("merge", PLAN), "E180", 4).hint).not.toMatch(/commit/i);
    shop.gitIn(shop.home, "commit", "-q", "-m", "mine first", "z-last");
    refused(shop.worktrees("merge", PLAN), "E110", 4);
    untouched(shop);
    expect(read(shop.home, "c-folder/file")).toBe("before\n");
    shop.commit(shop.home, { "z-last": "before\n" });
    ok(shop.worktrees("merge", PLAN));
  });

  it("is taken back in a sparse checkout too", () => {
    const shop = site();
    shop.gitIn(shop.home, "sparse-checkout", "set", "--no-cone", "/*", "!/e-new/", "!/z-last");
    killed(shop, dieAfterFiles(shop));
    expect(read(shop.home, "a-changed")).toBe("after\n");
    rmSync(join(shop.home, ".git/index.lock"));
    shop.gitIn(shop.home, "commit", "-q", "--allow-empty", "-m", "mine first");
    const { fixed } = ok(shop.json("doctor", "--fix"));
    expect(fixed).toEqual([expect.stringContaining("could not continue and was undone")]);
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    shop.gitIn(shop.home, "sparse-checkout", "disable");
    merged(shop);
  });

  it("is finished also when git died with it and left its lock of the new index", () => {
    const shop = site();
    killed(
      shop,
      shim(shop, "update-index -q --refresh", 'touch "$GIT_INDEX_FILE.lock"; kill -9 $PPID; exit'),
    );
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("is finished after git threw away what nothing refers to", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "2"));
    shop.gitIn(shop.home, "gc", "-q", "--prune=now");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("is taken back and made anew when its commit is gone all the same", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop, "4"));
    const [ref = ""] = shop.refs("refs/pawl/forward");
    shop.gitIn(shop.home, "update-ref", "-d", ref);
    shop.gitIn(shop.home, "gc", "-q", "--prune=now");
    ok(shop.json("doctor", "--fix"));
    untouched(shop);
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("is made again while its git, which did not die with it, still writes", async () => {
    const { path, ...shop } = site();
    const [stop, stopped] = [join(shop.home, ".git/stop"), join(shop.home, ".git/stopped")];
    const write = `while test ! -e ${stop} -a $((i+=1)) -lt 200000; do true > a-$i; done; : > ${stopped}; exit`;
    killed(shop, shim(shop, "read-tree -m -u", `exec 2> /dev/null; kill -9 $PPID; i=0; ${write}`));
    try {
      expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    } finally {
      writeFileSync(stop, "");
      await expect.poll(() => existsSync(stopped), { timeout: 10_000 }).toBe(true);
    }
    expect(shop.gitIn(shop.home, "status", "--porcelain")).toBe("?? mine");
    shop.commit(path, { more: "more" });
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });

  it("is finished also when git died with it and left its locks of the branch", () => {
    const shop = site();
    const children = "`/proc/${process.pid}/task/${process.pid}/children`";
    killed(
      shop,
      preload(
        shop,
        `if (String(to).endsWith("/z-last"))
           for (const pid of [...fs.readFileSync(${children}, "utf8").trim().split(" "), process.pid])
             process.kill(Number(pid), "SIGKILL");`,
      ),
    );
    expect(existsSync(join(shop.home, ".git/refs/heads/main.lock"))).toBe(true);
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    merged(shop);
  });

  it("is finished also when git died before its locks could be signed, and leaves another program's lock", () => {
    const shop = site();
    const from = head(shop);
    killed(shop, dieAfterFiles(shop));
    const git = join(shop.home, ".git");
    for (const name of readdirSync(join(git, "pawl-forward")))
      if (name.startsWith("ref-lock")) rmSync(join(git, "pawl-forward", name));
    writeFileSync(join(git, "ORIG_HEAD.lock"), `${"1".repeat(40)}\n`);
    refused(shop.worktrees("merge", PLAN), "E180", 4);
    expect(existsSync(join(git, "ORIG_HEAD.lock"))).toBe(true);
    writeFileSync(join(git, "ORIG_HEAD.lock"), `${from}\n`);
    writeFileSync(join(git, "HEAD.lock"), "");
    expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
    for (const name of ["ORIG_HEAD.lock.left", "HEAD.lock.left"]) rmSync(join(git, name));
    merged(shop);
  });

  it("names what a person changed since, when it is taken back", () => {
    const shop = site();
    killed(shop, dieAfterFiles(shop));
    rmSync(join(shop.home, ".git/index.lock"));
    shop.put(shop.home, { "a-changed": "edited meanwhile\n" });
    shop.gitIn(shop.home, "commit", "-q", "--allow-empty", "-m", "mine first");
    const issue = refused(shop.worktrees("merge", PLAN), "E181", 4);
    expect(issue.details?.["files"]).toEqual(["a-changed"]);
    expect(read(shop.home, "a-changed")).toBe("edited meanwhile\n");
    shop.gitIn(shop.home, "restore", "a-changed");
    untouched(shop);
    ok(shop.worktrees("merge", PLAN));
    merged(shop);
  });
});

/** Kills Pawl in the middle of changing files: after so many of them, or after the last. */
function dieAfterFiles(shop: WorktreeShop, after = "99"): Record<string, string> {
  return preload(
    shop,
    `if (String(to).endsWith("/.git/index") || (String(from).includes("pawl-forward/trees") && left-- === 0))
       process.kill(process.pid, "SIGKILL");`,
    `let left = ${after};`,
  );
}

/** Does something of ours before each rename that Pawl makes. */
function preload(shop: WorktreeShop, beforeRename: string, first = ""): Record<string, string> {
  shop.put(join(shop.home, ".git/bin"), {
    "preload.cjs": `
      const fs = require("node:fs");
      const rename = fs.renameSync;
      ${first}
      fs.renameSync = (from, to) => {
        ${beforeRename}
        rename(from, to);
      };
      require("node:module").syncBuiltinESMExports();`,
  });
  return { NODE_OPTIONS: `--require=${join(shop.home, ".git/bin/preload.cjs")}` };
}

describe("a base that is looked after otherwise", () => {
  it("refuses one that is checked out twice", () => {
    const shop = site();
    const second = join(shop.home, "..", "second");
    shop.gitIn(shop.home, "worktree", "add", "-q", "--force", second, "main");
    const before = head(shop);
    const issue = refused(shop.worktrees("merge", PLAN), "E111", 4);
    expect(issue.message).toContain("checked out twice");
    expect(head(shop)).toBe(before);
    untouched(shop);
  });

  it.each(["--squash", "--no-commit --no-ff", "--strategy=ours"])(
    "merges in its own way whatever mergeOptions say: %s",
    (options) => {
      const shop = site();
      shop.gitIn(shop.home, "config", "branch.main.mergeOptions", options);
      expect(ok(shop.worktrees("merge", PLAN))).toMatchObject({ merged: true });
      merged(shop);
    },
  );

  it("writes no more of a sparse checkout than is wanted there", () => {
    const shop = site();
    shop.gitIn(shop.home, "sparse-checkout", "set", "--no-cone", "/*", "!/e-new/");
    ok(shop.worktrees("merge", PLAN));
    expect(existsSync(join(shop.home, "e-new"))).toBe(false);
    expect(shop.gitIn(shop.home, "status", "--porcelain")).toBe("?? mine");
    shop.gitIn(shop.home, "sparse-checkout", "disable");
    merged(shop);
  });

  it.each(["a-changed", "b-removed", "c-folder/file", "d-file"])(
    "does not touch a file that is marked for git to skip: %s",
    (file) => {
      const shop = site();
      shop.gitIn(shop.home, "update-index", "--skip-worktree", file);
      shop.put(shop.home, { [file]: "my own\n" });
      const before = head(shop);
      refused(shop.worktrees("merge", PLAN), "E111", 4);
      expect(read(shop.home, file)).toBe("my own\n");
      expect(head(shop)).toBe(before);
      shop.put(shop.home, { [file]: "before\n" });
      ok(shop.worktrees("merge", PLAN));
      merged(shop);
      expect(read(shop.home, "a-changed")).toBe("after\n");
    },
  );

  it("runs the user's post-merge hook, and remembers where the checkout was", () => {
    const shop = site();
    const before = head(shop);
    shop.put(shop.home, { ".git/hooks/post-merge": `#!/bin/sh\necho "$1" > .git/hook-said\n` });
    chmodSync(join(shop.home, ".git/hooks/post-merge"), 0o755);
    ok(shop.worktrees("merge", PLAN));
    expect(read(shop.home, ".git/hook-said")).toBe("0\n");
    expect(shop.gitIn(shop.home, "rev-parse", "ORIG_HEAD")).toBe(before);
    merged(shop);
  });

  it("tells of other branches of the plan that have more", () => {
    const shop = site();
    const other = ok(shop.worktrees("create", PLAN, "--name", "plan-w2"))["worktree_path"] as string;
    shop.commit(other, { more: "more" });
    expect(ok(shop.worktrees("merge", PLAN))["warnings"]).toEqual([
      "pawl/plan-w2 has 1 commit that pawl/plan does not have",
    ]);
  });
});
