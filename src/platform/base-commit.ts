import type { Branches } from "./ports/index.ts";

/**
 * The commit that a base stands for; undefined where there is none of that name.
 *
 * A base may be a branch, a branch of a remote, a tag or a commit. A branch comes before anything else of that name,
 * and a name that git would read as an option is none. Every question for a base comes here: where one looks only among
 * the branches, work that is in its base looks lost.
 */
export async function baseCommit(branches: Branches, name: string): Promise<string | undefined> {
  // A branch in a file of its own is read without git.
  for (const one of baseNames(name)) {
    const commit = (await branches.commits([one])).get(one);
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** The names to ask git about for a base, for who asks about many at once. */
export const baseNames = (name: string): readonly string[] =>
  name.startsWith("-") ? [] : [`refs/heads/${name}`, name];

/** The commit of a base among the answers. */
export const commitAmong = (commits: ReadonlyMap<string, string>, name: string): string | undefined =>
  baseNames(name)
    .map((one) => commits.get(one))
    .find((commit) => commit !== undefined);
