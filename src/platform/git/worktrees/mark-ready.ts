import { join } from "node:path";
import type { Files, ListedWorktree } from "../../ports/index.ts";
import { syncTrees } from "../../index.ts";
import { noteFlushed } from "../objects/flush-objects.ts";
import { READY_MARK } from "./list-worktrees.ts";

export interface ReadyMark {
  readonly files: Files;
  readonly commonDir: string;
  /** Where git keeps what it knows of the worktree. */
  readonly entry: string;
  readonly once: boolean;
}

/** Git flushes no file that it checks out, nor what leads from the folder to its entry and back. */
export async function markReady(
  { path, head }: ListedWorktree,
  { files, commonDir, entry, once }: ReadyMark,
): Promise<void> {
  await syncTrees([path, commonDir]);
  if (head !== undefined) noteFlushed(commonDir, [head]);
  files[once ? "replace" : "jot"](join(entry, READY_MARK), "\n");
}
