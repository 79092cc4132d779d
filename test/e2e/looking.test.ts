import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ok, PLAN } from "../support/workshop.ts";
import { read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A repository from another person, whose settings name programs. Looking at it runs none of them. */
function trap(): WorktreeShop & { readonly path: string; readonly ran: () => boolean } {
  const shop = worktreeShop();
  shop.commit(shop.home, {
    [PLAN]: read(shop.home, PLAN),
    ".gitattributes": "caught filter=odd merge=odd\nother filter=slow\n",
    caught: "1\n2\n3\n",
    other: "x\n",
  });
  const path = shop.create()["worktree_path"] as string;
  shop.commit(path, { caught: "one\n2\n3\n", more: "more" });
  shop.commit(shop.home, { caught: "1\n2\nthree\n" });
  const mark = join(shop.home, ".git/ran");
  const touch = `touch ${mark}; cat`;
  for (const [key, value] of [
    ["filter.odd.clean", touch],
    ["filter.odd.smudge", touch],
    ["filter.slow.process", `touch ${mark}`],
    ["merge.odd.driver", `touch ${mark}; false`],
    ["core.fsmonitor", `touch ${mark}`],
    ["diff.external", `touch ${mark}`],
  ] as const)
    shop.gitIn(shop.home, "config", key, value);
  // Times that differ make git look into the files.
  for (const folder of [shop.home, path])
    for (const name of ["caught", "other"]) utimesSync(join(folder, name), 1, 1);
  return { ...shop, path, ran: () => existsSync(mark) };
}

describe("a repository whose settings name programs", () => {
  it.each([
    ["worktree", "list"],
    ["worktree", "clean", "--merged", "--dry-run"],
    ["worktree", "clean", "--older-than", "1h", "--dry-run"],
    ["doctor"],
    ["state", "reconcile", PLAN, "--dry-run"],
    ["snapshot", "list"],
  ])("runs none of them for pawl %s %s", (...args) => {
    const shop = trap();
    ok(shop.json(...args));
    expect(shop.ran()).toBe(false);
  });

  it("runs none of them either where each worktree has settings of its own", () => {
    const shop = trap();
    shop.gitIn(shop.home, "config", "extensions.worktreeConfig", "true");
    const touch = `touch ${join(shop.home, ".git/ran")}; cat`;
    shop.gitIn(shop.path, "config", "--worktree", "filter.late.clean", touch);
    writeFileSync(join(shop.path, ".gitattributes"), "caught filter=late\n");
    ok(shop.worktrees("list"));
    expect(shop.ran()).toBe(false);
  });
});
