import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { chosenSeed, seededRandom } from "../support/random.ts";
import { runShop } from "../support/run-shop.ts";
import { pawlAsync } from "../support/cli.ts";

/**
 * `npm run test:landed -- full-checks`: plans with one regression that only the full check sees. The right step is named
 * each time, within the bound. `PAWL_PLANS=N`, `PAWL_SEED=N`.
 */

const PLANS = Number(process.env["PAWL_PLANS"] ?? "100");
const SEED = chosenSeed();
const sums = { plans: 0, steps: 0, searches: 0, runs: 0, atBound: 0 };

/** Fails where a file of the work says so, and leaves a letter for each time it ran. */
const full = (log: string): string => `printf x >> '${log}'
! grep -l broken work/* 2>/dev/null
`;

const most = (steps: number): number => Math.ceil(Math.log2(steps)) + 1;

it.each(Array.from({ length: PLANS }, (_, at) => at + 1))("plan %i", async (number) => {
  const random = seededRandom(SEED + number * 7919);
  const steps = 2 + random.below(11);
  const bad = 1 + random.below(steps);
  const workers = 1 + random.below(4);
  const every = random.chance(0.4) ? `full_every = ${1 + random.below(4)}\n` : "";
  const style = random.chance(0.25) ? '[landing]\nstyle = "merge"\n' : "";
  const shop = runShop(
    Array.from({ length: steps }, (_, at) => ({
      number: String(at + 1),
      ...(at > 0 && random.chance(0.3) ? { dependsOn: [`step-${1 + random.below(at)}`] } : {}),
    })),
    `[verify]\ncommand = ["true"]\nfull = ["sh", "full.sh"]\n${every}${style}`,
  );
  const log = shop.path("full.log");
  shop.repo.write("full.sh", full(log));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a full check");
  const agent = shop.path("agent.sh");
  writeFileSync(
    agent,
    `mkdir -p work\n[ "$PAWL_STEP" = step-${bad} ] && text=broken || text=fine\necho $text > "work/$PAWL_STEP.txt"\n`,
  );
  const at = { cwd: shop.repo.path, env: shop.env };
  const args = ["run", "plan.md", "--json", "--workers", String(workers), "--", "sh", agent];
  const { code, stdout, stderr } = await pawlAsync(at, ...args);
  expect(code, stdout + stderr).toBe(5);
  const { data } = JSON.parse(stdout.trim().split("\n").at(-1)!) as {
    data: { ended: string; culprit: { kind: string; anchor: string; commit: string } };
  };
  expect(data).toMatchObject({ ended: "full_failed", culprit: { kind: "step", anchor: `step-${bad}` } });
  expect(shop.repo.git("show", `${data.culprit.commit}:work/step-${bad}.txt`)).toBe("broken");
  const parent = shop.repo.git("ls-tree", "-r", "--name-only", `${data.culprit.commit}^1`);
  expect(parent.split("\n")).not.toContain(`work/step-${bad}.txt`);
  const ran = existsSync(log) ? readFileSync(log, "utf8").length : 0;
  const passed = shop.query("select id from events where event = 'full-passed'").length;
  // Without those that passed when they were due, and the one that failed.
  const search = ran - passed - 1;
  expect(search).toBeLessThanOrEqual(most(steps));
  sums.plans += 1;
  sums.steps += steps;
  sums.searches += search;
  sums.runs += ran;
  if (search === most(steps)) sums.atBound += 1;
});

afterAll(() => {
  const { plans, steps, searches, runs, atBound } = sums;
  console.log(
    `seed ${SEED}: ${plans} plans, ${steps} steps, the right step named ${plans} times; ${runs} full checks, ${(searches / plans).toFixed(2)} per search, ${atBound} searches as long as the bound allows`,
  );
});
