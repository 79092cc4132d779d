/** What an agent may do, from least to most. Each preset says what that is in its agent's own words. */
export const PERMISSION_PROFILES = {
  edits:
    "It changes files in its worktree, ticks its items, and runs the check (`verify.command`) and the commands of `allow`. All other commands are refused.",
  sandboxed:
    "It runs any command, in a sandbox: only its worktree, Pawl's state folder, its own folder and the temporary folder can be written. Where no sandbox is available it gets what `edits` gives, and the run says so.",
  full: "It runs any command and writes whatever you may write. For containers and throw-away machines.",
} as const;

export type PermissionProfile = keyof typeof PERMISSION_PROFILES;

export const DEFAULT_PROFILE: PermissionProfile = "sandboxed";
