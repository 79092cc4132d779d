import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { AGENT, type Acts, GOOD, type RunShop, runShop } from "../support/run-shop.ts";

/** Agents commit by themselves. Then the step's commit is theirs, with what Pawl has to say added to it. */

const ONE = [{ number: "1", tasks: ["dig"] }];
const COMMITTED: Acts = [
  ...GOOD,
  { sh: "git add -A && git commit -q -m 'first half'" },
  {
    sh: "echo more > more.txt && git add -A && git commit -q --author='Ada <ada@example.org>' -m 'second half'",
  },
];

const log = (shop: RunShop, format: string): readonly string[] =>
  shop.repo.git("log", "--reverse", `--format=${format}`, "main..pawl/plan").trim().split("\n");

function digging(acts: Acts = COMMITTED): RunShop {
  const shop = runShop(ONE);
  shop.script({ runs: [acts] });
  return shop;
}

it("no empty commit comes on top of an agent's own", async () => {
  const shop = digging();
  expect((await shop.run()).code).toBe(0);
  expect(log(shop, "%s")).toEqual(["first half", "second half"]);
  expect(log(shop, "%an").at(-1)).toBe("Ada");
  expect(shop.commits()).toEqual(["step-1"]);
});

it("a lost database is read back from an agent's commit as from any other", async () => {
  const shop = digging();
  expect((await shop.run()).code).toBe(0);
  for (const name of ["state.db", "state.db-wal", "state.db-shm"])
    rmSync(join(shop.repo.path, ".git/pawl", name), { force: true });
  expect(shop.pawl("init").code).toBe(0);
  expect(shop.pawl("state", "reconcile", "plan.md").code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed"]);
});

it("what the agent left uncommitted gets a commit of its own", async () => {
  const shop = digging([...COMMITTED, { write: "late.txt", text: "late\n" }]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
  expect(log(shop, "%s")).toHaveLength(3);
});

it("a step without changes has an empty commit", async () => {
  const shop = digging([GOOD.at(-1)!]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
});

it.each([
  ["before", 'kill -9 "$PPID"; exit 1'],
  ["after", 'git "$@"; kill -9 "$PPID"; exit 1'],
])("a runner that is killed right %s it extends the commit does it once", (_, script) => {
  const shop = digging();
  const env = { ...shop.env, ...gitThat(shop.repo.path, "--amend", script) };
  expect(pawl({ cwd: shop.repo.path, env }, "run", "plan.md", ...AGENT).code).not.toBe(0);
  expect(shop.pawl("resume").code).toBe(0);
  expect(log(shop, "%s")).toEqual(["first half", "second half"]);
  expect(shop.commits()).toEqual(["step-1"]);
  expect(shop.steps()).toEqual(["step-1 completed"]);
});
