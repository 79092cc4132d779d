import { expect, it } from "vitest";
import { planText, type StepSpec } from "../support/plans.ts";
import { type RunShop, runShop } from "../support/run-shop.ts";

const ONE: readonly StepSpec[] = [{ number: "1", tasks: ["dig"] }];
const TWO: readonly StepSpec[] = [...ONE, { number: "2", tasks: ["build"] }];

const FOUND = "plan.md has changes that the next run or claim takes over: added step-2.";

const counts = (shop: RunShop) =>
  shop.query("select (select count(*) from steps) as steps, (select count(*) from events) as events");

it("a committed edit is shown before it is taken over, and no verb that shows it writes", async () => {
  const shop = runShop(ONE);
  expect((await shop.run()).code).toBe(0);
  shop.repo.write("plan.md", planText(TWO));
  shop.repo.git("commit", "-qam", "more");
  const before = counts(shop);
  const findings = shop.json("recover", "--dry-run").data.findings;
  expect(findings).toMatchObject([{ rule: "plan-newer", subject: "plan.md", found: FOUND, choices: [] }]);
  expect(shop.json("status").data.findings).toMatchObject([{ rule: "plan-newer" }]);
  const words = (...args: string[]) => shop.pawl(...args).stdout.replaceAll(/\s+/g, " ");
  expect(words("status")).toContain(FOUND);
  expect(words()).toContain(FOUND);
  expect(words()).toContain("pawl run plan.md");
  expect(counts(shop)).toEqual(before);
  expect((await shop.run()).code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  expect(shop.json("recover", "--dry-run").data.findings).toEqual([]);
});

it("a committed edit of steps whose work has begun is not said to be taken over", async () => {
  const shop = runShop(ONE);
  expect((await shop.run()).code).toBe(0);
  shop.repo.write("plan.md", planText([{ number: "1", tasks: ["dig deeper"] }, TWO[1]!]));
  shop.repo.git("commit", "-qam", "deeper");
  expect(shop.json("recover", "--dry-run").data.findings).toMatchObject([
    {
      rule: "plan-newer",
      found:
        "plan.md has changes that the next run or claim takes over: added step-2; edited step-1. Work on step-1 has begun: it is kept, and if its text changed, a person decides.",
    },
  ]);
  expect(shop.pawl("status").stdout).toContain("pawl run plan.md\n");
});

it("a committed tick is shown before it is taken over", () => {
  const shop = runShop(ONE);
  shop.repo.write("todo.md", "# Todo\n\n- [ ] T001 Dig\n- [ ] T002 Build\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "list");
  expect(shop.pawl("state", "init", "todo.md").code).toBe(0);
  shop.repo.write("todo.md", "# Todo\n\n- [ ] T001 Dig\n- [x] T002 Build\n");
  const findings = () => shop.json("recover", "todo.md", "--dry-run").data.findings;
  expect(findings()).toEqual([]);
  shop.repo.git("commit", "-qam", "done by hand");
  expect(findings()).toMatchObject([
    {
      rule: "plan-newer",
      found: "todo.md has changes that the next run or claim takes over: completed in the file: T002.",
    },
  ]);
});

it("a new plan under the name of an old one is begun as a whole when a person says so", async () => {
  const shop = runShop(TWO);
  expect((await shop.run()).code).toBe(0);
  const fresh: readonly StepSpec[] = [
    { number: "1", title: "Draw the logo", tasks: ["draw"] },
    { number: "2", title: "Choose colours", tasks: ["choose"], dependsOn: ["step-1"] },
  ];
  shop.repo.write("plan.md", planText(fresh));
  shop.repo.git("commit", "-qam", "another plan");
  expect(await shop.run("--auto-continue")).toMatchObject({
    code: 5,
    stdout: expect.stringContaining(
      "2 steps wait for a decision about an edit; all others are completed.",
    ) as string,
  });
  const claimed = shop.pawl("state", "claim", "plan.md", "--worktree", ".");
  expect(claimed.code).toBe(6);
  expect(claimed.stdout).not.toContain("All steps are completed");
  const { findings } = shop.json("recover", "--dry-run").data;
  expect(findings[0].choices.map(({ key }: { key: string }) => key)).toEqual(["A", "N", "W", "K"]);
  const answered = shop.json("recover", "plan.md", "--answer", "step-edited:step-1=W");
  expect(JSON.stringify(answered.data)).toContain("the state of the old one is in ");
  expect(shop.steps()).toEqual(["step-1 pending", "step-2 pending"]);
  expect((await shop.run("--auto-continue")).code).toBe(0);
  expect([shop.starts("step-1"), shop.starts("step-2")]).toEqual([2, 2]);
  expect(shop.json("recover", "--dry-run").data.findings).toEqual([]);
});
