import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeScratch } from "../../src/platform/scratch-folder.ts";
import { GOOD, runShop, type RunShop } from "../support/run-shop.ts";

const ONE = [{ number: "1", tasks: ["dig"] }];

/** Older than nothing: everything that may go at all goes. */
const NOW = ["--older-than", "0m"] as const;

interface Removed {
  readonly kind: string;
  readonly name: string;
  readonly way_back: string | null;
}

const removedBy = (shop: RunShop, ...options: readonly string[]): readonly Removed[] =>
  shop.json("gc", ...options).data.removed;

const kinds = (removed: readonly Removed[]): readonly string[] => [
  ...new Set(removed.map(({ kind }) => kind).toSorted()),
];

const refs = (shop: RunShop, prefix: string): readonly string[] =>
  shop.repo
    .git("for-each-ref", "--format=%(refname)", prefix)
    .split("\n")
    .filter((line) => line !== "");

/** A run that rejected its first attempt, so that logs, checkpoints and a snapshot are there. */
async function finishedShop(): Promise<RunShop> {
  const shop = runShop(ONE);
  shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { exit: 3 }], GOOD] } });
  expect((await shop.run()).code).toBe(0);
  writeFileSync(join(shop.worktree(), "uncommitted.txt"), "work\n");
  shop.pawl("snapshot", "take", "--worktree", shop.worktree());
  return shop;
}

describe("gc", () => {
  it("keeps everything of a plan that is not merged, except logs of ended sessions", async () => {
    const shop = await finishedShop();
    const before = refs(shop, "refs/pawl");
    expect(before.length).toBeGreaterThan(0);
    expect(kinds(removedBy(shop, ...NOW))).toEqual(["log"]);
    expect(refs(shop, "refs/pawl")).toEqual(before);
    expect(readdirSync(join(shop.repo.path, ".git/pawl/logs"))).toEqual([]);
  });

  it("removes logs, refs, branches and sessions of a plan that is merged, and says how to bring refs back", async () => {
    const shop = await finishedShop();
    shop.pawl("worktree", "merge", "plan.md");
    shop.pawl("worktree", "remove", shop.worktree());
    const dry = removedBy(shop, ...NOW, "--dry-run");
    expect(kinds(dry)).toEqual(["branch", "log", "ref", "session"]);
    const [kept] = refs(shop, "refs/pawl/snapshots");
    const commit = shop.repo.git("rev-parse", kept!);

    const removed = removedBy(shop, ...NOW);
    expect(removed.map(({ name }) => name)).toEqual(dry.map(({ name }) => name));
    expect(refs(shop, "refs/pawl")).toEqual([]);
    expect(refs(shop, "refs/heads/pawl")).toEqual([]);
    expect(shop.query("select id from sessions")).toEqual([]);
    expect(shop.steps()).toEqual(["step-1 completed"]);

    const way = removed.find(({ name }) => name === kept)?.way_back;
    shop.repo.git(...way!.split(" ").slice(1));
    expect(shop.repo.git("rev-parse", kept!)).toBe(commit);
    expect(shop.repo.git("fsck", "--no-dangling")).toBe("");
    expect(removedBy(shop, ...NOW, "--dry-run").map(({ name }) => name)).toEqual([kept]);
  });

  it("removes nothing that is younger than it was asked for", async () => {
    const shop = await finishedShop();
    shop.pawl("worktree", "merge", "plan.md");
    expect(removedBy(shop)).toEqual([]);
    expect(refs(shop, "refs/pawl").length).toBeGreaterThan(0);
  });

  it("removes the working folder of a command that was killed, and leaves one alone that names no process", async () => {
    const shop = runShop(ONE);
    const gitDir = join(shop.repo.path, ".git");
    const unnamed = join(gitDir, "pawl-index-here");
    expect(removedBy(shop, "--dry-run")).toEqual([]);
    // A process number that this boot never gave: the maximum of Linux is 2^22.
    const own = makeScratch(gitDir, "pawl-index-");
    renameSync(own, own.replace(`.${process.pid}.`, ".4194399."));
    mkdirSync(unnamed);
    expect(removedBy(shop).map(({ kind }) => kind)).toEqual(["folder"]);
    expect(readdirSync(gitDir).filter((name) => name.startsWith("pawl-index-"))).toEqual(["pawl-index-here"]);
  });

  it("is counted by doctor", async () => {
    const shop = await finishedShop();
    const leftovers = () =>
      shop.json("doctor").data.checks.find(({ name }: { readonly name: string }) => name === "leftovers") as {
        readonly status: string;
        readonly details: { readonly count: number };
      };
    expect(leftovers()).toMatchObject({ status: "pass", details: { count: 0 } });
  });
});
