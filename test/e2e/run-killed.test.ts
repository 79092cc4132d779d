import { describe, expect, it } from "vitest";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

/** What people see of a run of three workers that was killed with -9. */

const FOUR = ["1", "2", "3", "4"].map((number) => ({ number, tasks: ["dig"] }));
const HELD = ["step-1", "step-2", "step-3"];

/** Until each of the workers has its agent at work. */
async function threeAtWork(shop: RunShop) {
  shop.script({ runs: [[{ hang: true }]] });
  const run = shop.start("run", "plan.md", "--workers", "3", ...AGENT);
  await until(() => HELD.every((step) => shop.starts(step) === 1));
  return run;
}

interface Step {
  readonly anchor: string;
  readonly owner_gone: boolean;
  readonly status: string;
}

const gone = (shop: RunShop) =>
  (shop.json("state", "show", "plan.md").data.plan.steps as Step[])
    .filter(({ owner_gone }) => owner_gone)
    .map(({ anchor }) => anchor);

describe("a run that is killed", () => {
  it("leaves steps that are shown as free for the next claim", async () => {
    const shop = runShop(FOUR);
    const { child, ended } = await threeAtWork(shop);
    expect(gone(shop)).toEqual([]);
    expect(shop.pawl("state", "show", "plan.md").stdout).not.toContain("is gone");
    child.kill("SIGKILL");
    await ended;
    expect(gone(shop)).toEqual(HELD);
    const text = shop.pawl("state", "show", "plan.md").stdout.replaceAll(/\s+/g, " ");
    expect(text.match(/claim 1; that session is gone, and the next claim may take it/g)).toHaveLength(3);
    expect(text).not.toContain("lease");
  });
});
