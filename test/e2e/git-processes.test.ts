import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { AGENT, runShop } from "../support/run-shop.ts";

/** Starting git is most of what a step costs beside its agent and its check, so their number is kept small. */
const MOST_PER_STEP = 14;

const FEW = 2;
const MORE = 8;
const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: String(index + 1), tasks: ["dig"] }));

/** How many git processes Pawl starts for a whole run. */
function gitsFor(count: number, settings: string, ...options: readonly string[]): number {
  const shop = runShop(steps(count), settings);
  const calls = join(shop.repo.path, ".git/calls");
  // The agent's own calls have no part in it.
  const env = gitThat(shop.repo.path, "", `[ -n "$PAWL_STEP" ] || echo >> "${calls}"`);
  rmSync(calls, { force: true });
  const at = { cwd: shop.repo.path, env: { ...shop.env, ...env } };
  expect(pawl(at, "run", "plan.md", ...options, ...AGENT).code).toBe(0);
  return existsSync(calls) ? readFileSync(calls).length : 0;
}

it.each([
  ["without a check", ""],
  ["with a check", '[verify]\ncommand = ["true"]\n'],
])("a step takes few git processes %s", (_, settings) => {
  const perStep = (gitsFor(MORE, settings) - gitsFor(FEW, settings)) / (MORE - FEW);
  expect(perStep).toBeGreaterThan(0);
  expect(perStep).toBeLessThanOrEqual(MOST_PER_STEP);
});

/** As many, and what it takes to build a step again where one ahead of it did not land. */
const MOST_BESIDE_OTHERS = MOST_PER_STEP + 2;

it("a step takes few git processes beside those of other workers", () => {
  const three = ["--workers", "3"];
  const perStep = (gitsFor(3 * MORE, "", ...three) - gitsFor(3 * FEW, "", ...three)) / (3 * (MORE - FEW));
  expect(perStep).toBeGreaterThan(MOST_PER_STEP / 2);
  expect(perStep).toBeLessThanOrEqual(MOST_BESIDE_OTHERS);
});
