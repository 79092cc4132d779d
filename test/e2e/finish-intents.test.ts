import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMIT_PLAN, commitShop, type CommitShop } from "../support/commit-shop.ts";
import { type Data, ok, PLAN } from "../support/workshop.ts";
import { query, withDatabase } from "../support/world.ts";

/** Claims a step of a plan and commits it; Pawl is killed before it can say so. */
function dieInCommit(
  shop: CommitShop,
  worktree: string,
  plan: string,
  step: string,
  ...more: readonly string[]
): void {
  ok(shop.json("state", "claim", plan, "--step", step, "--worktree", worktree));
  ok(shop.json("state", "start", plan, step, "--worktree", worktree));
  shop.write(worktree, `${step}.txt`);
  shop.hook("post-commit", `kill -9 $(ps -o ppid= -p $PPID)`);
  shop.text("commit", "--plan", plan, "--step", step, "--worktree", worktree, ...more);
  rmSync(join(shop.home, ".git/hooks/post-commit"));
}

const write = (shop: CommitShop, sql: string): void =>
  withDatabase(shop.database, (connection) => connection.exec(sql));

const set = (shop: CommitShop, what: string): void => write(shop, `update steps set ${what}`);

const OVER =
  "lease_expires_at = '2000-01-01T00:00:00.000Z', lease_uptime_ms = 0 where claimed_by is not null";

const commitsCheck = (answer: Data): Data =>
  (answer["checks"] as Data[]).find(({ name }) => name === "commits")!;

describe("commits that were left half done", () => {
  it("are finished though the plan of another one leads out of the repository", () => {
    const shop = commitShop();
    shop.write(shop.home, "a/plan.md", COMMIT_PLAN);
    ok(shop.json("state", "init", "a/plan.md"));
    dieInCommit(shop, shop.worktree("one"), "a/plan.md", "step-1");
    dieInCommit(shop, shop.worktree("two"), PLAN, "step-1");
    set(shop, OVER);
    const outside = join(shop.home, "..", "outside");
    mkdirSync(outside);
    renameSync(join(shop.home, "a"), join(outside, "a"));
    symlinkSync(join(outside, "a"), join(shop.home, "a"));
    const answer = ok(shop.json("doctor", "--fix"));
    expect(answer["fixed"]).toContainEqual(expect.stringContaining("completed plan.md step-1"));
    expect(commitsCheck(answer)["details"]["commits"]).toMatchObject([
      { plan_path: "a/plan.md", outcome: "open", because: expect.stringContaining("not inside") },
    ]);
    expect(shop.step("step-1")).toMatchObject({ status: "completed" });
  });

  it("are left to an owner that runs on another machine", () => {
    const shop = commitShop();
    dieInCommit(shop, shop.worktree("one"), PLAN, "step-1");
    write(
      shop,
      `insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at)
       values ('far', '/far', 'far', 1, '1', 'far-boot', 'far-host', 'in_progress', '2020-01-01T00:00:00.000Z')`,
    );
    const lease = (expires: string): void =>
      set(
        shop,
        `session_id = 'far', claimed_host = 'far-host', lease_boot_id = 'far-boot', lease_expires_at = '${expires}' where claimed_by is not null`,
      );
    lease("2999-01-01T00:00:00.000Z");
    const answer = ok(shop.json("doctor", "--fix"));
    expect(commitsCheck(answer)["details"]["commits"]).toMatchObject([
      { outcome: "open", because: "its owner may still be working" },
    ]);
    expect(shop.step("step-1")["status"]).not.toBe("completed");
    lease("2000-01-01T00:00:00.000Z");
    expect(ok(shop.json("doctor", "--fix"))["fixed"]).toContainEqual(
      expect.stringContaining("completed plan.md step-1"),
    );
  });
});

describe("a commit that no check was to decide about, left half done", () => {
  const unverified = (shop: CommitShop) =>
    query(shop.database, "select anchor, claim, detail from events where event = 'unverified'");

  it.each([
    ["doctor", "--fix"],
    ["recover", "--auto"],
  ])("is finished with the person's reason by %s %s", (...words) => {
    const shop = commitShop();
    shop.write(shop.home, "pawl.toml", '[verify]\ncommand = ["false"]\n');
    dieInCommit(shop, shop.home, PLAN, "step-1", "--unverified", "the check is broken");
    set(shop, OVER);
    ok(shop.json(...words));
    expect(shop.step("step-1")).toMatchObject({ status: "completed" });
    expect(unverified(shop)).toEqual([
      { anchor: "step-1", claim: 1, detail: '{"reason":"the check is broken"}' },
    ]);
  });

  it("is finished where only the checklist proves the step", () => {
    const shop = commitShop();
    shop.write(shop.home, "pawl.toml", "[verify]\nrun_checkpoints = true\n");
    dieInCommit(shop, shop.worktree("one"), PLAN, "step-1");
    set(shop, OVER);
    expect(ok(shop.json("doctor", "--fix"))["fixed"]).toContainEqual(
      expect.stringContaining("completed plan.md step-1"),
    );
    expect(unverified(shop)).toEqual([]);
  });
});
