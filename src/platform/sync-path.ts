import { closeSync, fsyncSync, openSync } from "node:fs";

/** Brings a file to the disk, or the names in a folder: a new name is only there after a power cut if its folder is. */
export function syncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
