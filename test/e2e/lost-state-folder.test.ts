import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawl, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { GOOD, runShop, type RunShop } from "../support/run-shop.ts";
import { ok, PLAN, refused, workshop } from "../support/workshop.ts";

const TWO = [
  { number: "1", title: "Dig" },
  { number: "2", title: "Build", dependsOn: ["step-1"] },
] as const;

/** A plan that was run to its end, and the folder with Pawl's state is deleted. */
async function forgotten({ withKey }: { readonly withKey: boolean }): Promise<RunShop> {
  const shop = runShop(TWO);
  expect((await shop.run()).code).toBe(0);
  for (const name of withKey ? ["pawl"] : ["pawl", "pawl-proof"])
    rmSync(join(shop.repo.path, ".git", name), { recursive: true });
  return shop;
}

const DONE = ["step-1 completed", "step-2 completed"];

// proves G-lost-database-comes-back
describe("a state folder that was deleted", () => {
  it("is noticed by every verb, and nothing begins anew", async () => {
    const shop = await forgotten({ withKey: true });
    for (const args of [
      ["status"],
      ["recover"],
      ["state", "init", PLAN],
      ["state", "show", PLAN],
      ["state", "claim", PLAN, "--worktree", "."],
      ["worktree", "create", PLAN],
    ]) {
      const issue = refused(pawlJson({ cwd: shop.repo.path }, ...args), "E083", 3);
      expect(issue.message).toContain("Pawl was used in this repository");
      expect(issue.message).toContain("2 branches of plans");
      expect(issue.hint).toContain("`pawl state reconcile PLAN`");
    }
    expect((await shop.run()).code).toBe(3);
    const doctor = JSON.stringify(shop.json("doctor"));
    expect(doctor).toContain("Pawl was used in this repository");
    expect(shop.starts("step-1")).toBe(1);
    expect(existsSync(join(shop.repo.path, ".git/pawl/state.db"))).toBe(false);
  });

  it("is made good from what git holds: the key lies beside it, too", async () => {
    const shop = await forgotten({ withKey: true });
    expect(shop.pawl("init").code).toBe(0);
    expect(shop.pawl().stdout).toMatch(
      /^Needs you +plan\.md has no state here[^]*^Next +pawl state reconcile plan\.md$/m,
    );
    const answer = shop.json("state", "reconcile", PLAN);
    expect(answer.data).toMatchObject({ reconciled_count: 2, proposals: [] });
    expect(shop.steps()).toEqual(DONE);
    expect((await shop.run()).stdout).toContain("All steps are completed");
    expect(shop.starts("step-1")).toBe(1);
  });

  it("is proposed to a person where the key is gone as well, and a run does not begin anew", async () => {
    const shop = await forgotten({ withKey: false });
    refused(pawlJson({ cwd: shop.repo.path }, "status"), "E083", 3);
    expect(shop.pawl("init").code).toBe(0);
    const run = await shop.run("--json");
    expect(run.code).toBe(4);
    expect(run.stdout).toContain("E387");
    expect(run.stdout).toContain("pawl state reconcile plan.md");
    expect(shop.starts("step-1")).toBe(1);
    const answer = shop.json("state", "reconcile", PLAN);
    expect(answer.data).toMatchObject({
      reconciled_count: 0,
      proposals: [{ kind: "unsigned" }, { kind: "unsigned" }],
    });
    shop.pawl("state", "reconcile", PLAN, "--trust-unsigned");
    expect(shop.steps()).toEqual(DONE);
  });

  it.each([true, false])("can be left behind on purpose (with its key: %s)", async (withKey) => {
    const shop = await forgotten({ withKey });
    expect(shop.pawl("init").code).toBe(0);
    refused(pawlJson({ cwd: shop.repo.path }, "state", "init", PLAN), "E387", 4);
    const inSession = { cwd: shop.repo.path, env: { PAWL_SESSION: "s-1" } };
    expect(pawl(inSession, "state", "init", PLAN, "--afresh").code).not.toBe(0);
    ok(pawlJson({ cwd: shop.repo.path }, "state", "init", PLAN, "--afresh"));
    shop.script({ runs: [[{ write: "again/{step}.txt" }, { tick: "all" }]] });
    expect((await shop.run()).code).toBe(0);
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.steps()).toEqual(DONE);
    // Nothing of before was removed.
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-1", "step-2"]);
  });
});

describe("what is no sign of a lost state", () => {
  it("a repository that Pawl never worked in, and a snapshot that was taken in it", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, planText([{ number: "1" }]));
    writeFileSync(join(shop.home, "new.txt"), "new\n");
    ok(shop.json("snapshot", "take"));
    expect(shop.text("status").stdout).toContain("No plan has started here");
    ok(shop.json("state", "init", PLAN));
  });

  it("commits of another plan of this name", async () => {
    const shop = runShop(TWO);
    expect((await shop.run()).code).toBe(0);
    for (const name of ["pawl", "pawl-proof"])
      rmSync(join(shop.repo.path, ".git", name), { recursive: true });
    expect(shop.pawl("init").code).toBe(0);
    shop.repo.write(PLAN, planText([{ number: "1", title: "Paint" }]));
    shop.repo.git("commit", "-q", "-a", "-m", "another plan");
    ok(pawlJson({ cwd: shop.repo.path }, "state", "init", PLAN));
  });

  it("a worktree whose plan cannot be saved yet", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, "# Nothing\n\n- [ ] same\n- [ ] same\n");
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "a plan");
    expect(ok(shop.json("worktree", "create", PLAN))["state_initialized"]).toBe(false);
    shop.repository.write(PLAN, planText([{ number: "1" }]));
    ok(shop.json("state", "init", PLAN));
  });
});

it("names what brings the state back where it is deleted during a run, and no session to resume", async () => {
  const shop = runShop(TWO);
  const gone = join(shop.repo.path, ".git/pawl");
  shop.script({ steps: { "step-1": [[{ sh: `rm -rf "${gone}"` }, ...GOOD]] } });
  const { code, stdout, stderr } = await shop.run();
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain("pawl resume");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("`pawl state reconcile plan.md`");
});
