/** What to do about a program that is named by a path and not there. */
export const ONLY_WHAT_IS_COMMITTED =
  "Check the path. Agents work in a worktree, which has what is committed: commit the program, or name it by its whole path.";
