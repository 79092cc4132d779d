import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { linkedId } from "../../../domain/index.ts";

/** The id of the linked worktree that git keeps this entry of. */
export function idOfEntry(gitDir: string): string {
  // Git writes this file when it adds the worktree, and never again.
  const made = statSync(join(gitDir, "commondir"), { throwIfNoEntry: false });
  return linkedId(basename(gitDir), made?.mtimeMs ?? 0);
}
