import type { Saved } from "./saved.ts";

/** What was kept of a worktree, as warnings say it. */
export const savedLines = (saved: readonly Saved[]): readonly string[] =>
  saved.map(({ what, bringBack }) => `${what} is kept; back with: ${bringBack}`);
