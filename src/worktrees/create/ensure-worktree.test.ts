import { expect, it } from "vitest";
import { Failure } from "../../domain/errors.ts";
import type { Branches } from "../../platform/ports/branches.ts";
import type { Ports } from "../../platform/ports/ports.ts";
import type { Worktrees } from "../../platform/ports/worktrees.ts";
import { ensureWorktree } from "./ensure-worktree.ts";
import type { OpenedPlan } from "../../plans/open-plan.ts";

const KEY = "plan.md";

it("tells a git that fails at once, while the plan is still being read", async () => {
  const worktrees: Partial<Worktrees> = {
    clearHalfMade: async () => [],
    pathFor: (name) => `/trees/${name}`,
    mainIfFree: () => ({ path: "/main", isMain: true, isBare: false, branch: "main", head: undefined }),
    occupantOf: () => "nothing",
    add: async () => {
      throw new Failure("git/failed", "git died.", {});
    },
  };
  const branches: Partial<Branches> = {
    marks: () => new Map(),
    planBranch: async (name) => ({
      name,
      commit: "a".repeat(40),
      mark: { plan: KEY, base: "main", start: "a".repeat(40) },
    }),
  };
  const ports = { worktrees: async () => worktrees, branches: async () => branches } as unknown as Ports;
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const totalSteps = () => new Promise<number>((resolve) => void setImmediate(() => resolve(1)));
    const plan = { key: KEY, totalSteps } as OpenedPlan;
    await expect(ensureWorktree(ports, plan, {})).rejects.toThrow("git died.");
  } finally {
    process.off("unhandledRejection", hear);
  }
  expect(unheard).toEqual([]);
});
