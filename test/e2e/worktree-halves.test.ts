import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Data, PLAN, refused } from "../support/workshop.ts";
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
    const command = /back with: (pawl snapshot restore .*)$/.exec(warnings[1]!)![1]!;
    paste(shop.home, command);
    expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
    expect(read(`${shop.path}-restored`, "kept.txt")).toBe("half");
  });

  it("is left alone where somebody made it by hand", () => {
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
    refused(shop.worktrees("create", PLAN), "E085", 3);
    expect(shop.view("pawl/plan")).toMatchObject({ worktree_path: expect.any(String) });
    shop.repository.git("config", "--unset", "filter.deadly.smudge");
    const path = shop.create()["worktree_path"] as string;
    clean(shop, path);
    expect(read(path, "deadly.txt")).toBe("x");
  });
});
