import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { lateRef } from "./late-result.ts";

it.each([
  ["plan.md", "step-1", "refs/pawl/late/plan.md/step-1/3"],
  ["docs/a plan.md", "step-1", "refs/pawl/late/docs-a-plan.md/step-1/3"],
  ["../x..y/", "..", "refs/pawl/late/x.y/x/3"],
  ["plan.lock", "a.lock.lock", "refs/pawl/late/plan/a/3"],
  ["plan.lock-", "a.lock.-", "refs/pawl/late/plan/a/3"],
  ["ä@{1}~^:?*[\\", "-.-", "refs/pawl/late/1/x/3"],
])("a late result of %s %s is kept under a name that git takes", (plan, anchor, expected) => {
  const ref = lateRef(plan, anchor, 3);
  expect([ref, spawnSync("git", ["check-ref-format", ref]).status]).toEqual([expected, 0]);
});
