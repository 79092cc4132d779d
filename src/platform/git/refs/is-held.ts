import type { RunGit } from "../process/run-git.ts";

/** Whether a branch, a tag or a remote branch, other than the named branch, keeps a commit from being collected. */
export async function isHeldByRef(run: RunGit, commit: string, except?: string): Promise<boolean> {
  const answer = await run({
    args: [
      "for-each-ref",
      "--count=2",
      "--format=%(refname)",
      `--contains=${commit}`,
      "refs/heads",
      "refs/tags",
      "refs/remotes",
    ],
    access: "read",
  });
  return answer.split("\n").some((ref) => ref !== "" && ref !== `refs/heads/${except}`);
}
