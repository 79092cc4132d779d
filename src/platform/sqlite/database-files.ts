import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../domain/index.ts";
import type { FileStamp } from "../ports/index.ts";
import { fileStamp, isSameFile, isSettled, isUntouched } from "../index.ts";

/** The files of an open database. While it is open, no well-behaved program moves or removes them. */
export interface DatabaseFiles {
  /** To be called within a transaction, because then all of them are there. Answers how long the log was at first. */
  readonly find: () => number;
  /** Refuses to commit where others may have made a new log or index: what they wrote since would be written over. */
  readonly refuseSplitWal: () => void;
  /** Whether the log alone is gone. What it holds comes to an end with this process, unless it is folded before. */
  readonly isLogGone: () => boolean;
  /** Fails where the database or its log is gone; returns the length of the log, or 0 where it was not read. */
  readonly refuseMoved: (stays: boolean) => number;
}

/**
 * Looks at the files again and again: one that is gone would still take our writes, and no process would ever read them.
 * A process that stays checks their folder instead, while nothing is made, removed or renamed in it.
 */
export function databaseFiles(path: string, opened: FileStamp | undefined): DatabaseFiles {
  let beside: Beside | undefined;
  const folderPath = dirname(path);
  /** Where all were found last, if nothing in it had been renamed for a while. */
  let folder: FileStamp | undefined;
  const isAsFound = (now = fileStamp(folderPath)): boolean =>
    now !== undefined && folder !== undefined && isUntouched(folder, now);
  const refuseSplitWal = (): void => {
    if (beside === undefined) return;
    refuseReplaced(`${beside.path}${LOG}`, beside.log);
    refuseReplaced(`${beside.path}${INDEX}`, beside.index);
  };
  return {
    find() {
      beside ??= stampsBeside(path) ?? stampsBeside(realPathOf(path));
      return beside?.log.size ?? 0;
    },
    refuseSplitWal() {
      if (folder === undefined || !isAsFound()) refuseSplitWal();
    },
    isLogGone() {
      const now = fileStamp(path);
      return (
        now !== undefined &&
        opened !== undefined &&
        isSameFile(opened, now) &&
        beside !== undefined &&
        fileStamp(`${beside.path}${LOG}`) === undefined
      );
    },
    refuseMoved(stays) {
      const now = stays && beside?.path === path ? fileStamp(folderPath) : undefined;
      if (now && isAsFound(now)) return 0;
      const isStill = now !== undefined && isSettled(now);
      refuseReplaced(path, opened);
      if (beside === undefined) return 0;
      if (isStill) refuseSplitWal();
      folder = isStill ? now : undefined;
      return refuseReplaced(`${beside.path}${LOG}`, beside.log);
    },
  };
}

/** What commits go to. */
const LOG = "-wal";

/** By which processes find each other's commits in the log, and keep out of each other's way. */
const INDEX = "-shm";

interface Beside {
  /** Where the database lies that these belong to. */
  readonly path: string;
  readonly log: FileStamp;
  readonly index: FileStamp;
}

export function stampsBeside(path: string): Beside | undefined {
  const [log, index] = [fileStamp(`${path}${LOG}`), fileStamp(`${path}${INDEX}`)];
  return log && index && { path, log, index };
}

/** SQLite follows links, and keeps the log beside the file that they lead to. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function refuseReplaced(path: string, before: FileStamp | undefined): number {
  const now = fileStamp(path);
  if (before && now && isSameFile(before, now)) return now.size;
  throw new Failure("store/replaced", `${path} was ${now ? "replaced" : "removed"} while it was open.`, {
    path,
  });
}
