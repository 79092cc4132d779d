import type { GcAnswer, GcRequest } from "../flow/gc/gc.ts";
import type { CleanAnswer, CleanRequest } from "../flow/worktree-clean.ts";
import type { CreateAnswer, CreateRequest } from "../flow/worktree-create.ts";
import type { ListAnswer } from "../flow/worktree-list.ts";
import type { MergeAnswer, MergeRequest } from "../flow/worktree-merge.ts";
import type { RemoveAnswer, RemoveRequest } from "../flow/worktree-remove.ts";
import type { Ports } from "../ports/index.ts";

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
    (await import("../flow/worktree-create.ts")).createWorktree(ports, request),
  listWorktrees: async (request = {}) =>
    (await import("../flow/worktree-list.ts")).listWorktrees(ports, request),
  removeWorktree: async (request) =>
    (await import("../flow/worktree-remove.ts")).removeWorktree(ports, request),
  cleanWorktrees: async (request = {}) =>
    (await import("../flow/worktree-clean.ts")).cleanWorktrees(ports, request),
  gc: async (request = {}) => (await import("../flow/gc/gc.ts")).gc(ports, request),
  mergeWorktree: async (request) => (await import("../flow/worktree-merge.ts")).mergeWorktree(ports, request),
});
