import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file of git's whole or not at all, on the disk itself. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.pawl-${process.pid}`;
  const file = openSync(unfinished, "w", 0o644);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
