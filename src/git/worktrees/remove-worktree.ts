import { existsSync, readdirSync } from "node:fs";
import { Failure } from "../../domain/errors.ts";
import type { ListedWorktree } from "../../ports/worktrees.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";
import { readChanges } from "./read-changes.ts";
import { walkFolder } from "./walk-folder.ts";

/**
 * Removes a worktree by git, which looks once more whether it is clean.
 *
 * Where the folder is a mount, git takes away all that is in it and its own entry, and then fails: the mount itself
 * stays, empty, which is no failure. Of a tree with submodules git refuses even a clean one, since it does not look into them. Where none of them was
 * ever filled there is nothing to look into.
 */
export async function removeWorktree(
  run: RunGit,
  entry: string,
  { path, id, isMissing }: ListedWorktree,
  { evenDirty }: { readonly evenDirty: boolean },
): Promise<void> {
  const remove = (...options: readonly string[]) =>
    run({ args: ["worktree", "remove", ...options, path], access: "write", timeoutMs: LONG_MS });
  try {
    await remove(...(evenDirty ? ["--force"] : []));
  } catch (error) {
    if (isGone(entry, path)) return;
    // Git looked once more, found something, and took nothing away. Its words end in a way to lose it.
    if (error instanceof Failure && /contains modified or untracked files/.test(error.message)) {
      throw new Failure("worktree/changing", `Something was written to ${path} while it was being removed.`, {
        worktree_path: path,
      });
    }
    const isAboutSubmodules = error instanceof Failure && /containing submodules/.test(error.message);
    if (evenDirty || isMissing || !isAboutSubmodules) throw error;
    const { files } = await readChanges(run, { path, id });
    if (files.length > 0 || walkFolder(path).repositories.length > 0) throw error;
    await remove("--force");
  }
}

const isGone = (entry: string, path: string): boolean =>
  !existsSync(entry) && (!existsSync(path) || readdirSync(path).length === 0);
