import { expect, it } from "vitest";
import type { Ports } from "../../platform/ports/ports.ts";
import { setUpWorkerWorktree, type WorkerWorktree } from "./worker-worktree.ts";

it("sends no worker to a worktree that was removed after it was chosen", async () => {
  const worktree = { path: "/shop/improve" };
  const ports = {
    worktrees: async () => ({ state: () => "gone" }),
    locks: async () => ({ during: (_name: string, work: () => unknown) => work() }),
  } as unknown as Ports;
  const chosen = {
    worktree,
    branch: "pawl/improve",
    warnings: [],
    made: { worktree, branch: "pawl/improve", isNew: false, newBranchAt: undefined },
  } as unknown as WorkerWorktree;
  await expect(setUpWorkerWorktree(ports, chosen, undefined)).rejects.toThrow(
    "/shop/improve was removed before anything was begun there.",
  );
});
