// The door of this room: other rooms import from here alone.
export { type NewWorktree, prepareWorktree } from "./create/prepare-worktree.ts";
export { type CreateAnswer, type CreateRequest, addUnprepared } from "./create/worktree-create.ts";
export type { MergeCandidate, MergeVerification, MergeVerifier } from "./merge/merge-verifier.ts";
export { type MergeAnswer, type MergeRequest, mergeWorktree } from "./merge/worktree-merge.ts";
export { solvingHint } from "./merge/merge-subject.ts";
export { type UnverifiedMergeView, unverifiedMerges } from "./merge/unverified-merges.ts";
export { type SyncAnswer, type SyncRequest, syncWorktree } from "./sync/worktree-sync.ts";
export { pruneMissing } from "./remove/prune-missing.ts";
export { removeMissing } from "./remove/remove-missing.ts";
export {
  type RemovedWorktree,
  deleteSaved,
  keepBranch,
  reasonToStay,
  saveAndRemove,
} from "./remove/remove-worktree.ts";
export { type Saved, savedLines } from "./saved.ts";
export type { CleanAnswer } from "./worktree-clean.ts";
export type { WorktreeView } from "./worktree-list.ts";
export type { RemoveAnswer } from "./worktree-remove.ts";
export { type WorktreeTrouble, worktreeTrouble } from "./worktree-trouble.ts";
export { type UseOf, type WorktreeUse, worktreeUse } from "./worktree-use.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadWorktreeCreate = () => import("./create/worktree-create.ts");
export const loadWorktreeClean = () => import("./worktree-clean.ts");
export const loadWorktreeList = () => import("./worktree-list.ts");
export const loadWorktreeRemove = () => import("./worktree-remove.ts");
export const loadWorktreeUse = () => import("./worktree-use.ts");
