import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FolderContents } from "../../ports/worktrees.ts";

/**
 * Adds up a worktree and finds the repositories inside it: submodules and clones, also among ignored files.
 *
 * Their commits are in no snapshot, so a worktree that holds one cannot be removed without losing them.
 */
export function walkFolder(top: string): FolderContents {
  const repositories: string[] = [];
  let bytes = 0;
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === ".git") {
        if (folder !== "") repositories.push(folder);
        continue;
      }
      if (entry.isDirectory()) open.push(path);
      else bytes += lstatSync(join(top, path), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { bytes, repositories: repositories.toSorted() };
}
