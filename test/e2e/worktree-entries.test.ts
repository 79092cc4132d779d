import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { ok, PLAN, refused } from "../support/workshop.ts";
import { worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** Entries as a git leaves them that was killed in `git worktree add` before it said what is checked out there. */

const LOCK = "pawl: in use for a plan";

interface Half {
  readonly shop: WorktreeShop;
  readonly path: string;
  readonly entry: string;
}

/** What git writes, in its order: each file is first empty and then whole. */
const WRITES: readonly ((half: Half) => readonly [string, string])[] = [
  ({ entry, path }) => [join(entry, "gitdir"), `${path}/.git\n`],
  ({ entry, path }) => [join(path, ".git"), `gitdir: ${entry}\n`],
  ({ shop, entry }) => [join(entry, "HEAD"), `${shop.repository.git("rev-parse", "HEAD")}\n`],
  ({ entry }) => [join(entry, "commondir"), "../..\n"],
];

/** The state after so many of these writes, the last of them cut off if `isEmpty`. */
function killedAfter(count: number, isEmpty: boolean, lock = LOCK): Half {
  const shop = worktreeShop();
  const path = shop.create()["worktree_path"] as string;
  shop.repository.git("worktree", "remove", "-f", "-f", path);
  const half = { shop, path, entry: join(shop.home, ".git/worktrees", basename(path)) };
  mkdirSync(half.entry, { recursive: true });
  mkdirSync(path);
  const files = [
    [join(half.entry, "locked"), `${lock}\n`] as const,
    ...WRITES.slice(0, count).map((one) => one(half)),
  ];
  for (const [index, [file, text]] of files.entries())
    writeFileSync(file, isEmpty && index === files.length - 1 ? "" : text);
  const longAgo = new Date(statSync(half.entry).mtimeMs - 60_000);
  for (const file of [half.entry, ...readdirSync(half.entry).map((name) => join(half.entry, name))])
    utimesSync(file, longAgo, longAgo);
  return half;
}

it.each(WRITES.flatMap((_, index) => [true, false].map((isEmpty) => [index + 1, isEmpty] as const)))(
  "makes the worktree after a git that died in write %i, empty: %s",
  (count, isEmpty) => {
    const { shop, path } = killedAfter(count, isEmpty);
    expect(shop.create()).toMatchObject({ worktree_path: path, reused: false });
    expect(shop.gitIn(path, "status", "--porcelain", "--branch")).toBe("## pawl/plan");
    expect(shop.create()).toMatchObject({ reused: true, warnings: [] });
    expect(shop.repository.git("fsck", "--no-dangling")).toBe("");
  },
);

it("continues with every other command although git could list nothing", () => {
  const { shop, entry } = killedAfter(WRITES.length, true);
  expect(() => shop.repository.git("worktree", "list")).toThrow(/commondir/);
  expect(ok(shop.worktrees("list"))["worktrees"]).toHaveLength(1);
  expect(existsSync(entry)).toBe(false);
  expect(readdirSync(join(shop.home, ".git/pawl-half-made"))).toEqual([`${basename(entry)}-1`]);
});

it("moves files that lie in its place beside it, and says where they are", () => {
  const { shop, path } = killedAfter(WRITES.length, true);
  writeFileSync(join(path, "mine.txt"), "by hand");
  const { warnings } = shop.create() as { warnings: string[] };
  expect(warnings).toContainEqual(expect.stringContaining(`${path}.rescued-1`));
  expect(readdirSync(`${path}.rescued-1`)).toEqual(["mine.txt"]);
});

it("leaves another process's half-made entry, and says which it is", () => {
  const { shop, entry } = killedAfter(WRITES.length, true, "mine, hands off");
  const issue = refused(shop.worktrees("create", PLAN), "E300", 3);
  expect(issue).toMatchObject({ hint: expect.stringContaining(`mv -n ${entry} `) });
  expect(existsSync(entry)).toBe(true);
});
