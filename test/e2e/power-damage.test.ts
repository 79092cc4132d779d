import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitShop } from "../support/commit-shop.ts";
import { type RunShop, THREE } from "../support/run-shop.ts";
import { cutOff, empty } from "../support/stuck-shops.ts";
import { ok } from "../support/workshop.ts";

/** Git's files as a power cut leaves them, made by hand: names without content. */

const ONE = THREE.slice(0, 1);
const TWO = THREE.slice(0, 2);

const emptyObject = ({ repo }: RunShop, id: string): void =>
  empty(join(repo.path, ".git/objects", id.slice(0, 2), id.slice(2)));

const entry = (shop: RunShop, ...parts: readonly string[]): string =>
  join(shop.repo.path, ".git/worktrees/plan-w1", ...parts);

interface Check {
  readonly name: string;
  readonly status: string;
  readonly details: { readonly problems?: readonly string[] };
}

const objectsCheck = (shop: RunShop, ...options: readonly string[]): Check =>
  (shop.json("doctor", ...options).data.checks as Check[]).find(({ name }) => name === "git_objects")!;

const isSound = (shop: RunShop): void => {
  expect(objectsCheck(shop, "--full")).toMatchObject({ status: "pass" });
  expect(shop.repo.git("fsck", "--full", "--no-dangling")).toBe("");
};

/** The agent commits by itself, with git's own idea of what must be on the disk. */
function ownCommit(shop: RunShop): string {
  const tree = shop.worktree();
  shop.repo.git("-C", tree, "add", "-A");
  shop.repo.git("-C", tree, "commit", "-q", "-m", "own");
  return shop.repo.git("-C", tree, "rev-parse", "HEAD");
}

const TORN: readonly (readonly [string, (shop: RunShop) => readonly string[]])[] = [
  ["its .git", (shop) => [join(shop.worktree(), ".git")]],
  ["HEAD", (shop) => [entry(shop, "HEAD")]],
  ["gitdir", (shop) => [entry(shop, "gitdir")]],
  [
    "everything git wrote last",
    (shop) => [
      ...["HEAD", "gitdir", "commondir", "locked"].map((name) => entry(shop, name)),
      join(shop.worktree(), ".git"),
    ],
  ],
];

// proves G-power-cut-repaired
describe("a worktree whose files of git's are empty", () => {
  it.each(TORN)("is made again by resume, with its files kept aside (%s)", async (_, files) => {
    const shop = await cutOff((cut) => files(cut).forEach(empty));
    expect(objectsCheck(shop)).toMatchObject({ status: "fail" });
    const resumed = shop.pawl("resume");
    expect(resumed).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(existsSync(join(`${shop.worktree()}.rescued-1`, "work/half.txt"))).toBe(true);
    isSound(shop);
  });

  it("is made again by recover without a question", async () => {
    const shop = await cutOff((cut) => TORN[3]![1](cut).forEach(empty));
    const { repaired } = shop.json("recover", "--auto").data;
    expect(repaired).toContainEqual(expect.objectContaining({ rule: "damaged-worktree", done: true }));
    expect(existsSync(join(`${shop.worktree()}.rescued-1`, "work/half.txt"))).toBe(true);
    expect(shop.repo.git("-C", shop.worktree(), "status", "--porcelain")).toBe("");
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });
});

// proves G-power-cut-repaired
describe("a branch that leads to an empty commit", () => {
  it("moves back to its last whole commit, and resume completes the step", async () => {
    let lost = "";
    const shop = await cutOff((cut) => {
      lost = ownCommit(cut);
      emptyObject(cut, lost);
    });
    expect(objectsCheck(shop)).toMatchObject({ status: "fail" });
    const { code, stdout } = shop.pawl("resume");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`moved from ${lost.slice(0, 12)}`);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    // What the lost commit had was taken for the uncommitted work that it is.
    expect(shop.repo.git("show", "pawl/plan:work/half.txt")).not.toBe("");
    expect(readdirSync(join(shop.repo.path, ".git/pawl-damaged/objects", lost.slice(0, 2)))).toEqual([
      lost.slice(2),
    ]);
    const journal = shop.json("state", "events").data.events as {
      event: string;
      detail: { found?: string };
    }[];
    expect(journal).toContainEqual(
      expect.objectContaining({
        event: "repair-begun",
        detail: expect.objectContaining({ found: expect.stringContaining(lost.slice(0, 12)) }),
      }),
    );
    isSound(shop);
  });

  it("is found by recover and by run, too, and an empty ref like an empty commit", async () => {
    const shop = await cutOff((cut) => {
      ownCommit(cut);
      empty(join(cut.repo.path, ".git/refs/heads/pawl/plan-w1"));
    });
    const { repaired } = shop.json("recover", "--auto").data;
    expect(repaired).toContainEqual(expect.objectContaining({ rule: "damaged-branch", done: true }));
    const { code, stdout } = await shop.run();
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed"]);
    isSound(shop);
  });
});

// proves G-power-cut-repaired
describe("an object below a good commit that is empty", () => {
  const blob = (shop: RunShop): string => shop.repo.git("rev-parse", "pawl/plan:work/step-1.txt");

  it("is written again from a checkout that has its content", async () => {
    let before = "";
    const shop = await cutOff((cut) => {
      before = cut.repo.git("show", "pawl/plan:work/step-1.txt");
      emptyObject(cut, blob(cut));
    }, TWO);
    expect(objectsCheck(shop)).toMatchObject({ status: "fail" });
    const fixed = shop.json("doctor", "--fix").data.fixed as string[];
    expect(fixed).toContainEqual(expect.stringContaining("1 object written again from a checkout"));
    expect(shop.repo.git("show", "pawl/plan:work/step-1.txt")).toBe(before);
    isSound(shop);
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  });

  it("is written again where a whole folder of the tree is empty", async () => {
    const shop = await cutOff((cut) => emptyObject(cut, cut.repo.git("rev-parse", "pawl/plan:work")), TWO);
    expect(shop.pawl("recover", "--auto")).toMatchObject({ code: 5 });
    isSound(shop);
  });

  it("is reported as lost where no checkout has it, and the step is done again when a person says so", async () => {
    const shop = await cutOff((cut) => {
      emptyObject(cut, blob(cut));
      empty(join(cut.worktree(), "work/step-1.txt"));
    }, TWO);
    const first = shop.json("recover", "--auto").data;
    expect(first.repaired).toContainEqual(
      expect.objectContaining({ outcome: expect.stringContaining("not to be found elsewhere") }),
    );
    const open = (first.open as { rule: string; subject: string }[]).map(
      ({ rule, subject }) => `${rule}:${subject}`,
    );
    expect(open).toEqual(expect.arrayContaining(["damaged-branch:pawl/plan", "lost-commit:plan.md#step-1"]));
    expect(objectsCheck(shop)).toMatchObject({ status: "fail" });
    // A run on such a branch could only fail, or hide what is lost.
    expect(shop.json("resume").issues).toMatchObject([{ code: "E419" }]);
    // The worker's own branch had the same commit, and it is asked about as well.
    shop.json("recover", "--answer", "damaged-branch:*=M", "--answer", "lost-commit:step-1=R");
    expect(shop.steps()[0]).toBe("step-1 pending");
    expect(objectsCheck(shop)).toMatchObject({ status: "pass" });
  });

  it("is written again from the main checkout where it is of the base", async () => {
    const shop = await cutOff(() => {}, ONE);
    const main = shop.repo.git("rev-parse", "main:plan.md");
    emptyObject(shop, main);
    expect(objectsCheck(shop)).toMatchObject({ status: "fail" });
    const { repaired } = shop.json("recover", "--auto").data;
    expect(repaired).toContainEqual(
      expect.objectContaining({ rule: "damaged-objects", outcome: expect.stringContaining("written again") }),
    );
    isSound(shop);
  });
});

describe("an object of work that is not committed yet, and is empty", () => {
  it("does not keep pawl commit from committing", () => {
    const shop = commitShop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.write(mine, "ground.txt");
    const id = shop.git(mine, "hash-object", "-w", "ground.txt");
    const common = shop.git(mine, "rev-parse", "--path-format=absolute", "--git-common-dir");
    empty(join(common, "objects", id.slice(0, 2), id.slice(2)));

    const { commit_hash: hash } = ok(shop.commit(mine, "step-1"));

    expect(shop.git(mine, "show", `${hash}:ground.txt`)).toBe(
      readFileSync(join(mine, "ground.txt"), "utf8").trim(),
    );
    expect(shop.git(mine, "fsck", "--full", "--no-dangling")).toBe("");
  });
});
