import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AGENT, GOOD, runShop } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

it("a worktree that is deleted while its agent works: the block says that its files are gone, and a retry is enough", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  const go = shop.path("go");
  shop.script({ steps: { "step-1": [[{ write: "a.txt" }, { waitFor: go }, ...GOOD], GOOD] } });
  const { ended } = shop.start("run", "plan.md", ...AGENT);
  await until(() => shop.starts("step-1") === 1);
  rmSync(shop.worktree(), { recursive: true });
  writeFileSync(go, "");
  const { code, stderr } = await ended;
  expect({ code, stderr }).toMatchObject({ code: 5 });
  const [{ block_note: note }] = shop.query("select block_note from steps") as [{ block_note: string }];
  expect(note).not.toContain("Its files are in");
  expect(note).toContain(
    "Its uncommitted files are gone with that folder. No snapshot of this step was taken before.",
  );
  expect(shop.pawl("state", "retry", "plan.md", "step-1").code).toBe(0);
  const [finding] = shop.json("status").data.findings;
  expect(finding.found).toContain("A run that needs it recreates it from its branch without asking.");
  expect((await shop.run()).code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed"]);
  expect(shop.json("status").data.findings).toEqual([]);
});
