import { expect, it } from "vitest";
import { pawlAsync } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { AGENT, runShop } from "../support/run-shop.ts";

const LONG = "a".repeat(75);

/** Pairs of plans whose branches, or whose workers' branches, would have the same name. */
const PAIRS = [
  { name: "a worker's branch of the other", plans: ["plan.md", "plan-w1.md"] },
  { name: "the other's first worker", plans: ["plan-w1.md", "plan.md"] },
  { name: "the same first 70 characters", plans: [`${LONG}-one.md`, `${LONG}-two.md`] },
  { name: "the same letters in another case", plans: ["Notes.md", "notes.md"] },
] as const;

it.each(PAIRS)("two plans run one after the other although one has $name", async ({ plans }) => {
  const shop = runShop();
  for (const plan of plans) shop.repo.write(plan, planText([{ number: "1", tasks: ["dig"] }], plan));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "two plans");
  const at = { cwd: shop.repo.path, env: shop.env };
  for (const plan of plans) {
    const { code, stderr } = await pawlAsync(at, "run", plan, ...AGENT);
    expect(code, stderr).toBe(0);
  }
  const branches = shop.repo
    .git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/pawl")
    .split("\n");
  expect(branches).toHaveLength(4);
  expect(new Set(branches.map((name) => name.toLowerCase())).size).toBe(4);
});

it("a worker leaves a folder alone that is in its place, and takes the next one", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  shop.repo.write(".pawl/worktrees/plan-w1/mine.txt", "mine\n");
  const { code, stdout, stderr } = await shop.run();
  expect(code, stderr).toBe(0);
  expect(stdout.replace(/\s+/g, " ")).toContain("plan-w1 is not a git worktree");
  expect(shop.repo.git("branch", "--list", "pawl/plan-w2")).toContain("pawl/plan-w2");
});

it("a spec folder is known by its number and by its own name", () => {
  const shop = runShop();
  const plan = { phases: [{ id: "1", subtasks: [{ id: "a", description: "Build", status: "pending" }] }] };
  for (const name of ["001-shop", "002-shed", "0021-other"])
    shop.repo.write(`.auto-claude/specs/${name}/implementation_plan.json`, JSON.stringify(plan));
  const keyOf = (name: string) => shop.json("state", "init", name).data?.plan_path;
  expect(["001", "001-shop", "002"].map(keyOf)).toEqual([
    ".auto-claude/specs/001-shop",
    ".auto-claude/specs/001-shop",
    ".auto-claude/specs/002-shed",
  ]);
  shop.repo.write(".auto-claude/specs/002-more/implementation_plan.json", JSON.stringify(plan));
  expect(shop.json("state", "init", "002").issues).toMatchObject([{ code: "E495" }]);
  expect(shop.json("state", "init", "003").issues).toMatchObject([{ code: "E054" }]);
});
