/** The main worktree of a repository; there is one at most. */
export const MAIN_ID = "main";

/**
 * What a linked worktree is known by: the name of git's entry for it, and when that entry was made.
 *
 * The name alone is used again when a worktree is removed and another one made in a folder of the same name, and the
 * new one would own the steps and ticks of the old one. No entry can have a `~` in its name, because git would not
 * allow it in a ref.
 */
export const linkedId = (name: string, madeAtMs: number): string =>
  `${name}~${Math.trunc(madeAtMs).toString(36)}`;

/** The name of git's entry for a linked worktree, undefined for the main one. On a server ids begin with the clone's. */
export const entryName = (id: string): string | undefined => /(?<![^/])([^/]*)~[^~]*$/.exec(id)?.[1];
