import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { AGENT, type Acts, GOOD, type RunShop, runShop } from "../support/run-shop.ts";

/** Agents commit by themselves. The step is one commit all the same: nothing has verified theirs one by one. */

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

it("an agent's own commits become the step's one commit, which names them; they stay under a ref", async () => {
  const shop = digging();
  expect((await shop.run()).code).toBe(0);
  expect(log(shop, "%s")).toEqual(["Work 1"]);
  expect(shop.repo.git("log", "-1", "--format=%b", "pawl/plan")).toContain("- first half\n- second half");
  expect(shop.commits()).toEqual(["step-1"]);
  const kept = shop.repo.git("for-each-ref", "--format=%(subject) %(authorname)", "refs/pawl/rescue");
  expect(kept).toBe("second half Ada");
});

it("a single commit of the agent's gives the step's commit its words", async () => {
  const shop = digging([...GOOD, { sh: "git add -A && git commit -q -m 'Dig a hole' -m 'It is deep.'" }]);
  expect((await shop.run()).code).toBe(0);
  expect(log(shop, "%s")).toEqual(["Dig a hole"]);
  expect(shop.repo.git("log", "-1", "--format=%b", "pawl/plan")).toContain("It is deep.");
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

it("what the agent left uncommitted is in the same commit", async () => {
  const shop = digging([...COMMITTED, { write: "late.txt", text: "late\n" }]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
  expect(log(shop, "%s")).toHaveLength(1);
  expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("late.txt");
});

it("a step without changes has an empty commit", async () => {
  const shop = digging([GOOD.at(-1)!]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
});

const TICKED = GOOD.at(-1)!;

it("a person's commit stays as it is, on their branch and on the plan's", async () => {
  const shop = digging([{ sh: "git checkout -q feature" }, TICKED]);
  shop.repo.git("branch", "feature");
  const before = shop.repo.git("rev-parse", "feature");
  await shop.run();
  expect(shop.repo.git("merge-base", before, "feature")).toBe(before);
  expect(log(shop, "%s")).not.toContain(shop.repo.git("log", "-1", "--format=%s", before));
});

it("a commit that another branch has stays there", async () => {
  const shop = digging([
    { sh: "echo more > more.txt && git add -A && git commit -q -m seen && git branch elsewhere" },
    TICKED,
  ]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.repo.git("log", "-1", "--format=%s", "elsewhere")).toBe("seen");
  expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).toContain("more.txt");
  expect(shop.commits()).toEqual(["step-1"]);
});

it.each([
  ["with a message that is too long", "git add -A && yes long | head -c 300000 | git commit -q -F -"],
  ["whose message is a control character", "git add -A && printf '\\001' | git commit -q -F -"],
  ["without a message", "git add -A && git commit -q --allow-empty-message -m ''"],
  ["while a merge is open", "git add -A && git commit -q -m own && git merge -q --no-commit -s ours side"],
  ["with bytes that are no text", "git add -A && printf 'a\\377b' | git commit -q -F -"],
])("an agent's commit %s becomes part of the step's", async (_, sh) => {
  const shop = digging([...GOOD, { sh }]);
  shop.repo.git("branch", "side", shop.repo.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "side"));
  expect((await shop.run()).code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
  expect(shop.steps()).toEqual(["step-1 completed"]);
});

it("a hook that refuses is quoted, also where the agent committed everything", async () => {
  const shop = digging([...GOOD, { sh: "git add -A && git commit -q --no-verify -m own" }]);
  const hook = join(shop.repo.path, ".git/hooks/pre-commit");
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho the hook says no >&2\nexit 1\n", { mode: 0o755 });
  const { code, stdout, stderr } = await shop.run();
  expect(code).toBe(5);
  expect(`${stdout}${stderr}`).toContain("the hook says no");
  expect(`${stdout}${stderr}`).not.toContain("E130");
});

it.each([
  ["before", 'kill -9 "$PPID"; exit 1'],
  ["after", 'git "$@"; kill -9 "$PPID"; exit 1'],
])("a runner that is killed right %s it takes them off its branch makes one commit", (_, script) => {
  const shop = digging();
  const env = { ...shop.env, ...gitThat(shop.repo.path, "is one commit", script) };
  expect(pawl({ cwd: shop.repo.path, env }, "run", "plan.md", ...AGENT).code).not.toBe(0);
  expect(shop.pawl("resume").code).toBe(0);
  expect(log(shop, "%s")).toEqual(["Work 1"]);
  expect(shop.commits()).toEqual(["step-1"]);
  expect(shop.steps()).toEqual(["step-1 completed"]);
});
