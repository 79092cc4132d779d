import * as fs from "node:fs";
import { join } from "node:path";

/** The index of a worktree as it was at one moment. */
export interface IndexCopy {
  readonly bytes: Buffer;
  /** When it was last written, in microseconds, rounded down. */
  readonly writtenAtUs: number;
}

/**
 * Copies the index of a worktree to `index` in a folder of ours; undefined when there is none yet.
 *
 * A file that changed in the very tick in which the index was written looks unchanged by its times; git knows by the
 * time of the index that it must look closer. So a copy must never look newer than the original.
 */
export function copyIndex(gitDir: string, folder: string): IndexCopy | undefined {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = readIndex(gitDir);
  if (copy === undefined) return undefined;
  const path = join(folder, "index");
  fs.writeFileSync(path, copy.bytes, { flag: "wx", mode: 0o600 });
  setWrittenAt(path, copy.writtenAtUs);
  return copy;
}

/** The same in memory. */
export function readIndex(gitDir: string): IndexCopy | undefined {
  let fd: number;
  try {
    fd = fs.openSync(join(gitDir, "index"), fs.constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mtimeNs } = fs.fstatSync(fd, { bigint: true });
    return { bytes: fs.readFileSync(fd), writtenAtUs: Number(mtimeNs / 1000n) - 1 };
  } finally {
    fs.closeSync(fd);
  }
}

export function setWrittenAt(path: string, us: number): void {
  fs.utimesSync(path, us / 1e6, us / 1e6);
}
