import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import type { Branches } from "../../ports/branches.ts";
import { gitCli } from "../git-cli.ts";
import { branchesByGit } from "./branches-by-git.ts";

let repo: TestRepository;
let branches: Branches;
let first: string;
let second: string;

beforeEach(() => {
  repo = testRepository();
  branches = branchesByGit({
    gitDir: join(repo.path, ".git"),
    env: cleanEnv(),
    files: undefined as never,
    locks: undefined as never,
    scratchFolder: join(repo.path, ".git/scratch"),
  });
  first = repo.git("rev-parse", "HEAD");
  second = commitOn(first, "second");
  repo.git("branch", "pawl/plan", first);
});

afterEach(() => repo.remove());

const commitOn = (parent: string, message: string): string =>
  repo.git("commit-tree", "HEAD^{tree}", "-p", parent, "-m", message);

const tip = (ref = "refs/heads/pawl/plan") => repo.git("rev-parse", ref);

it("moves a branch from where it was seen", async () => {
  expect(await branches.advance("pawl/plan", first, second)).toBe(true);
  expect(tip()).toBe(second);
});

it("leaves a branch alone that was moved meanwhile", async () => {
  const theirs = commitOn(first, "theirs");
  repo.git("update-ref", "refs/heads/pawl/plan", theirs);
  expect(await branches.advance("pawl/plan", first, second)).toBe(false);
  expect(tip()).toBe(theirs);
});

it("removes no branch that moved since it was seen", async () => {
  repo.git("update-ref", "refs/heads/pawl/plan", second);
  await expect(branches.remove("pawl/plan", first)).rejects.toMatchObject({ problem: "git/failed" });
  expect(tip()).toBe(second);
});

it("removes a branch with what was noted about it", async () => {
  await branches.mark("pawl/plan", { plan: "plan.md", base: "main", start: first });
  expect((await branches.planBranch("pawl/plan"))?.mark?.plan).toBe("plan.md");
  await branches.remove("pawl/plan", first);
  expect(await branches.exists("pawl/plan")).toBe(false);
  expect(branches.marks().size).toBe(0);
});

it("keeps a commit once, however often it is asked to", async () => {
  const ref = await branches.rescue("plan", second);
  expect(await branches.rescue("another", second)).toBe(ref);
  expect(tip(ref)).toBe(second);
});

it("keeps two commits under two names, and never moves the first", async () => {
  const git = gitCli({ gitDir: join(repo.path, ".git"), env: cleanEnv() });
  expect(await git.holdCommit("refs/pawl/late/one", first)).toBe("refs/pawl/late/one");
  expect(await git.holdCommit("refs/pawl/late/one", second)).toBe("refs/pawl/late/one-2");
  expect(await git.holdCommit("refs/pawl/late/one", second)).toBe("refs/pawl/late/one-2");
  expect([tip("refs/pawl/late/one"), tip("refs/pawl/late/one-2")]).toEqual([first, second]);
});

it("drops a kept commit only while the ref still holds it", async () => {
  const ref = await branches.rescue("plan", second);
  const [kept] = await branches.listKept();
  repo.git("update-ref", ref, first);
  expect(await branches.dropKept(kept!)).toBe(false);
  expect(tip(ref)).toBe(first);
  expect(await branches.dropKept({ ...kept!, commit: first })).toBe(true);
});

it("drops nothing that is not Pawl's to drop", async () => {
  const kept = {
    ref: "refs/heads/pawl/plan",
    commit: first,
    madeAtMs: 0,
    plan: undefined,
    branch: undefined,
  };
  expect(await branches.dropKept(kept)).toBe(false);
  expect(tip()).toBe(first);
});

it("counts another branch, a tag or a remote branch as holding a commit, and not the branch itself", async () => {
  expect(await branches.advance("pawl/plan", first, second)).toBe(true);
  expect(await branches.isHeldElsewhere(second, "pawl/plan")).toBe(false);
  repo.git("update-ref", "refs/remotes/origin/plan", second);
  expect(await branches.isHeldElsewhere(second, "pawl/plan")).toBe(true);
});
