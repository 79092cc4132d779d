import type { RunGit } from "../process/run-git.ts";

/** Those of some commits that have the tree of their first parent: they change nothing, whatever they say. */
export async function emptyCommits(run: RunGit, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const answer = await run({
    args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    access: "read",
    input: commits.map((commit) => `${commit}^{tree}\n${commit}^1^{tree}\n`).join(""),
  });
  const lines = answer.split("\n");
  return new Set(
    commits.filter((_, index) => {
      const [own, parents] = [lines[2 * index], lines[2 * index + 1]];
      return own === parents && own?.endsWith(" tree") === true;
    }),
  );
}
