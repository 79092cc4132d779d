import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { afterLastLook, gitThat } from "../support/git-that.ts";
import { type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { paste, read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** Worktrees as a git leaves them that was killed while it made or removed them. */

const LOCK = "pawl: in use for a plan";

/** Git died in `git worktree add`: its entry and some files are there, the index is not. */
function halfMade(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, { "kept.txt": "kept", "other.txt": "other", [PLAN]: read(shop.home, PLAN) });
  const path = shop.create()["worktree_path"] as string;
  shop.repository.git("worktree", "remove", "-f", "-f", path);
  shop.repository.git("worktree", "add", "--no-checkout", "--lock", "--reason", LOCK, path, "pawl/plan");
  return { ...shop, path };
}

const clean = (shop: WorktreeShop, path: string): void =>
  expect(shop.gitIn(path, "status", "--porcelain")).toBe("");

describe("a worktree that git died in while it made it", () => {
  it("is made anew from its branch by the next create", () => {
    const shop = halfMade();
    const made = shop.create();
    expect(made).toMatchObject({ worktree_path: shop.path, reused: false });
    expect(made["warnings"]).toContainEqual(expect.stringContaining("lacked committed files"));
    clean(shop, shop.path);
    expect(read(shop.path, "kept.txt")).toBe("kept");
    expect(shop.create()).toMatchObject({ reused: true, warnings: [] });
    expect(shop.view("pawl/plan")).toMatchObject({ locked: true });
  });

  it("loses nothing that lies in it", () => {
    const shop = halfMade();
    shop.put(shop.path, { "kept.txt": "half", "mine.txt": "by hand" });
    const warnings = shop.create()["warnings"] as string[];
    clean(shop, shop.path);
    const command = /with: (pawl snapshot restore .*)$/.exec(warnings[1]!)![1]!;
    paste(shop.home, command);
    expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
    expect(read(`${shop.path}-restored`, "kept.txt")).toBe("half");
  });

  it("is left alone where a person made it by hand", () => {
    const shop = halfMade();
    shop.repository.git("worktree", "remove", "-f", "-f", shop.path);
    const own = join(shop.home, "..", "by-hand");
    shop.repository.git("worktree", "add", "-q", own, "pawl/plan");
    rmSync(join(own, "kept.txt"));
    shop.put(own, { "mine.txt": "by hand" });
    const made: Data = shop.create();
    expect(made["reused"]).toBe(true);
    expect(read(own, "mine.txt")).toBe("by hand");
    expect(existsSync(join(own, "kept.txt"))).toBe(false);
    shop.repository.git("worktree", "remove", "-f", "-f", own);
  });

  it("is not taken for one whose hook failed", () => {
    const shop = worktreeShop();
    shop.commit(shop.home, { "kept.txt": "kept", [PLAN]: read(shop.home, PLAN) });
    // The filter kills git in the middle of the checkout, as a kill from outside would.
    shop.commit(shop.home, { ".gitattributes": "deadly.txt filter=deadly\n", "deadly.txt": "x" });
    shop.put(shop.home, { ".git/die": "#!/bin/sh\nkill -9 $(ps -o ppid= -p $PPID) $PPID\n" });
    chmodSync(join(shop.home, ".git/die"), 0o755);
    shop.repository.git("config", "filter.deadly.smudge", join(shop.home, ".git/die"));
    refused(shop.worktrees("create", PLAN), "E402", 3);
    expect(shop.view("pawl/plan")).toMatchObject({ worktree_path: expect.any(String) });
    shop.repository.git("config", "--unset", "filter.deadly.smudge");
    const path = shop.create()["worktree_path"] as string;
    clean(shop, path);
    expect(read(path, "deadly.txt")).toBe("x");
  });
});

/** Git died in `git worktree remove`: the mark was taken first, and files went in any order. */
function halfRemoved(...gone: readonly string[]): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, { "kept.txt": "kept", "other.txt": "other", [PLAN]: read(shop.home, PLAN) });
  const path = shop.create()["worktree_path"] as string;
  shop.put(path, { "mine.txt": "by hand" });
  for (const name of gone) rmSync(join(path, name));
  return { ...shop, path };
}

const rescued = (shop: { readonly path: string }): string => `${shop.path}.rescued-1`;

describe("a worktree that git died in while it removed it", () => {
  it("is made again by create when it lacks files and its mark", () => {
    const shop = halfRemoved();
    shop.commit(shop.path, { "mine.txt": "committed" });
    const env = afterLastLook(shop.home, "plan", `rm "${shop.path}/kept.txt"; kill -9 $PPID`);
    expect(pawl({ cwd: shop.home, env }, "worktree", "remove", "pawl/plan")).toMatchObject({
      signal: "SIGKILL",
    });
    rmSync(join(shop.home, ".git/worktrees/plan/pawl-ready"));
    const made = shop.create();
    expect(made["warnings"]).toContainEqual(expect.stringContaining("lacked committed files"));
    clean(shop, shop.path);
    expect(read(shop.path, "kept.txt")).toBe("kept");
  });

  it("is made anew by create when git died before it could forget it", () => {
    const shop = halfRemoved();
    shop.commit(shop.path, { "mine.txt": "committed" });
    const env = gitThat(shop.home, "worktree remove", "exit 137");
    expect(shop.jsonWith({ env }, "worktree", "remove", "pawl/plan").status).toBe("error");
    // From the moment on that files are taken away it counts as unfinished.
    expect([shop.path, join(shop.home, ".git/worktrees/plan/pawl-ready")].filter(existsSync)).toEqual([]);
    expect(shop.create()).toMatchObject({ worktree_path: shop.path, reused: false });
    clean(shop, shop.path);
    expect(read(shop.path, "kept.txt")).toBe("kept");
  });

  it("without .git is made anew by create, its files moved aside", () => {
    const shop = halfRemoved(".git", "kept.txt");
    const made = shop.create();
    expect(made).toMatchObject({ worktree_path: shop.path, reused: false });
    expect(made["warnings"]).toContainEqual(expect.stringContaining(rescued(shop)));
    clean(shop, shop.path);
    expect(read(rescued(shop), "mine.txt")).toBe("by hand");
    expect(existsSync(join(shop.path, "mine.txt"))).toBe(false);
  });

  it("without .git is removed by remove, its files moved aside, also twice", () => {
    const shop = halfRemoved(".git");
    const answer = ok(shop.worktrees("remove", "pawl/plan"));
    expect(answer).toMatchObject({ removed: true, saved: [{ kind: "folder", ref: rescued(shop) }] });
    expect(existsSync(shop.path)).toBe(false);
    paste(shop.home, answer["saved"][0].bring_back as string);
    expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
    shop.create();
    shop.put(shop.path, { "mine.txt": "again" });
    rmSync(join(shop.path, ".git"));
    shop.put(rescued(shop), { "mine.txt": "first" });
    expect(shop.text("worktree", "remove", "pawl/plan").stdout).toContain(`${shop.path}.rescued-2`);
    expect(read(rescued(shop), "mine.txt")).toBe("first");
    expect(read(`${shop.path}.rescued-2`, "mine.txt")).toBe("again");
  });

  it("without .git is reported by doctor, and repaired by --fix", () => {
    const shop = halfRemoved(".git");
    const problems = (...args: readonly string[]): Data => {
      const checks = ok(shop.json("doctor", ...args))["checks"] as Data[];
      return checks.find(({ name }) => name === "worktrees")!["details"];
    };
    expect(problems()["problems"]).toContainEqual(expect.stringContaining("its .git is gone"));
    expect(read(shop.path, "mine.txt")).toBe("by hand");
    const fixed = ok(shop.json("doctor", "--fix"))["fixed"] as string[];
    expect(fixed).toContainEqual(expect.stringContaining(rescued(shop)));
    expect(read(rescued(shop), "mine.txt")).toBe("by hand");
    expect(problems()).toMatchObject({ missing: [], strays: [{ path: rescued(shop), kind: "rescued" }] });
    expect(shop.create()).toMatchObject({ reused: false, warnings: [] });
  });
});

describe("a worktree in which something happens while it is taken down", () => {
  it("stays when a process writes after everything was saved", () => {
    const shop = halfRemoved();
    const env = gitThat(shop.home, "worktree unlock", `echo late > "${shop.path}/late.txt"`);
    refused(shop.jsonWith({ env }, "worktree", "remove", "pawl/plan"), "E107", 4);
    expect(read(shop.path, "late.txt")).toBe("late\n");
    expect(shop.view("pawl/plan")).toMatchObject({ locked: true, lock_reason: LOCK });
    expect(shop.create()).toMatchObject({ reused: true, warnings: [] });
    expect(ok(shop.worktrees("remove", "pawl/plan"))).toMatchObject({ removed: true });
  });

  it.each([
    ["remove", "pawl/plan"],
    ["clean", "--merged"],
  ])("tells who claimed a step there after the last look, and has everything saved (%s)", (...args) => {
    const shop = halfRemoved();
    shop.commit(shop.path, { "done.txt": "done" });
    shop.repository.git("merge", "-q", "pawl/plan");
    shop.put(shop.path, { "mine.txt": "once more" });
    const claim = `"${process.execPath}" "${PAWL}" state claim ${PLAN} --worktree "${shop.path}" >&2`;
    const env = afterLastLook(shop.home, "plan", claim);
    const answer = ok(shop.jsonWith({ env }, "worktree", ...args));
    const taken = args[0] === "clean" ? (answer["removed"] as Data[])[0]! : answer;
    expect(taken).toMatchObject({
      worktree_path: shop.path,
      claimed_meanwhile: [{ plan_path: PLAN, anchor: "step-0" }],
    });
    expect(existsSync(shop.path)).toBe(false);
    const [saved] = taken["saved"] as Data[];
    expect(shop.repository.git("show", `${saved!["ref"] as string}:mine.txt`)).toBe("once more");
    // The holder of the claim learns at the next call that there is no such place, and others get the other steps.
    refused(shop.work("start", shop.path, "step-0"), "E064", 2);
    expect(shop.step("step-0")).toMatchObject({ status: "claimed", claimed_by: shop.path });
    const journal = ok(shop.json("state", "events"))["events"] as Data[];
    expect(journal.find(({ event }) => event === "worktree-removed")).toMatchObject({
      detail: { claimed_meanwhile: [{ anchor: "step-0" }] },
    });
    expect(shop.create()).toMatchObject({ reused: false, worktree_path: shop.path });
  });

  it("stays when a worker claims a step there", () => {
    const shop = halfRemoved();
    const claim = `"${process.execPath}" "${PAWL}" state claim ${PLAN} --worktree "${shop.path}" >&2`;
    const env = gitThat(shop.home, "worktree unlock", claim);
    refused(shop.jsonWith({ env }, "worktree", "remove", "pawl/plan"), "E104", 4);
    expect(read(shop.path, "mine.txt")).toBe("by hand");
    expect(shop.view("pawl/plan")).toMatchObject({ locked: true, state: "held" });
  });
});
