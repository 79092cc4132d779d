import { expect, it } from "vitest";
import type { Ports } from "../../platform/ports/index.ts";
import { prepareOwnWorktree } from "./own-worktree.ts";

it("sends nobody to a worktree that was removed after it was listed", async () => {
  const worktrees = { list: async () => [{ path: "/shop/improve" }], look: () => "gone" };
  const ports = { worktrees: async () => worktrees } as unknown as Ports;
  const place = {
    worktree: { id: "improve", path: "/shop/improve" },
    branch: "pawl/improve",
    warnings: [],
  };
  await expect(prepareOwnWorktree(ports, place, { isNew: false, interruption: undefined })).rejects.toThrow(
    "/shop/improve was removed before anything was begun there.",
  );
});
