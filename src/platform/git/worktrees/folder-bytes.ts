import { lstatSync, readdirSync } from "node:fs";
import { type BytePath, fromBytes, onDisk } from "../files/byte-path.ts";

/** Adds up the files of a worktree, leaving out what belongs to git. */
export function folderBytes(top: string): number {
  let bytes = 0;
  const open: BytePath[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = fromBytes(entry.name);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git") continue;
      if (entry.isDirectory()) open.push(path);
      else bytes += lstatSync(onDisk(top, path), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}
