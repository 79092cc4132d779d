import type { Commits, Ports, Worktree } from "../platform/ports/index.ts";

/**
 * The same ports, for which some files of a worktree are as they were committed: they are neither verified nor
 * committed, and stay as they lie there.
 */
export function leaveOut(ports: Ports, worktree: Worktree, files: readonly string[]): Ports {
  if (files.length === 0) return ports;
  return { ...ports, commits: async () => commitsWithout(await ports.commits(), worktree, files) };
}

/** The same ports with nothing left out. */
export const withNothingLeftOut = (ports: Ports): Ports => ({
  ...ports,
  commits: async () => {
    let commits = await ports.commits();
    for (let whole = WHOLE.get(commits); whole; whole = WHOLE.get(commits)) commits = whole;
    return commits;
  },
});

/** What commits were before something was left out of them. */
const WHOLE = new WeakMap<Commits, Commits>();

function commitsWithout(commits: Commits, { path }: Worktree, files: readonly string[]): Commits {
  const left = new Set(files);
  const tree = (worktree: Worktree) => commits.tree(worktree, worktree.path === path ? files : undefined);
  const own = async (worktree: Worktree): Promise<readonly string[]> => {
    const head = await commits.head(worktree);
    return head === undefined ? [] : commits.changed(worktree, head, await tree(worktree));
  };
  const chosen = async (worktree: Worktree, paths: readonly string[] | undefined) =>
    worktree.path === path ? (paths ?? (await own(worktree))) : paths;
  const without: Commits = {
    ...commits,
    tree,
    // The index may hold what its user staged before.
    staged: (worktree) => (worktree.path === path ? tree(worktree) : commits.staged(worktree)),
    uncommitted: async (worktree, paths) =>
      (await commits.uncommitted(worktree, paths)).filter(
        (file) => worktree.path !== path || !left.has(file),
      ),
    stage: async (worktree, paths) => commits.stage(worktree, await chosen(worktree, paths)),
    make: async (worktree, request) =>
      commits.make(worktree, { ...request, paths: await chosen(worktree, request.paths) }),
  };
  WHOLE.set(without, commits);
  return without;
}
