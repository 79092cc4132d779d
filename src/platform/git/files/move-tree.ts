import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Moves a file or a folder to where nothing is, on the same disk, by renames alone: nothing is ever copied and deleted.
 *
 * Some file systems (the layers that containers are made of) rename no folder that lies in a lower layer, but every
 * file in it. There the folder is made anew and what it holds moves one by one. When that stops half way, every file is
 * in one of the two places.
 */
export function moveTree(from: string, to: string, rename: typeof renameSync = renameSync): void {
  try {
    rename(from, to);
  } catch (error) {
    const stats = lstatSync(from);
    if ((error as NodeJS.ErrnoException).code !== "EXDEV" || !stats.isDirectory()) throw error;
    mkdirSync(to, { mode: stats.mode & 0o7777 });
    try {
      for (const name of filesFirst(from)) moveTree(join(from, name), join(to, name), rename);
    } catch (cause) {
      // On another disk it stops at the first file, with nothing moved.
      if (readdirSync(to).length === 0) rmdirSync(to);
      throw cause;
    }
    rmdirSync(from);
  }
}

function filesFirst(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = (isFolder: boolean) =>
    entries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name);
  return [...names(false), ...names(true)];
}
