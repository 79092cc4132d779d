import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastJson } from "../support/cli.ts";
import { AGENT, GOOD, runShop } from "../support/run-shop.ts";

/** Runs whose check fails, whatever the agents do. */

const stepsTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: String(index + 1), tasks: ["dig"] }));

/** Passes once there is a file outside of every worktree. */
const UNTIL_OK = `[verify]\ncommand = ["test", "-e", "../../../../ok"]\n`;
const BAD = [{ write: "work/bad" }, ...GOOD];
const UNLESS_BAD = `["test", "!", "-e", "work/bad"]`;

describe("a check that always fails", () => {
  it("ends the run after three steps, which continues once the check is fixed", async () => {
    const shop = runShop(stepsTo(5), UNTIL_OK);
    const { code, stdout, stderr } = await shop.run();
    const words = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(5);
    expect(words).toMatch(/^Stopped claiming steps\. /);
    expect(words).toContain(
      "because test -e ../../../../ok blocked 3 steps in a row (step-1, step-2, step-3), and none passed in between. " +
        "Run it by hand in a clean checkout of pawl/plan; " +
        "once it is repaired: pawl state retry plan.md --all-blocked",
    );
    expect(words).toContain("resume with: pawl resume s-");
    expect(stderr).toContain("the run claims no more steps: test -e ../../../../ok blocked 3 steps in a row");
    expect(["step-1", "step-3", "step-4", "step-5"].map(shop.starts)).toEqual([3, 3, 0, 0]);
    expect(shop.query("select status, interruption_type, resumable from sessions")).toEqual([
      { status: "interrupted", interruption_type: "unknown", resumable: 1 },
    ]);
    expect(shop.pawl("status").stdout).toMatch(/interrupted .* for an unknown reason/);

    writeFileSync(shop.path("ok"), "");
    for (const step of ["step-1", "step-2", "step-3"])
      expect(shop.pawl("state", "retry", "plan.md", step).code).toBe(0);
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual([1, 2, 3, 4, 5].map((number) => `step-${number} completed`));
  });

  it("ends a run as ever where nothing else is ready", async () => {
    const shop = runShop(stepsTo(3), UNTIL_OK);
    expect(lastJson(await shop.run("--json")).data).toMatchObject({ ended: "stuck", resume_with: null });
    expect(shop.query("select status from sessions")).toEqual([{ status: "failed" }]);
  });

  it("is reported to programs, too", async () => {
    const shop = runShop(stepsTo(4), UNTIL_OK);
    expect(lastJson(await shop.run("--json")).data).toMatchObject({
      ended: "halted",
      because: expect.stringContaining("3 steps in a row"),
      resume_with: expect.stringMatching(/^pawl resume s-/),
      blocked: [{ anchor: "step-1" }, { anchor: "step-2" }, { anchor: "step-3" }],
    });
  });

  it("is no such check when a step passes in between", async () => {
    const shop = runShop(stepsTo(5), `[verify]\ncommand = ${UNLESS_BAD}\n`);
    shop.script({ runs: [BAD], steps: { "step-3": [GOOD] } });
    expect(await shop.run()).toMatchObject({
      code: 5,
      stdout: expect.stringContaining("No step can be claimed now."),
    });
    expect(shop.steps().map((line) => line.split(" ")[1])).toEqual([
      "blocked",
      "blocked",
      "completed",
      "blocked",
      "blocked",
    ]);
  });

  it("lets the other workers bring to an end what they have", async () => {
    const shop = runShop(stepsTo(4), `[verify]\ncommand = ${UNLESS_BAD}\nstop_after = 1\n`);
    // The worker with the second step waits until the run has said that it hands out nothing more.
    shop.script({ runs: [BAD], steps: { "step-2": [[{ waitFor: shop.path("halted") }, ...GOOD]] } });
    const run = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    run.child.stderr!.on("data", (text: string) => {
      if (text.includes("the run claims no more steps")) writeFileSync(shop.path("halted"), "");
    });
    const { code, stdout } = await run.ended;
    expect({ code, first: stdout.split("\n")[0] }).toEqual({
      code: 5,
      first: "Stopped claiming steps.",
    });
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed", "step-3 pending", "step-4 pending"]);
  });
});

it("tells attempts by the number that the limit counts", async () => {
  const shop = runShop(stepsTo(1));
  writeFileSync(join(shop.repo.path, ".git/hooks/pre-commit"), "#!/bin/sh\necho no; exit 1\n", {
    mode: 0o755,
  });
  const { code, stderr } = await shop.run();
  expect(code).toBe(5);
  // A commit that is refused has a place of its own in the record.
  expect(shop.query("select number from attempts order by number").map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6,
  ]);
  expect(stderr.match(/verifying \(attempt \d+\)/g)).toEqual(
    [1, 2, 3].map((n) => `verifying (attempt ${n})`),
  );
});

it("offers to verify a blocked step where its work was done, or is kept", async () => {
  const shop = runShop(stepsTo(2), UNTIL_OK);
  expect((await shop.run()).code).toBe(5);
  interface Explained {
    readonly options: readonly string[];
  }
  const offered = (...step: readonly string[]) =>
    (shop.json("explain", "plan.md", ...step).data.steps as readonly Explained[])
      .flatMap(({ options }) => options)
      .filter((option) => option.startsWith("pawl verify"));
  expect(offered()).toEqual(["pawl verify plan.md step-1", "pawl verify plan.md step-2"]);
  writeFileSync(shop.path("ok"), "");
  for (const step of ["step-2", "step-1"]) expect(shop.pawl("verify", "plan.md", step).code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
});
