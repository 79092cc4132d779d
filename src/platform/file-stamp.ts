import { statSync } from "node:fs";
import type { FileStamp } from "./ports/index.ts";

/** Undefined for what is not there, and for what cannot be reached: a link in a circle, a folder closed to us. */
export function fileStamp(path: string): FileStamp | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether both are looks at one file, whatever was written to it in between. */
export const isSameFile = (one: FileStamp, other: FileStamp): boolean =>
  one.ino === other.ino && one.dev === other.dev;

/**
 * Whether nothing was written in between: to a file, or in a folder by making, removing or renaming what is in it.
 *
 * Two changes within one tick of the file system's clock leave the same time behind. So this holds only where the file
 * had lain still at the first look.
 */
export const isUntouched = (before: FileStamp, now: FileStamp): boolean =>
  isSameFile(before, now) &&
  before.size === now.size &&
  before.mtimeMs === now.mtimeMs &&
  before.ctimeMs === now.ctimeMs;

/** The coarsest file systems count in steps of two seconds. */
const STILL_MS = 3000;

export const isSettled = ({ ctimeMs }: FileStamp): boolean => Math.abs(Date.now() - ctimeMs) >= STILL_MS;
