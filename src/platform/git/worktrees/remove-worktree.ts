import { existsSync, readdirSync } from "node:fs";
import { Failure } from "../../../domain/errors.ts";
import type { ListedWorktree } from "../../ports/worktrees.ts";
import type { RunGit } from "../process/run-git.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";

/**
 * Removes a worktree by git.
 *
 * Where the folder is a mount, git takes away all that is in it and its own entry, and then fails: the mount itself
 * stays, empty, which is no failure.
 */
export async function removeByGit(
  run: RunGit,
  entry: string,
  { path }: Pick<ListedWorktree, "path">,
  { evenDirty }: { readonly evenDirty: boolean },
): Promise<void> {
  try {
    const options = evenDirty ? ["--force"] : [];
    await run({ args: ["worktree", "remove", ...options, path], access: "write", timeoutMs: LONG_CALL_MS });
  } catch (error) {
    if (!isGone(entry, path)) throw error;
  }
}

/** Something came to a worktree after the last look. */
export const changing = (path: string): Failure =>
  new Failure("worktree/changing", `Something was written to ${path} while it was being removed.`, {
    worktree_path: path,
  });

const isGone = (entry: string, path: string): boolean =>
  !existsSync(entry) && (!existsSync(path) || readdirSync(path).length === 0);
