import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAWL, pawl, pawlJson } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { planText, SMALL_PLAN } from "../support/plans.ts";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import { type Data, ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";
import { worldOf } from "../support/world.ts";

const THREE = planText([{ number: "0", tasks: ["dig"] }, { number: "1" }, { number: "2" }]);

/** Makes a commit with these paragraphs as its message; trailers are the last one. */
const commit = (shop: Workshop, ...paragraphs: readonly string[]): string => {
  shop.repository.write("work.txt", `after ${shop.repository.git("rev-parse", "HEAD")}\n`);
  shop.repository.git("add", "work.txt");
  shop.repository.git("commit", "-q", ...paragraphs.flatMap((text) => ["-m", text]));
  return shop.repository.git("rev-parse", "HEAD");
};

const prove = (shop: Workshop, ...steps: readonly string[]): string =>
  commit(shop, "work", [...steps.map((step) => `Pawl-Step: ${step}`), `Pawl-Plan: ${PLAN}`].join("\n"));

const reconcile = (shop: Workshop, ...more: readonly string[]): Data =>
  ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned", ...more));

const completed = (shop: Workshop): readonly string[] =>
  (shop.plan()["steps"] as Data[])
    .filter((step) => step["status"] === "completed")
    .map((step) => step["anchor"] as string);

// proves G-lost-database-comes-back
describe("what counts as a proof", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["Tug-* trailers", ["work", `Tug-Step: step-0\nTug-Plan: ${PLAN}`], ["step-0"]],
    ["Pawl-* trailers", ["work", `Pawl-Step: step-0\nPawl-Plan: ${PLAN}`], ["step-0"]],
    ["an anchor with #", ["work", `Pawl-Step: #step-0\nPawl-Plan: ${PLAN}`], ["step-0"]],
    ["keys in any case", ["work", `pawl-step: step-0\nPAWL-PLAN: ${PLAN}`], ["step-0"]],
    ["a path with a dot", ["work", `Pawl-Step: step-0\nPawl-Plan: ./${PLAN}`], ["step-0"]],
    [
      "several trailers in one commit",
      ["work", `Pawl-Step: step-0\nPawl-Step: step-2\nPawl-Plan: ${PLAN}`],
      ["step-0", "step-2"],
    ],
    [
      "several steps in one trailer",
      ["work", `Tug-Step: step-0, #step-1\nTug-Plan: ${PLAN}`],
      ["step-0", "step-1"],
    ],
    [
      "trailers among other trailers",
      ["work", `Signed-off-by: A <a@b>\nPawl-Step: step-1\nPawl-Plan: ${PLAN}`],
      ["step-1"],
    ],
    ["a foreign plan", ["work", "Pawl-Step: step-0\nPawl-Plan: other.md"], []],
    ["no plan", ["work", "Pawl-Step: step-0"], []],
    ["two plans in one commit", ["work", `Pawl-Step: step-0\nPawl-Plan: ${PLAN}\nPawl-Plan: other.md`], []],
    [
      "trailers in the middle of a message",
      ["work", `Pawl-Step: step-0\nPawl-Plan: ${PLAN}`, "and an end"],
      [],
    ],
    ["a title that looks like a trailer", [`Pawl-Step: step-0`, "nothing else"], []],
    ["a step the plan does not have", ["work", `Pawl-Step: step-9\nPawl-Plan: ${PLAN}`], []],
  ])("%s", (_, message, expected) => {
    const shop = workshop(THREE);
    commit(shop, ...message);
    const answer = reconcile(shop);
    expect(completed(shop)).toEqual(expected);
    expect(answer["reconciled_count"]).toBe(expected.length);
  });

  it("records the commit and completes the items and substeps with the step", () => {
    const shop = workshop();
    const first = prove(shop, "step-0");
    const second = prove(shop, "step-1");
    reconcile(shop);
    expect(shop.step("step-0")).toMatchObject({ commit_hash: first, complete_reason: null });
    expect(shop.items("step-0").filter((item) => !item.endsWith("completed"))).toEqual([]);
    expect(shop.step("step-1-1")).toMatchObject({ status: "completed", commit_hash: second });
  });

  it("sets the plan to done when commits prove all of it, and is happy to be asked again", () => {
    const shop = workshop(THREE);
    prove(shop, "step-0", "step-1", "step-2");
    expect(reconcile(shop)["reconciled_count"]).toBe(3);
    expect(shop.plan()["status"]).toBe("done");
    const before = worldOf(shop.repository);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 0, skipped_count: 0, proposals: [] });
    expect(worldOf(shop.repository).tables).toMatchObject({
      steps: (before.tables as Data)["steps"],
      events: (before.tables as Data)["events"],
    });
  });

  it("takes the newest of several commits for one step", () => {
    const shop = workshop(THREE);
    prove(shop, "step-0");
    const newest = prove(shop, "step-0");
    reconcile(shop);
    expect(shop.step("step-0")["commit_hash"]).toBe(newest);
  });
});

describe("which commits are read", () => {
  const onBranch = (shop: Workshop, branch: string): void => {
    shop.repository.git("checkout", "-q", "-b", branch);
    prove(shop, "step-0");
    shop.repository.git("checkout", "-q", "main");
  };

  it("does not read a branch that is not the plan's", () => {
    const shop = workshop(THREE);
    onBranch(shop, "abandoned");
    expect(reconcile(shop)["reconciled_count"]).toBe(0);
  });

  it.each(["pawl/plan", "pawl/plan-w2"])("reads the plan's branch %s", (branch) => {
    const shop = workshop(THREE);
    onBranch(shop, branch);
    expect(reconcile(shop)["reconciled_count"]).toBe(1);
  });

  it("reads what is checked out in the worktree it is called from", () => {
    const shop = workshop(THREE);
    const mine = shop.worktree("mine");
    shop.repository.git(
      "-C",
      mine,
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      `x\n\nPawl-Step: step-1\nPawl-Plan: ${PLAN}`,
    );
    expect(reconcile(shop)["reconciled_count"]).toBe(0);
    expect(
      ok(pawlJson({ cwd: mine }, "state", "reconcile", PLAN, "--trust-unsigned"))["reconciled_count"],
    ).toBe(1);
  });

  it("reads the steps of a squash merge", () => {
    const shop = workshop(THREE);
    shop.repository.git("checkout", "-q", "-b", "feature");
    shop.repository.write("a", "a");
    shop.repository.git("add", "a");
    prove(shop, "step-0");
    shop.repository.write("b", "b");
    shop.repository.git("add", "b");
    prove(shop, "step-1");
    shop.repository.git("checkout", "-q", "main");
    shop.repository.git("merge", "-q", "--squash", "feature");
    shop.repository.git("commit", "-q", "--no-edit");

    expect(reconcile(shop)["reconciled_count"]).toBe(2);
    expect(completed(shop)).toEqual(["step-0", "step-1"]);
    expect(shop.step("step-0")["commit_hash"]).toBe(shop.repository.git("rev-parse", "HEAD"));
  });
});

describe("what git does not settle is only proposed", () => {
  it("a commit that was reverted", () => {
    const shop = workshop(THREE);
    const reverted = prove(shop, "step-0");
    shop.repository.git("revert", "--no-edit", "HEAD");
    const by = shop.repository.git("rev-parse", "HEAD");

    const answer = reconcile(shop);

    expect(answer).toMatchObject({
      reconciled_count: 0,
      proposals: [{ step_anchor: "step-0", git_hash: reverted, reason: `completed, then reverted by ${by}` }],
    });
    expect(shop.step("step-0")["status"]).toBe("pending");
  });

  it("but not a commit whose revert was reverted", () => {
    const shop = workshop(THREE);
    prove(shop, "step-0");
    shop.repository.git("revert", "--no-edit", "HEAD");
    shop.repository.git("revert", "--no-edit", "HEAD");
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 1, proposals: [] });
  });

  it("a step that waits for another, until that is proved too", () => {
    const shop = workshop();
    prove(shop, "step-1");
    expect(reconcile(shop)).toMatchObject({
      reconciled_count: 0,
      proposals: [{ step_anchor: "step-1", reason: "waits for step-0" }],
    });
    prove(shop, "step-0");
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 2, proposals: [] });
  });

  it("a step the plan does not have", () => {
    const shop = workshop(THREE);
    const found = prove(shop, "step-9");
    expect(reconcile(shop)["proposals"]).toMatchObject([{ step_anchor: "step-9", git_hash: found }]);
  });

  it("but force completes a step that waits for another", () => {
    const shop = workshop();
    prove(shop, "step-1");
    expect(reconcile(shop, "--force")).toMatchObject({ reconciled_count: 1 });
    expect(completed(shop)).toEqual(["step-1"]);
  });
});

describe("a dry run", () => {
  it("says what would happen and changes nothing", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const recorded = shop.repository.git("rev-parse", "HEAD");
    shop.finish(mine, "step-0", "--commit", recorded);
    prove(shop, "step-0");
    prove(shop, "step-1");
    const before = worldOf(shop.repository);

    const plain = reconcile(shop, "--dry-run");
    const forced = reconcile(shop, "--dry-run", "--force");

    expect(plain).toMatchObject({ dry_run: true, reconciled_count: 1, skipped_count: 1 });
    expect(forced).toMatchObject({ dry_run: true, reconciled_count: 1, skipped_count: 0 });
    expect(worldOf(shop.repository)).toEqual(before);
    const { dry_run: _dry, ...promised } = plain;
    expect(reconcile(shop)).toMatchObject(promised);
  });
});

describe("a recorded commit", () => {
  it("is kept when git names the same one, in full where only its start was recorded", () => {
    const shop = workshop(THREE);
    const mine = shop.worktree("mine");
    const hash = prove(shop, "step-0");
    shop.finish(mine, "step-0", "--commit", hash.slice(0, 10));
    expect(reconcile(shop)).toMatchObject({ skipped_count: 0, reconciled_count: 0 });
    expect(shop.step("step-0")["commit_hash"]).toBe(hash);
  });

  it("is the same whether it was written in small or capital letters", () => {
    const shop = workshop(THREE);
    const mine = shop.worktree("mine");
    const hash = prove(shop, "step-0");
    shop.finish(mine, "step-0", "--commit", hash.toUpperCase());
    expect(reconcile(shop)).toMatchObject({ skipped_count: 0, skipped_mismatches: [] });
  });

  it("is filled in for a step that was completed without one", () => {
    const shop = workshop(THREE);
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    const hash = prove(shop, "step-0");
    reconcile(shop);
    expect(shop.step("step-0")["commit_hash"]).toBe(hash);
  });

  it("is reported with both hashes to people when git has another one", () => {
    const shop = workshop(THREE);
    const recorded = shop.repository.git("rev-parse", "HEAD");
    shop.finish(shop.home, "step-0", "--commit", recorded);
    const found = prove(shop, "step-0");
    const { code, stderr } = shop.text("state", "reconcile", PLAN, "--trust-unsigned");
    expect(code).toBe(0);
    expect(stderr).toContain(recorded);
    expect(stderr).toContain(found);
  });
});

describe("a step that a worker holds", () => {
  it("is completed by its commit, and its owner is fenced off", () => {
    const shop = workshop(THREE);
    const mine = shop.worktree("mine");
    const { claim } = shop.take(mine, "step-0");
    prove(shop, "step-0");
    // Open items are its owner's business, as long as there is one.
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 0, proposals: [{ kind: "open-work" }] });
    ok(shop.work("update", mine, "step-0", "--all", "completed"));

    expect(reconcile(shop)["reconciled_count"]).toBe(1);

    expect(shop.step("step-0")).toMatchObject({ status: "completed", lease_expires_at: null });
    refused(shop.work("update", mine, "step-0", "--all", "open", "--claim", String(claim)), "E076", 4);
    expect(shop.items("step-0")).toEqual(["task 1: completed"]);
  });
});

it("works with a plan whose file was edited or is gone, because it only reads git and the database", () => {
  const shop = workshop();
  prove(shop, "step-0");
  shop.repository.write(PLAN, `${SMALL_PLAN}\nedited\n`);
  expect(reconcile(shop)["reconciled_count"]).toBe(1);
});

it("tells of work that was done under another name of the plan, and believes it by no option", () => {
  const shop = workshop(THREE);
  const proof = commit(shop, "work", "Pawl-Step: step-1\nPawl-Plan: old-plan.md");
  const answer = reconcile(shop);
  expect(answer).toMatchObject({ reconciled_count: 0 });
  expect(answer["proposals"]).toMatchObject([
    { step_anchor: "step-1", git_hash: proof, reason: expect.stringContaining("old-plan.md") },
  ]);
  shop.repository.write("old-plan.md", THREE);
  expect(reconcile(shop)["proposals"]).toEqual([]);
});

// proves G-done-means-evidence
describe("a commit that has not landed yet", () => {
  /** Something happens right before the plan's branch moves to the commit; its first move makes the branch. */
  const landing = (script: string) => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }]);
    const isThere = 'git "$1" rev-parse -q --verify refs/heads/pawl/plan > /dev/null';
    const git = gitThat(
      shop.repo.path,
      "-m pawl: merge refs/heads/pawl/plan ",
      `if ${isThere}; then ${script}; fi`,
    );
    const env = { ...shop.env, ...git };
    return { shop, run: () => pawl({ cwd: shop.repo.path, env }, "run", "plan.md", ...AGENT) };
  };
  const isOnBranch = (shop: RunShop): boolean => {
    const [{ commit_hash }] = shop.query("select commit_hash from steps") as [{ commit_hash: string }];
    return shop.repo.git("rev-list", "pawl/plan").split("\n").includes(commit_hash);
  };

  it("is left to the owner that is landing it", () => {
    const call = `${process.execPath} ${PAWL} state reconcile plan.md --json`;
    const { shop, run } = landing(`(cd "\${1#--git-dir=}/.." && ${call} > .git/answer 2>&1)`);
    expect(run().code).toBe(0);
    const answer = JSON.parse(readFileSync(join(shop.repo.path, ".git/answer"), "utf8")) as Data;
    expect(answer).toMatchObject({ data: { reconciled_count: 0, proposals: [{ kind: "not-landed" }] } });
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(isOnBranch(shop)).toBe(true);
  });

  it("lands before its step is completed, where its owner is gone", () => {
    const { shop, run } = landing('kill -9 "$PPID"; exit 1');
    expect(run().code).not.toBe(0);
    expect(shop.pawl("state", "reconcile", "plan.md").code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(isOnBranch(shop)).toBe(true);
  });
});
