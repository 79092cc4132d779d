/**
 * Of the files of a worktree, by name, those that are not the plan's own. Pawl itself keeps these up to date as steps
 * progress: a change there does not mean that a worker left unfinished work.
 */
export function withoutPlanFiles(files: readonly string[], plan: string): readonly string[] {
  const own = plan.replace(/\/?$/, "/");
  // Git lists a folder of which nothing is committed as one entry.
  return files.filter((path) => path !== plan && !path.startsWith(own) && !own.startsWith(path));
}
