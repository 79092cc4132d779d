import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planText } from "../support/plans.ts";
import { withDatabase } from "../support/world.ts";
import { ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";

const THREE = planText([{ number: "1" }, { number: "2" }, { number: "3" }]);

/** An agent without a server loses step-1, with `slow.txt` uncommitted, to another worktree. */
function lostOne(): { readonly shop: Workshop; readonly mine: string; readonly other: string } {
  const shop = workshop(THREE);
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "the plan");
  const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
  shop.take(mine, "step-1");
  writeFileSync(join(mine, "slow.txt"), "slow work\n");
  withDatabase(shop.database, (connection) =>
    connection.exec("update steps set lease_uptime_ms = 0 where anchor = 'step-1'"),
  );
  shop.take(other, "step-1");
  return { shop, mine, other };
}

const commit = (shop: Workshop, worktree: string, step: string, ...more: readonly string[]) =>
  shop.json("commit", "--plan", PLAN, "--step", step, "--message", step, "--worktree", worktree, ...more);

describe("work of a step that went to another worker", () => {
  it("is kept when its former owner wants to commit it, once", () => {
    const { shop, mine } = lostOne();
    const late = refused(commit(shop, mine, "step-1", "--claim", "1"), "E076", 4);
    const ref = late.details!["held_ref"] as string;
    expect(ref).toMatch(/^refs\/pawl\/late\//);
    expect(shop.repository.git("show", `${ref}:slow.txt`)).toBe("slow work");
    refused(commit(shop, mine, "step-1", "--claim", "1"), "E076", 4);
    expect(shop.step("step-1")["late_results"]).toHaveLength(1);
  });

  it("does not go into the commit of the next step, unless a person has made it theirs", () => {
    const { shop, mine } = lostOne();
    refused(commit(shop, mine, "step-1", "--claim", "1"), "E076", 4);
    // Out of the way when it is claimed, and back afterwards.
    renameSync(join(mine, "slow.txt"), join(shop.home, "../slow.txt"));
    shop.take(mine, "step-2");
    renameSync(join(shop.home, "../slow.txt"), join(mine, "slow.txt"));
    writeFileSync(join(mine, "two.txt"), "two\n");
    const issue = refused(commit(shop, mine, "step-2"), "E348", 5);
    expect(issue.message).toContain("slow.txt");
    expect(issue.details).toMatchObject({ anchor: "step-1", files: ["slow.txt"] });
    expect(shop.step("step-2")["status"]).toBe("in_progress");
    // Named, only that is committed.
    ok(commit(shop, mine, "step-2", join(mine, "two.txt")));
    expect(shop.repository.git("-C", mine, "show", "--format=", "--name-only", "HEAD")).toBe("two.txt");
    // Changed since, it is the work of the one that changed it.
    shop.take(mine, "step-3");
    writeFileSync(join(mine, "slow.txt"), "slow work, made new\n");
    ok(commit(shop, mine, "step-3"));
    expect(shop.repository.git("-C", mine, "show", "--format=", "--name-only", "HEAD")).toBe("slow.txt");
  });

  it("is kept when its former owner claims, and no other step is handed out beside it", () => {
    const { shop, mine } = lostOne();
    for (const step of [[], ["--step", "step-2"]]) {
      const issue = refused(shop.claim(mine, ...step), "E347", 5);
      expect(issue.details).toMatchObject({ anchor: "step-1", files: ["slow.txt"] });
      expect(issue.hint).toContain("person");
    }
    const [late] = shop.step("step-1")["late_results"] as readonly { held_ref: string }[];
    expect(shop.repository.git("show", `${late!.held_ref}:slow.txt`)).toBe("slow work");
    expect(readFileSync(join(mine, "slow.txt"), "utf8")).toBe("slow work\n");
    expect(shop.step("step-2")["status"]).toBe("pending");
    // A person put it elsewhere: the way is free.
    renameSync(join(mine, "slow.txt"), join(shop.home, "../slow.txt"));
    expect(ok(shop.claim(mine))).toMatchObject({ claimed: true, anchor: "step-2" });
  });

  it("continues where its step came back, when that is claimed by name", () => {
    const { shop, mine, other } = lostOne();
    ok(shop.work("release", other, "step-1"));
    expect(ok(shop.claim(mine, "--step", "step-1"))).toMatchObject({ claimed: true, anchor: "step-1" });
    ok(shop.work("start", mine, "step-1"));
    ok(commit(shop, mine, "step-1"));
    expect(shop.repository.git("-C", mine, "show", "--format=", "--name-only", "HEAD")).toBe("slow.txt");
  });

  it("is of no concern to a stranger, or to the owner that holds the step", () => {
    const { shop, mine, other } = lostOne();
    const third = shop.worktree("third");
    writeFileSync(join(third, "foreign.txt"), "foreign\n");
    expect(commit(shop, third, "step-1").issues[0]!.details).not.toHaveProperty("held_ref");
    expect(shop.step("step-1")["late_results"]).toEqual([]);
    refused(commit(shop, mine, "step-1", "--claim", "1"), "E076", 4);
    writeFileSync(join(other, "own.txt"), "own\n");
    ok(commit(shop, other, "step-1"));
    expect(shop.repository.git("-C", other, "show", "--format=", "--name-only", "HEAD")).toBe("own.txt");
  });

  it("is not what a step left that was given back, or completed, before another worker got it", () => {
    const { shop, mine, other } = lostOne();
    renameSync(join(mine, "slow.txt"), join(shop.home, "../slow.txt"));
    shop.take(mine, "step-2");
    ok(shop.work("release", mine, "step-2"));
    shop.take(other, "step-2");
    writeFileSync(join(mine, "notes.txt"), "of a person\n");
    shop.take(mine, "step-3");
    ok(shop.work("complete", mine, "step-3"));
    ok(shop.json("state", "reopen", PLAN, "step-3", "--reason", "again"));
    shop.take(other, "step-3");
    ok(shop.work("release", other, "step-2"));
    expect(ok(shop.claim(mine, "--step", "step-2"))).toMatchObject({ claimed: true, anchor: "step-2" });
  });

  it("is not what lies in a new worktree that took the place of the one that lost a step", () => {
    const { shop, other } = lostOne();
    const made = () =>
      ok(shop.json("worktree", "create", PLAN, "--name", "again"))["worktree_path"] as string;
    const mine = made();
    shop.take(mine, "step-2");
    ok(shop.json("state", "release", PLAN, "step-2", "--force", "--reason", "too slow"));
    shop.take(other, "step-2");
    writeFileSync(join(mine, "slow.txt"), "slow work\n");
    refused(shop.claim(mine), "E347", 5);
    ok(shop.json("worktree", "remove", mine));
    expect(made()).toBe(mine);
    writeFileSync(join(mine, "new.txt"), "of the new one\n");
    expect(ok(shop.claim(mine))).toMatchObject({ claimed: true, anchor: "step-3" });
  });

  it("is not what Pawl itself wrote to the plan, in the checkout where that is", () => {
    const shop = workshop("# Work\n\n- [ ] one\n- [ ] two\n- [ ] three\n");
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "the plan");
    const [mine, other] = [shop.home, shop.worktree("other")];
    shop.take(mine, "one");
    ok(shop.json("state", "release", PLAN, "one", "--force", "--reason", "too slow"));
    shop.finish(other, "one");
    expect(shop.repository.git("status", "--porcelain")).toContain("M plan.md");
    writeFileSync(join(mine, "slow.txt"), "slow work\n");
    const issue = refused(shop.claim(mine), "E347", 5);
    expect(issue.details).toMatchObject({ anchor: "one", files: ["slow.txt"] });
    renameSync(join(mine, "slow.txt"), join(mine, "../slow.txt"));
    expect(ok(shop.claim(mine))).toMatchObject({ claimed: true, anchor: "two" });
    writeFileSync(join(mine, "two.txt"), "two\n");
    ok(commit(shop, mine, "two"));
  });
});
