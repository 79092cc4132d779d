/** What looks at how branches differ and brings them together: loaded by who does that, and not with each worktree. */
export { branchLog } from "./branch-log.ts";
export { commitMerge } from "./commit-merge.ts";
export { diffStat, messagesBetween, patchBetween } from "./preview-merge.ts";
export { hasLanded, mergeBase } from "./has-landed.ts";
export { mergedTree, previewMerge } from "./preview-merge.ts";
