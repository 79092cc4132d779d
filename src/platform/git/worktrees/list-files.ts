import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import type { FileListEntry, FileListFolder, FileList } from "../../ports/worktrees.ts";
import { type BytePath, fromBytes, onDisk, shown } from "../files/byte-path.ts";

/**
 * Notes every file of a worktree by what shows that it was touched, and finds the repositories inside.
 *
 * The list is made before anything is saved. A file that is still as it says when everything is saved was saved as it
 * is, so it may go; of any other nobody knows.
 */
export function listFiles(top: string): FileList {
  const repositories: string[] = [];
  const folders: FileListFolder[] = [];
  const open: BytePath[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const files = new Map<BytePath, FileListEntry>();
    folders.push({ path: folder, files });
    for (const entry of readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = fromBytes(entry.name);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" && folder === "") continue;
      if (name === ".git") repositories.push(shown(folder));
      if (entry.isDirectory()) open.push(path);
      else addFile(files, name, lstatSync(onDisk(top, path), { throwIfNoEntry: false, bigint: true }));
    }
  }
  return { repositories: repositories.toSorted(), folders };
}

/** One that went, or became a folder, since its name was read is not seen: whatever is there later stays. */
function addFile(files: Map<BytePath, FileListEntry>, name: BytePath, stats: BigIntStats | undefined): void {
  if (stats !== undefined && !stats.isDirectory()) files.set(name, seenFile(stats));
}

/** Of a file with several names the time of the change also tells that another name went, as in this very removal. */
const seenFile = (stats: BigIntStats): FileListEntry => ({
  stamp: stampOf(stats),
  changedAtNs: stats.nlink === 1n ? stats.ctimeNs : undefined,
});

const stampOf = ({ dev, ino, mode, size, mtimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${mode}:${size}:${mtimeNs}`;

export const isUnchanged = ({ stamp, changedAtNs }: FileListEntry, now: BigIntStats): boolean =>
  stamp === stampOf(now) && (changedAtNs === undefined || changedAtNs === now.ctimeNs);
