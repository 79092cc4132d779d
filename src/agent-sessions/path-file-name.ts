/** A file name for what is kept about a worktree. Not a hash: loading one costs more than all else that a hook does. */
export const pathFileName = (path: string): string => encodeURIComponent(path).slice(-200);
