import { BRANCH_PREFIX, distinctSlug, entryName, planSlug, workerNames } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { baseNames, commitAmong } from "../platform/index.ts";

/**
 * Where a plan's work can be: its own branches, the bases they go to, and what is checked out where the call was made.
 *
 * A branch is known by its mark or, in a clone that has no marks, by the name it would be given.
 */
export async function planRefs(ports: Ports, key: string): Promise<readonly string[]> {
  const { settings } = ports;
  const branches = await ports.branches();
  const marked = (await branches.planBranches()).filter(({ mark }) => mark?.plan === key);
  const bases = [settings.base_branch, ...marked.map(({ mark }) => mark?.base)].filter(
    (name) => name !== undefined,
  );
  const asked = await branches.commits(bases.flatMap(baseNames));
  const names = [...marked.map(({ name }) => name), ...branchNamesOf(ports, key)];
  const remote = `refs/remotes/${settings.remote ?? "origin"}/HEAD`;
  const starts = bases.map((name) => commitAmong(asked, name)).filter((commit) => commit !== undefined);
  return [
    ...new Set([...checkedOut(ports), remote, ...starts, ...names.map((name) => `refs/heads/${name}`)]),
  ];
}

/** Every name that Pawl would give a branch of this plan. */
export const branchNamesOf = ({ sha256 }: Pick<Ports, "sha256">, key: string): readonly string[] =>
  [planSlug(key), distinctSlug(key, sha256(key))]
    .flatMap((slug) => [slug, ...workerNames(slug)])
    .map((name) => `${BRANCH_PREFIX}${name}`);

/** A linked worktree's HEAD is its own. One that git cannot place (moved, not repaired) has none to read. */
function checkedOut({ repository }: Ports): readonly string[] {
  try {
    const id = repository.topLevel === undefined ? "main" : repository.worktree(repository.topLevel).id;
    return ["HEAD", ...headOf(id)];
  } catch {
    return ["HEAD"];
  }
}

/** What a worktree has checked out, by its id; `HEAD` itself is the main one's. On a server ids begin with the clone's. */
export function headOf(worktreeId: string): readonly string[] {
  const name = entryName(worktreeId);
  return [name === undefined ? "HEAD" : `worktrees/${name}/HEAD`];
}
