import { lstatSync, readdirSync } from "node:fs";
import type { FolderContents } from "../../ports/worktrees.ts";
import { type BytePath, fromBytes, onDisk, shown } from "../byte-path.ts";

/**
 * Adds up a worktree and finds the repositories inside it: submodules and clones, also among ignored files.
 *
 * Their commits are in no snapshot, so a worktree that holds one cannot be removed without losing them.
 */
export function walkFolder(top: string): FolderContents {
  const repositories: string[] = [];
  let bytes = 0;
  const open: BytePath[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = fromBytes(entry.name);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git") {
        if (folder !== "") repositories.push(shown(folder));
        continue;
      }
      if (entry.isDirectory()) open.push(path);
      else bytes += lstatSync(onDisk(top, path), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { bytes, repositories: repositories.toSorted() };
}
