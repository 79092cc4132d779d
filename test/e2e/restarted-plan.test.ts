import { createHmac } from "node:crypto";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMIT_PLAN, type CommitShop, commitShop } from "../support/commit-shop.ts";
import { planText } from "../support/plans.ts";
import { runShop } from "../support/run-shop.ts";
import { type Data, ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";

const FIRST = planText([
  { number: "1", title: "Dig" },
  { number: "2", title: "Build" },
]);
const SECOND = planText([
  { number: "1", title: "Paint" },
  { number: "2", title: "Sell" },
]);

/** A repository in which each step of the plan was committed by Pawl. */
function finished(plan = FIRST): Workshop {
  const shop = workshop(null);
  shop.repository.write(PLAN, plan);
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "the plan");
  ok(shop.json("state", "init", PLAN));
  for (const step of ["step-1", "step-2"]) commit(shop, step);
  return shop;
}

function commit(shop: Workshop, step: string): Data {
  shop.take(".", step);
  shop.repository.write(`${step}.txt`, `${step} ${shop.repository.git("rev-parse", "HEAD")}\n`);
  return ok(shop.json("commit", "--plan", PLAN, "--step", step, "--worktree", "."));
}

/** The plan is removed with its state, as people do when it is finished, and another one gets its name. */
function restart(shop: Workshop, plan: string): void {
  shop.repository.git("rm", "-q", PLAN);
  shop.repository.git("commit", "-q", "-m", "the plan is done");
  expect(ok(shop.json("state", "prune"))["pruned"]).toHaveLength(1);
  shop.repository.write(PLAN, plan);
  ok(shop.json("state", "init", PLAN));
}

function loseDatabase(shop: Workshop, plan: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${shop.database}${end}`, { force: true });
  shop.repository.write(PLAN, plan);
  // The committed plan counts; it may be the same.
  shop.repository.git("commit", "-q", "-a", "--allow-empty", "-m", "the plan again");
  ok(shop.json("init"));
}

const reconcile = (shop: Workshop, ...more: readonly string[]): Data =>
  ok(shop.json("state", "reconcile", PLAN, ...more));

const statuses = (shop: Workshop): readonly string[] =>
  (shop.plan()["steps"] as Data[]).map((step) => `${step["anchor"]} ${step["status"]}`);

const OPEN = ["step-1 pending", "step-2 pending"];
const DONE = ["step-1 completed", "step-2 completed"];

const kinds = (answer: Data): readonly string[] =>
  (answer["proposals"] as Data[]).map((one) => `${one["step_anchor"]} ${one["kind"]}`);

// proves G-lost-database-comes-back
describe("a plan that gets the name of an older one", () => {
  it("starts with its first step, though commits of the older one name its steps", async () => {
    const shop = runShop([{ number: "1", title: "Dig" }]);
    expect((await shop.run()).code).toBe(0);
    expect(shop.starts("step-1")).toBe(1);
    shop.pawl("worktree", "merge", "plan.md");
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.git("commit", "-q", "-m", "the plan is done");
    shop.pawl("worktree", "clean", "--merged", "--delete-branch");
    shop.pawl("state", "prune");
    shop.repo.write("plan.md", planText([{ number: "1", title: "Paint" }]));
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "another plan");
    // A run that was killed leaves this behind, and all of git is asked.
    rmSync(join(shop.repo.path, ".git/pawl/last-clean-exit.json"));
    shop.script({ runs: [[{ write: "paint.txt" }, { tick: "all" }]] });
    expect((await shop.run()).code).toBe(0);
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });

  it("is not completed by them once its state is read back from git, only proposed", () => {
    const shop = finished();
    loseDatabase(shop, SECOND);
    ok(shop.json("state", "init", PLAN));
    const answer = reconcile(shop);
    expect(answer["reconciled_count"]).toBe(0);
    expect(kinds(answer)).toEqual(["step-1 other-content", "step-2 other-content"]);
    expect(statuses(shop)).toEqual(OPEN);
    expect(kinds(reconcile(shop, "--trust-unsigned"))).toHaveLength(2);
    expect(shop.text("state", "reconcile", PLAN).stdout).toContain("pawl state reconcile plan.md --force");
  });

  it("is completed by them when a person says that it is the same work", () => {
    const shop = finished();
    restart(shop, SECOND);
    reconcile(shop, "--force");
    expect(statuses(shop)).toEqual(DONE);
  });

  it("is begun anew even where its words are the same, because its state was removed in between", () => {
    const shop = finished();
    restart(shop, FIRST);
    expect(kinds(reconcile(shop))).toEqual(["step-1 reopened", "step-2 reopened"]);
    expect(ok(shop.json("recover", "--dry-run"))["findings"]).toEqual([]);
    expect(statuses(shop)).toEqual(OPEN);
    commit(shop, "step-1");
    expect(statuses(shop)).toEqual(["step-1 completed", "step-2 pending"]);
  });
});

describe("the same plan", () => {
  it("is read back from git, ticks and all", () => {
    const shop = finished();
    loseDatabase(shop, FIRST);
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 2, proposals: [] });
    expect(statuses(shop)).toEqual(DONE);
  });

  it("is read back from a squash of many steps", () => {
    const shop = finished();
    const start = shop.repository.git("rev-parse", "HEAD~2");
    shop.repository.git("checkout", "-q", "-b", "squashed", start);
    shop.repository.git("merge", "-q", "--squash", "main");
    shop.repository.git("commit", "-q", "--no-edit");
    shop.repository.git("branch", "-q", "-M", "squashed", "main");
    loseDatabase(shop, FIRST);
    expect(reconcile(shop)["reconciled_count"]).toBe(2);
  });

  it("keeps the words of a step that is ticked in its file", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, "# Todo\n\n- [ ] Dig\n  - [ ] deep\n- [ ] Build\n");
    ok(shop.json("state", "init", PLAN));
    shop.take(".", "dig");
    ok(shop.work("update", ".", "dig", "--all", "completed"));
    shop.repository.write("dig.txt", "dug\n");
    ok(shop.json("commit", "--plan", PLAN, "--step", "dig", "--worktree", "."));
    expect(readFileSync(join(shop.home, PLAN), "utf8")).toContain("- [x] Dig");
    loseDatabase(shop, "# Todo\n\n- [ ] Dig\n  - [ ] deep\n- [ ] Build\n");
    expect(reconcile(shop)["reconciled"]).toMatchObject([{ step_anchor: "dig" }]);
  });
});

/** Makes the newest commit one of an older Pawl, whose signature did not cover the step's words. */
function asBefore(shop: Workshop, step: string): void {
  const folder = join(shop.home, ".git/pawl");
  const key = Buffer.from(readFileSync(join(folder, "signing-key"), "utf8").trim(), "hex");
  const signature = createHmac("sha256", key)
    .update(JSON.stringify(["pawl-step", 1, PLAN, step, 1]))
    .digest("hex");
  const message = shop.repository
    .git("log", "-1", "--format=%B")
    .replace(/^Pawl-Content: .*\n/m, "")
    .replace(/^Pawl-Signature: .*$/m, `Pawl-Signature: ${signature}`);
  shop.repository.git("commit", "-q", "--amend", "-m", message);
  const made = shop.repository.git("rev-parse", "HEAD");
  appendFileSync(join(folder, "signed-work"), `\n${signature} ${made} ${"0".repeat(64)}`);
}

describe("a commit from before signatures covered what a step says", () => {
  const ONE = planText([{ number: "1", title: "Dig" }]);

  it("is proposed where the store that made it is lost", () => {
    const shop = workshop(ONE);
    commit(shop, "step-1");
    asBefore(shop, "step-1");
    loseDatabase(shop, ONE);
    expect(kinds(reconcile(shop))).toEqual(["step-1 unknown-content"]);
    // With state in which nothing is done, a run would do it again.
    refused(shop.json("state", "init", PLAN), "E387", 4);
    reconcile(shop, "--force");
    expect(shop.step("step-1")["status"]).toBe("completed");
  });

  it("still counts where this store wrote down that its claim commits", () => {
    const shop = commitShop();
    dieInCommit(shop, "step-1");
    asBefore(shop, "step-1");
    expect(reconcile(shop)).toMatchObject({ reconciled_count: 1, proposals: [] });
    expect(shop.step("step-1")["status"]).toBe("completed");
  });
});

/** Pawl is killed right after git has made the commit. */
function dieInCommit(shop: CommitShop, step: string): void {
  shop.take(".", step);
  shop.write(shop.home, `${step}.txt`);
  shop.hook("post-commit", `kill -9 $(ps -o ppid= -p $PPID)`);
  shop.text("commit", "--plan", PLAN, "--step", step, "--worktree", ".");
  rmSync(join(shop.home, ".git/hooks/post-commit"));
}

describe("a commit whose call was killed", () => {
  it("is finished by itself, though other steps of the plan were edited and read again since", () => {
    const shop = commitShop();
    dieInCommit(shop, "step-1");
    shop.repository.write(PLAN, COMMIT_PLAN.replace("Step 2: Build", "Step 2: Build high"));
    ok(shop.json("state", "init", PLAN, "--force"));
    const answer = ok(shop.json("commit", "--plan", PLAN, "--step", "step-1", "--worktree", "."));
    expect(answer).toMatchObject({ resumed: true, completed: true });
    expect(shop.commits(shop.home)).toHaveLength(3);
  });
});
