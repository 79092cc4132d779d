import { Failure } from "../../domain/errors.ts";
import type { Worktree } from "../../ports/repository.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";

/**
 * Moves a checkout to a commit ahead of it: branch, index and files together.
 *
 * Git compares everything before it writes anything. Ignored files are not overwritten either, and nothing is stashed:
 * a stash that does not come back is work lost.
 */
export async function fastForward(run: RunGit, { path }: Worktree, commit: string): Promise<boolean> {
  try {
    await run({
      args: ["merge", "--quiet", "--ff-only", "--no-overwrite-ignore", "--no-autostash", commit],
      access: "write",
      worktree: path,
      timeoutMs: LONG_MS,
    });
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "git/failed") throw error;
    const said = (error.details["stderr"] as readonly string[] | undefined) ?? [];
    if (said.some((line) => /not possible to fast-forward/i.test(line))) return false;
    const files = said.filter((line) => line.startsWith("\t")).map((line) => line.trim());
    throw new Failure(
      "merge/in-the-way",
      `The checkout ${path} cannot be brought forward: ${said[0] ?? error.message}`,
      {
        worktree_path: path,
        files,
        said,
      },
    );
  }
}
