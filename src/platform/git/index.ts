// The door of this room: other rooms import from here alone.
export { detachGit, isGitDetached, noteSignal } from "./process/git-apart.ts";
export { type Environment, withoutGit } from "./process/git-environment.ts";
export { findRepository } from "./repository/find-repository.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadBranchesByGit = () => import("./branches/branches-by-git.ts");
export const loadCommitsCli = () => import("./commits/commits-cli.ts");
export const loadDamageByGit = () => import("./damage/damage-by-git.ts");
export const loadGitCli = () => import("./git-cli.ts");
export const loadAbandonedLock = () => import("./locks/abandoned-lock.ts");
export const loadTracesOfUse = () => import("./repository/traces-of-use.ts");
export const loadGitSnapshots = () => import("./snapshots/git-snapshots.ts");
export const loadWorktreesByGit = () => import("./worktrees/worktrees-by-git.ts");
