import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeScratch } from "../../src/platform/scratch-folder.ts";
import { AGENT, GOOD, runShop, type RunShop } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

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

  it("removes what a killed run left once a later run took its place, and the session once the plan is merged", async () => {
    const shop = runShop(ONE);
    shop.script({ steps: { "step-1": [[{ write: "begun" }, { hang: true }]] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await until(() => existsSync(join(shop.worktree(), "begun")));
    child.kill("SIGKILL");
    await ended;
    shop.script({ steps: { "step-1": [GOOD] } });
    const [killed] = shop.query("select id from sessions").map(({ id }) => String(id));
    // Until then it is the session to resume.
    expect(removedBy(shop, ...NOW)).toEqual([]);
    expect((await shop.run()).code).toBe(0);
    expect(shop.query("select status from sessions").map(({ status }) => status)).toContain("interrupted");
    const logs = removedBy(shop, ...NOW);
    expect(kinds(logs)).toEqual(["log"]);
    expect(logs.map(({ name }) => name)).toContain(killed);
    expect(readdirSync(join(shop.repo.path, ".git/pawl/logs"))).toEqual([]);

    shop.pawl("worktree", "merge", "plan.md");
    const sessions = removedBy(shop, ...NOW).filter(({ kind }) => kind === "session");
    expect(sessions.map(({ name }) => name)).toContain(killed);
    expect(shop.query("select id from sessions")).toEqual([]);
  });

  it("removes the clean worktrees of a merged plan with their branches, and everything still answers", async () => {
    const shop = runShop([...ONE, { number: "2", tasks: ["build"], dependsOn: ["step-1"] }]);
    expect((await shop.run()).code).toBe(0);
    shop.pawl("worktree", "merge", "plan.md");
    const removed = removedBy(shop, ...NOW);
    expect(removed.find(({ kind }) => kind === "worktree")).toMatchObject({ name: shop.worktree() });
    expect(refs(shop, "refs/heads/pawl")).toEqual([]);
    expect(existsSync(shop.worktree())).toBe(false);
    for (const call of [[], ["status"], ["worktree", "clean", "--merged"]])
      expect(shop.pawl(...call)).toMatchObject({ code: 0 });
  });

  it("keeps a worktree with uncommitted work, and the plan's branch for as long as a worker's is there", async () => {
    const shop = await finishedShop();
    shop.pawl("worktree", "merge", "plan.md");
    expect(kinds(removedBy(shop, ...NOW))).toEqual(["log", "ref", "session"]);
    expect(refs(shop, "refs/heads/pawl")).toEqual(["refs/heads/pawl/plan", "refs/heads/pawl/plan-w1"]);
    expect(existsSync(join(shop.worktree(), "uncommitted.txt"))).toBe(true);
  });

  it("leaves a repository whose plan's branch is gone in working order", async () => {
    const shop = await finishedShop();
    shop.pawl("worktree", "merge", "plan.md");
    shop.repo.git("branch", "-q", "-D", "pawl/plan");
    for (const call of [[], ["status"], ["worktree", "list"]])
      expect(shop.pawl(...call)).toMatchObject({ code: 0 });
    const { removed } = shop.json("worktree", "clean", "--merged").data;
    expect(removed).toMatchObject([{ worktree_path: shop.worktree() }]);
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

describe("gc after damage", () => {
  it("skips a plan whose branch is damaged, and says so", async () => {
    const shop = runShop(ONE);
    expect((await shop.run()).code).toBe(0);
    const id = shop.repo.git("rev-parse", "pawl/plan");
    rmSync(join(shop.repo.path, ".git/objects", id.slice(0, 2), id.slice(2)));
    for (const options of [["--dry-run"], []]) {
      const { code, data } = shop.json("gc", ...NOW, ...options);
      expect({ code, kept: data.kept }).toMatchObject({
        kept: [{ name: "plan.md", reason: expect.stringContaining("pawl recover") }],
      });
    }
  });

  it("frees what was set aside once nothing leads to it, and doctor lists it until then", async () => {
    const shop = runShop(ONE);
    const git = join(shop.repo.path, ".git");
    shop.pawl("state", "init", "plan.md");
    const needed = shop.repo.git("rev-parse", "main:plan.md");
    const aside = join(git, "pawl-damaged/objects", needed.slice(0, 2));
    mkdirSync(aside, { recursive: true });
    renameSync(join(git, "objects", needed.slice(0, 2), needed.slice(2)), join(aside, needed.slice(2)));
    writeFileSync(join(git, "index.lock.left"), "");
    const freed = () =>
      removedBy(shop, ...NOW)
        .map(({ name }) => basename(name))
        .filter((name) => /^pawl-damaged|left$/.test(name));
    expect(freed()).toEqual([]);
    shop.repo.git("hash-object", "-w", "plan.md");
    const { checks } = shop.json("doctor").data as {
      checks: { name: string; details: { aside?: string[] } }[];
    };
    expect(checks.find(({ name }) => name === "leftovers")!.details.aside).toEqual([
      join(git, "pawl-damaged"),
      join(git, "index.lock.left"),
    ]);
    expect(freed()).toEqual(["pawl-damaged", "index.lock.left"]);
  });
});
