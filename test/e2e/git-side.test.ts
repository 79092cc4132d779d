import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitShop, type CommitShop } from "../support/commit-shop.ts";
import { type Data, ok, PLAN } from "../support/workshop.ts";

/** Work that goes all the way: worktrees, commits, merges, and then the database is lost. */

const STEPS = ["step-1", "step-2", "step-3"];

const loseDatabase = (shop: CommitShop): void => {
  const folder = dirname(shop.database);
  for (const name of readdirSync(folder)) if (name.startsWith("state.db")) rmSync(join(folder, name));
  ok(shop.json("init"));
};

const create = (shop: CommitShop, ...more: readonly string[]): string =>
  ok(shop.json("worktree", "create", PLAN, ...more))["worktree_path"] as string;

/** Takes a step in a worktree to its end, with `pawl commit`. */
function finish(shop: CommitShop, worktree: string, step: string): string {
  shop.take(worktree, step);
  if (shop.items(step).length > 0) ok(shop.work("update", worktree, step, "--all", "completed"));
  shop.write(worktree, `${step}.txt`);
  const answer = ok(shop.commit(worktree, step));
  expect(answer).toMatchObject({ committed: true, completed: true, warnings: [] });
  return answer["commit_hash"] as string;
}

const merge = (shop: CommitShop, target: string, ...more: readonly string[]): string => {
  const answer = ok(shop.json("worktree", "merge", target, ...more));
  expect(answer).toMatchObject({ merged: true });
  return answer["commit_hash"] as string;
};

const takeDown = (shop: CommitShop, ...branches: readonly string[]): void => {
  for (const branch of branches) ok(shop.json("worktree", "remove", branch, "--delete-branch"));
};

const reconcile = (shop: CommitShop, ...more: readonly string[]): Data =>
  ok(shop.json("state", "reconcile", PLAN, ...more));

const commitsOf = (shop: CommitShop): readonly unknown[] =>
  STEPS.map((step) => shop.step(step)["commit_hash"]);

describe("a finished plan whose database is lost", () => {
  it("comes back from two worktrees that are merged and gone, one of them squashed", () => {
    const shop = commitShop();
    const [one, two] = [create(shop), create(shop, "--name", "second-hand")];
    const first = finish(shop, one, "step-1");
    finish(shop, two, "step-2");
    finish(shop, two, "step-3");
    expect(shop.plan()["status"]).toBe("done");
    merge(shop, PLAN);
    const squash = merge(shop, "pawl/second-hand", "--squash");
    takeDown(shop, "pawl/plan", "pawl/second-hand");
    expect(shop.git(shop.home, "branch", "--list", "pawl/*")).toBe("");
    loseDatabase(shop);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 3, skipped_count: 0, proposals: [] });
    expect(commitsOf(shop)).toEqual([first, squash, squash]);
    expect(shop.plan()["status"]).toBe("done");
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 0, skipped_count: 0, proposals: [] });
  });

  it("is followed to the squash while the database is there", () => {
    const shop = commitShop();
    const worktree = create(shop);
    const hashes = STEPS.map((step) => finish(shop, worktree, step));
    const squash = merge(shop, PLAN, "--squash");
    expect(reconcile(shop)).toMatchObject({ followed: [], skipped_count: 0 });
    expect(commitsOf(shop)).toEqual(hashes);
    takeDown(shop, "pawl/plan");
    expect(reconcile(shop)["followed"]).toHaveLength(3);
    expect(commitsOf(shop)).toEqual([squash, squash, squash]);
  });

  it.each([
    ["commit-msg", `sed -i "1s/^/[hooked] /" "$1"`],
    ["prepare-commit-msg", `printf '\\nReviewed-by: Reviewer <s@example.invalid>\\n' >> "$1"`],
  ])("comes back from a squash whose message went through %s", (name, script) => {
    const shop = commitShop();
    const worktree = create(shop);
    for (const step of STEPS) finish(shop, worktree, step);
    shop.hook(name, script);
    const squash = merge(shop, PLAN, "--squash");
    expect(shop.message(shop.home, squash)).toMatch(/hooked|Reviewed-by/);
    takeDown(shop, "pawl/plan");
    loseDatabase(shop);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 3, proposals: [] });
    expect(commitsOf(shop)).toEqual([squash, squash, squash]);
  });

  it("comes back where the base is not checked out, and from branches with names of their own choosing", () => {
    const shop = commitShop();
    const [one, two] = [create(shop), create(shop, "--name", "own-name")];
    const [first, second] = [finish(shop, one, "step-1"), finish(shop, two, "step-2")];
    shop.git(shop.home, "switch", "-q", "-c", "elsewhere", "HEAD");
    merge(shop, PLAN);
    loseDatabase(shop);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 2, proposals: [] });
    expect(commitsOf(shop)).toEqual([first, second, null]);
  });

  it("does not come back with a step that its branch took back before the squash", () => {
    const shop = commitShop();
    const worktree = create(shop);
    finish(shop, worktree, "step-1");
    const second = finish(shop, worktree, "step-2");
    shop.git(worktree, "revert", "--no-edit", second);
    const squash = merge(shop, PLAN, "--squash");
    takeDown(shop, "pawl/plan");
    loseDatabase(shop);
    expect(reconcile(shop)).toMatchObject({
      reconciled: [{ step_anchor: "step-1", git_hash: squash }],
      proposals: [],
    });
    expect(commitsOf(shop)).toEqual([squash, null, null]);
  });

  it("keeps the other family of trailers through a squash", () => {
    const shop = commitShop();
    writeFileSync(join(shop.home, "pawl.toml"), 'trailer_prefix = "Tug"\n');
    const worktree = create(shop);
    for (const step of STEPS) finish(shop, worktree, step);
    const squash = merge(shop, PLAN, "--squash");
    const trailers = shop.git(shop.home, "log", "-1", "--format=%(trailers:only,unfold)", squash).split("\n");
    expect(trailers.filter((line) => line.startsWith("Tug-Step:"))).toEqual(
      STEPS.map((step) => `Tug-Step: ${step}`),
    );
    expect(
      trailers.filter((line) => /^Pawl-Proof: .* signature=[0-9a-f]{64} commit=/.test(line)),
    ).toHaveLength(3);
    takeDown(shop, "pawl/plan");
    loseDatabase(shop);
    expect(reconcile(shop)["reconciled_count"]).toBe(3);
  });

  it("believes no step that a person added to the trailers of a squash", () => {
    const shop = commitShop();
    const worktree = create(shop);
    finish(shop, worktree, "step-1");
    merge(shop, PLAN, "--squash");
    const forged = `${shop.message(shop.home).trimEnd()}\nPawl-Step: step-2\n`;
    shop.repository.git("commit", "-q", "--amend", "-m", forged);
    takeDown(shop, "pawl/plan");
    loseDatabase(shop);
    expect(reconcile(shop)).toMatchObject({
      reconciled: [{ step_anchor: "step-1" }],
      proposals: [{ step_anchor: "step-2", kind: "unsigned" }],
    });
    expect(reconcile(shop, "--trust-unsigned")).toMatchObject({ reconciled: [{ step_anchor: "step-2" }] });
  });
});

describe("a commit of an owner that was displaced", () => {
  it("completes nothing while another worker holds the step, and is proposed instead", () => {
    const shop = commitShop();
    const [one, two] = [create(shop), create(shop, "--name", "other")];
    shop.take(one, "step-1");
    shop.write(one, "work");
    shop.hook("post-commit", `kill -9 $(ps -o ppid= -p $PPID)`);
    shop.text("commit", "--plan", PLAN, "--step", "step-1", "--worktree", one);
    rmSync(join(shop.home, ".git/hooks/post-commit"));
    const commit = shop.git(one, "rev-parse", "HEAD");
    ok(shop.claim(two, "--step", "step-1", "--force"));
    expect(reconcile(shop)).toMatchObject({
      reconciled_count: 0,
      proposals: [{ step_anchor: "step-1", git_hash: commit, kind: "other-work" }],
    });
    expect(shop.step("step-1")).toMatchObject({ status: "claimed", claimed_by: two });
  });
});
