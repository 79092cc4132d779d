import { describe, expect, it } from "vitest";
import { distinctSlug, isWorktreeName, planSlug, workerNames } from "./plan-branch.ts";

describe("planSlug", () => {
  it.each([
    ["plan.md", "plan"],
    ["docs/plans/tugplan-1.md", "tugplan-1"],
    ["My Plan (v2).md", "My-Plan-v2"],
    ["überbau.md", "überbau"],
    ["u\u0308berbau.md", "überbau"],
    ["a..b.md", "a.b"],
    ["x.lock.md", "x"],
    [".hidden", "hidden"],
    ["-rf.md", "rf"],
    ["~^:?*[\\.md", "plan"],
    ["…/\u202e.md", "plan"],
    [`${"a".repeat(300)}.md`, "a".repeat(80)],
  ])("%j is %j", (key, slug) => {
    expect(planSlug(key)).toBe(slug);
  });

  it("tells plans of one name apart by their path", () => {
    expect(distinctSlug("a/plan.md", "0123456789abcdef")).toBe("plan-01234567");
  });
});

describe("isWorktreeName", () => {
  it.each(["plan", "plan-w2", "überbau", "v1.2"])("takes %j", (name) => {
    expect(isWorktreeName(name)).toBe(true);
  });

  it.each(["", "..", "-x", "a/b", "a b", "x.lock", ".git", "a..b", "a\nb"])("refuses %j", (name) => {
    expect(isWorktreeName(name)).toBe(false);
  });
});

describe("workerNames", () => {
  it("are names that a worktree can have, however long the plan's is", () => {
    for (const slug of ["plan", "a".repeat(80), `${"a".repeat(69)}.b`]) {
      const names = workerNames(slug);
      expect(names[0]).toMatch(/[a-z]-w1$/);
      expect(names.filter((name) => !isWorktreeName(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
