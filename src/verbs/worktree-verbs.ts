import type { GcAnswer, GcRequest } from "../recovery/gc/gc.ts";
import type { CleanAnswer, CleanRequest } from "../worktrees/worktree-clean.ts";
import type { CreateAnswer, CreateRequest } from "../worktrees/create/worktree-create.ts";
import type { ListAnswer } from "../worktrees/worktree-list.ts";
import type { MergeAnswer, MergeRequest } from "../worktrees/merge/worktree-merge.ts";
import type { RemoveAnswer, RemoveRequest } from "../worktrees/worktree-remove.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that are about worktrees as such, not about the steps done in them. */
export interface WorktreeVerbs {
  /** Gives a plan a worktree and a branch of its own, or finds the ones it has. */
  createWorktree(request: CreateRequest): Promise<CreateAnswer>;
  listWorktrees(request?: { readonly size?: boolean | undefined }): Promise<ListAnswer>;
  /** Saves what is unsaved, then takes the worktree down; refuses one that somebody works in. */
  removeWorktree(request: RemoveRequest): Promise<RemoveAnswer>;
  cleanWorktrees(request?: CleanRequest): Promise<CleanAnswer>;
  /** Removes what finished work left behind. */
  gc(request?: GcRequest): Promise<GcAnswer>;
  /** Brings a plan's branch to its base, whole or not at all. */
  mergeWorktree(request: MergeRequest): Promise<MergeAnswer>;
}

export const worktreeVerbs = (ports: Ports): WorktreeVerbs => ({
  createWorktree: async (request) =>
    (await import("../worktrees/create/worktree-create.ts")).createWorktree(ports, request),
  listWorktrees: async (request = {}) =>
    (await import("../worktrees/worktree-list.ts")).listWorktrees(ports, request),
  removeWorktree: async (request) =>
    (await import("../worktrees/worktree-remove.ts")).removeWorktree(ports, request),
  cleanWorktrees: async (request = {}) =>
    (await import("../worktrees/worktree-clean.ts")).cleanWorktrees(ports, request),
  gc: async (request = {}) => (await import("../recovery/gc/gc.ts")).gc(ports, request),
  mergeWorktree: async (request) =>
    (await import("../worktrees/merge/worktree-merge.ts")).mergeWorktree(ports, request),
});
