import { Failure } from "../../domain/errors.ts";
import type { ListedWorktree } from "../../ports/worktrees.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";
import { readChanges } from "./read-changes.ts";
import { walkFolder } from "./walk-folder.ts";

/**
 * Removes a worktree by git, which looks once more whether it is clean.
 *
 * Of a tree with submodules git refuses even a clean one, since it does not look into them. Where none of them was
 * ever filled there is nothing to look into.
 */
export async function removeWorktree(
  run: RunGit,
  { path, id, isMissing }: ListedWorktree,
  { evenDirty }: { readonly evenDirty: boolean },
): Promise<void> {
  const remove = (...options: readonly string[]) =>
    run({ args: ["worktree", "remove", ...options, path], access: "write", timeoutMs: LONG_MS });
  try {
    await remove(...(evenDirty ? ["--force"] : []));
  } catch (error) {
    const isAboutSubmodules = error instanceof Failure && /containing submodules/.test(error.message);
    if (evenDirty || isMissing || !isAboutSubmodules) throw error;
    const { files } = await readChanges(run, { path, id });
    if (files.length > 0 || walkFolder(path).repositories.length > 0) throw error;
    await remove("--force");
  }
}
