/**
 * Of the files of a worktree, by name, those that are not the plan's own. Pawl itself keeps these up to date as steps
 * go on, whoever works on them: what changed there says nothing about what somebody has left.
 */
export function withoutPlanFiles(files: readonly string[], plan: string): readonly string[] {
  const own = plan.replace(/\/?$/, "/");
  // A folder of which nothing is committed is told as a whole.
  return files.filter((path) => path !== plan && !path.startsWith(own) && !own.startsWith(path));
}
