import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { hold } from "../../src/steps/operate.ts";
import { landAndComplete } from "../../src/commits/land/land-and-complete.ts";
import { ensureIntegration } from "../../src/commits/land/integrate.ts";
import { pawlOn } from "../../src/api.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { AGENT, GOOD, type RunShop, runShop, type Started, THREE, untilThere } from "../support/run-shop.ts";
import { cleanEnv } from "../support/repository.ts";

/** The first commit's hook waits until the test lets it go on. */
function waitingHook(shop: RunShop): { readonly begun: string; readonly go: () => void } {
  const at = shop.path("hook");
  const hook = `#!/bin/sh
mkdir '${at}.begun' 2>/dev/null || exit 0
until test -e '${at}.go'; do sleep 0.02; done
`;
  writeFileSync(join(shop.repo.path, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
  return { begun: `${at}.begun`, go: () => writeFileSync(`${at}.go`, "") };
}

/** What is done to the step while its commit is made, and how it stands afterwards. */
const MEANWHILE = [
  {
    what: "held",
    verb: ["state", "hold", "plan.md", "step-1", "--reason", "not this one"],
    stands: "on_hold",
  },
  { what: "reset", verb: ["state", "reset", "plan.md", "step-1"], stands: "pending" },
  {
    what: "released by force",
    verb: ["state", "release", "plan.md", "step-1", "--force"],
    stands: "pending",
  },
] as const;

const tip = (shop: RunShop, ref = "pawl/plan") => shop.repo.git("rev-parse", ref);
const lateRefs = (shop: RunShop) => shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/late");

async function committingThen(shop: RunShop, begin: () => Started, verb: readonly string[]) {
  const { begun, go } = waitingHook(shop);
  const { ended } = begin();
  await untilThere(begun);
  expect(shop.pawl(...verb)).toMatchObject({ code: 0 });
  go();
  return ended;
}

// proves G-late-owner-changes-nothing
describe("a step that changes hands while its commit is made", () => {
  it.each(MEANWHILE)("$what: the plan's branch stays where it was", async ({ verb, stands }) => {
    const shop = runShop([THREE[0]!]);
    const before = tip(shop, "main");
    const begin = () => shop.start("run", "plan.md", "--max-steps", "1", ...AGENT);
    const { code, stderr } = await committingThen(shop, begin, verb);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("step-1 was lost") });
    expect(shop.steps()).toEqual([`step-1 ${stands}`]);
    expect([tip(shop), tip(shop, "pawl/plan-w1")]).toEqual([before, before]);
    expect(lateRefs(shop)).toBe("refs/pawl/late/plan.md/step-1/1");
    expect(shop.json("worktree", "merge", "plan.md").data).toMatchObject({ already_merged: true });
    expect(tip(shop, "main")).toBe(before);
  });

  it("is not completed from the late commit after a retry, except by a person", async () => {
    const shop = runShop([THREE[0]!]);
    const begin = () => shop.start("run", "plan.md", "--max-steps", "1", ...AGENT);
    await committingThen(shop, begin, MEANWHILE[0].verb);
    expect(shop.pawl("state", "retry", "plan.md", "step-1")).toMatchObject({ code: 0 });
    // As if the commit had been merged by hand.
    shop.repo.git("merge", "-q", "--ff-only", lateRefs(shop));
    shop.pawl("recover", "--auto");
    expect(shop.steps()).toEqual(["step-1 pending"]);
    const { data } = shop.json("state", "reconcile", "plan.md");
    expect(data).toMatchObject({ reconciled_count: 0, proposals: [{ kind: "late" }] });
    expect(shop.json("state", "reconcile", "plan.md", "--force").data).toMatchObject({ reconciled_count: 1 });
  });

  it("is done anew by the next run, with what was put aside saved", async () => {
    const shop = runShop([THREE[0]!]);
    shop.script({ steps: { "step-1": [GOOD, [{ write: "second.txt" }, { tick: "all" }]] } });
    const begin = () => shop.start("run", "plan.md", "--max-steps", "1", ...AGENT);
    await committingThen(shop, begin, MEANWHILE[1].verb);
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(shop.commits()).toEqual(["step-1"]);
    const files = shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan");
    expect(files).toContain("second.txt");
    expect(files).not.toContain("work/step-1.txt");
  });

  it("with the plan's branch in its own worktree: the branch goes back, the files stay", async () => {
    const shop = runShop([{ number: "1" }]);
    const { worktree_path: worktree } = shop.json("worktree", "create", "plan.md").data;
    const before = tip(shop);
    const { claim } = shop.json("state", "claim", "plan.md", "--worktree", worktree).data;
    writeFileSync(join(worktree, "work.txt"), "work\n");
    const place = ["--plan", "plan.md", "--step", "step-1", "--worktree", worktree, "--claim", String(claim)];
    const { stdout } = await committingThen(
      shop,
      () => shop.start("commit", ...place, "--json"),
      MEANWHILE[0].verb,
    );
    expect(JSON.parse(stdout.trim()).data).toMatchObject({ completed: false, state_update_failed: true });
    expect(tip(shop)).toBe(before);
    expect(shop.repo.git("-C", worktree, "status", "--porcelain")).toBe("A  work.txt");
    expect(shop.repo.git("show", `${lateRefs(shop)}:work.txt`)).toBe("work");
  });

  it("on a person's own branch: the commit stays there, and completes nothing", async () => {
    const shop = runShop([{ number: "1" }]);
    expect(shop.pawl("state", "init", "plan.md")).toMatchObject({ code: 0 });
    shop.pawl("state", "claim", "plan.md", "--worktree", ".");
    shop.repo.write("work.txt", "work\n");
    const place = ["--plan", "plan.md", "--step", "step-1", "--worktree", "."];
    await committingThen(shop, () => shop.start("commit", ...place, "--claim", "1"), MEANWHILE[0].verb);
    expect(tip(shop, "main")).toBe(tip(shop, lateRefs(shop)));
    shop.pawl("state", "retry", "plan.md", "step-1");
    shop.pawl("recover", "--auto");
    expect(shop.steps()).toEqual(["step-1 pending"]);
  });

  it("of two workers: only the other one's step lands", async () => {
    const shop = runShop([
      { number: "1", tasks: ["dig"] },
      { number: "2", tasks: ["build"] },
    ]);
    const { begun, go } = waitingHook(shop);
    const { ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    await untilThere(begun);
    const waiting = shop.query(
      "select anchor from commit_intents where closed_at is null order by created_at",
    );
    const step = String(waiting[0]!["anchor"]);
    expect(shop.pawl("state", "hold", "plan.md", step)).toMatchObject({ code: 0 });
    go();
    await ended;
    const other = step === "step-1" ? "step-2" : "step-1";
    expect(shop.steps().toSorted()).toEqual([`${step} on_hold`, `${other} completed`].toSorted());
    expect(shop.commits()).toEqual([other]);
  });
});

describe("a step that changes hands right after the branch has moved", () => {
  /** A worker's worktree with a commit that is about to land, and ports whose next move of a branch is followed by a hold. */
  async function aboutToLand(shop: RunShop, isCheckedOut: boolean) {
    const ports = await compose({ cwd: shop.repo.path, env: cleanEnv() });
    const pawl = pawlOn(ports);
    await pawl.init({ plan: "plan.md" });
    if (isCheckedOut) await pawl.createWorktree({ plan: "plan.md" });
    else await ensureIntegration(ports, "plan.md");
    const { worktreePath } = await pawl.createWorktree({
      plan: "plan.md",
      base: "pawl/plan",
      name: "plan-w1",
    });
    const { claim } = await pawl.claim({ plan: "plan.md", worktree: worktreePath });
    await pawl.start({ plan: "plan.md", step: "step-1", worktree: worktreePath, claim: claim! });
    writeFileSync(join(worktreePath, "work.txt"), "work\n");
    shop.repo.git("-C", worktreePath, "add", "-A");
    shop.repo.git("-C", worktreePath, "commit", "-q", "-m", "work");
    const commit = shop.repo.git("-C", worktreePath, "rev-parse", "HEAD");
    const caller = { worktree: ports.repository.worktree(worktreePath), claim: claim! };
    const moved: string[] = [];
    const thenHold = async (isMoved: boolean): Promise<boolean> => {
      moved.push(tip(shop));
      if (moved.length === 1) await hold(ports, { plan: "plan.md", step: "step-1" });
      return isMoved;
    };
    const disturbed: Ports = {
      ...ports,
      branches: async () => {
        const branches = await ports.branches();
        return { ...branches, advance: async (...move) => thenHold(await branches.advance(...move)) };
      },
      worktrees: async () => {
        const worktrees = await ports.worktrees();
        return { ...worktrees, fastForward: async (...way) => thenHold(await worktrees.fastForward(...way)) };
      },
    };
    const landing = {
      operand: "plan.md",
      plan: "plan.md",
      anchor: "step-1",
      caller,
      claim: claim!,
      commit,
      goal: { branch: "pawl/plan", from: "pawl/plan-w1" },
    };
    return { commit, moved, land: () => landAndComplete(disturbed, landing), close: () => pawl.close() };
  }

  it.each([
    { where: "it is not checked out", isCheckedOut: false },
    { where: "a worktree has it, whose files go back with it", isCheckedOut: true },
  ])("takes the branch back where $where", async ({ isCheckedOut }) => {
    const shop = runShop([{ number: "1" }]);
    const before = tip(shop, "main");
    const { commit, moved, land, close } = await aboutToLand(shop, isCheckedOut);
    await expect(land()).rejects.toMatchObject({ problem: "claim/fenced-off" });
    await close();
    expect(moved[0]).toBe(commit);
    expect(tip(shop)).toBe(before);
    expect(shop.repo.git("rev-parse", lateRefs(shop))).toBe(commit);
    const checkout = join(shop.repo.path, ".pawl/worktrees/plan");
    expect(existsSync(join(checkout, "work.txt"))).toBe(false);
    if (isCheckedOut) expect(shop.repo.git("-C", checkout, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(shop.worktree(), "work.txt"), "utf8")).toBe("work\n");
    expect(shop.query("select event from events where event like 'landing-%'")).toEqual([
      { event: "landing-taken-back" },
    ]);
  });
});
