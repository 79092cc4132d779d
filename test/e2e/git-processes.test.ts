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

const CHECK = '[verify]\ncommand = ["true"]\n';

/** Counted over the steps that a longer run has more than a short one: what a run takes by itself is in both. */
it.each([
  ["with one worker", "1", ""],
  ["with one worker and a check", "1", CHECK],
  ["with three workers", "3", ""],
  ["with three workers and a check", "3", CHECK],
])("a step takes few git processes %s", (_, workers, settings) => {
  const many = (count: number) => gitsFor(count * Number(workers), settings, "--workers", workers);
  const perStep = (many(MORE) - many(FEW)) / (Number(workers) * (MORE - FEW));
  expect(perStep).toBeGreaterThan(MOST_PER_STEP / 3);
  // Now and then a step is built again, because one ahead of it left the train: less than one process for each step.
  expect(perStep).toBeLessThan(MOST_PER_STEP + 1);
});
