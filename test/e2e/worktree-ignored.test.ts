import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Data, ok, PLAN } from "../support/workshop.ts";
import { paste, read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A merged worktree that is clean but for three files that git ignores. */
function withIgnored(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, { ".gitignore": "build/\n.env\n", [PLAN]: read(shop.home, PLAN) });
  const path = shop.create()["worktree_path"] as string;
  shop.commit(path, { "done.txt": "done" });
  ok(shop.worktrees("merge", PLAN));
  shop.put(path, { "build/one": "1", "build/two": "2", ".env": "SECRET=1" });
  return { ...shop, path };
}

it("worktree remove says how many ignored files went", () => {
  const shop = withIgnored();
  expect(ok(shop.worktrees("remove", "pawl/plan"))).toMatchObject({ ignored_files: 3, saved: [] });
  shop.create();
  shop.put(shop.path, { ".env": "again" });
  expect(shop.text("worktree", "remove", "pawl/plan").stdout).toContain("not kept: 1 file that git ignores");
  expect(ok(shop.worktrees("remove", "pawl/plan"))).toMatchObject({ removed: false, ignored_files: 0 });
});

it("worktree clean says it before and after", () => {
  const shop = withIgnored();
  const dry = ok(shop.worktrees("clean", "--merged", "--dry-run"));
  expect(dry["removed"]).toMatchObject([{ ignored_files: 3 }]);
  expect(shop.text("worktree", "clean", "--merged", "--dry-run").stdout).toContain(
    "would not keep 3 files that git ignores",
  );
  expect(existsSync(join(shop.path, ".env"))).toBe(true);
  expect(ok(shop.worktrees("clean", "--merged"))["removed"]).toMatchObject([{ ignored_files: 3 }]);
});

it("with snapshot_ignored they are kept, and none is lost", () => {
  const shop = withIgnored();
  shop.put(shop.home, { "pawl.toml": "snapshot_ignored = true\n" });
  const dry = ok(shop.worktrees("clean", "--merged", "--dry-run"));
  expect(dry["removed"]).toMatchObject([{ ignored_files: 0 }]);
  const answer: Data = ok(shop.worktrees("remove", "pawl/plan"));
  expect(answer).toMatchObject({ ignored_files: 0, saved: [{ kind: "snapshot" }] });
  paste(shop.home, answer["saved"][0].bring_back as string);
  expect(read(`${shop.path}-restored`, ".env")).toBe("SECRET=1");
  expect(read(`${shop.path}-restored`, "build/two")).toBe("2");
});
