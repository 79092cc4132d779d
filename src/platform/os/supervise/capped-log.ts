import {
  closeSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { logParts, type LogSummary } from "../../ports/index.ts";

export interface CappedLog {
  readonly path: string;
  readonly write: (chunk: Uint8Array) => void;
  /** Flushed: the checkpoint that follows names the log. */
  readonly close: () => Promise<LogSummary>;
}

/** Three parts of this size are the most that one command can fill a disk with. */
const PART_BYTES = 8 * 1024 * 1024;

/** However many logs there are, each has room for what people look for first. */
const LEAST_PART_BYTES = 64 * 1024;

/** A log has three parts, and may take a quarter of what is left: the next ones need room as well. */
const SHARE = 3 * 4;

/** How large the parts of the next log in a folder may be, so that all of them together keep to a budget. */
export function partBytesFor(folder: string, budgetBytes: number): number {
  const left = budgetBytes - bytesIn(folder);
  return Math.min(PART_BYTES, Math.max(LEAST_PART_BYTES, Math.floor(left / SHARE)));
}

function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const name of readdirSync(folder))
      bytes += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    // The first log makes the folder.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return bytes;
}

/**
 * A log that keeps the beginning and the end of an output of any length.
 *
 * The newest part is always in the file itself, so a reader that follows it sees what happens now. A full part is moved
 * aside: the first one for good, as the head; later ones over each other. So after a crash at any moment the head and
 * at least the last full part are there. A disk that refuses (full, gone) ends the log and not the work.
 */
export function cappedLog(folder: string, name: string, partBytes = PART_BYTES): CappedLog {
  const path = join(folder, `${name}.log`);
  const [head, previous] = logParts(path) as [string, string];
  let fd: number | undefined = create(folder, path);
  let inPart = 0;
  let bytes = 0;
  let parts = 1;
  let droppedBytes = 0;
  let problem: string | undefined;

  const turn = () => {
    closeSync(fd!);
    fd = undefined;
    if (parts > 2) droppedBytes += partBytes;
    renameSync(path, parts === 1 ? head : previous);
    fd = openNew(path);
    parts += 1;
    inPart = 0;
  };

  const write = (chunk: Uint8Array) => {
    let written = 0;
    while (written < chunk.length) {
      if (inPart === partBytes) turn();
      const room = Math.min(partBytes - inPart, chunk.length - written);
      const count = writeSync(fd!, chunk, written, room);
      written += count;
      inPart += count;
    }
  };

  return {
    path,
    write(chunk) {
      bytes += chunk.length;
      if (problem !== undefined) return;
      try {
        write(chunk);
      } catch (error) {
        problem = (error as NodeJS.ErrnoException).code ?? String(error);
      }
    },
    async close() {
      const open = fd;
      fd = undefined;
      if (open !== undefined) await closeFlushed(open);
      return { path, bytes, droppedBytes, problem };
    },
  };
}

/** A disk that refuses has ended the log before: the work counts without it. */
const closeFlushed = (fd: number): Promise<void> =>
  new Promise((resolve) => {
    fsync(fd, () => {
      closeSync(fd);
      resolve();
    });
  });

/** Agents print what they read, keys among it: only the owner may read it. An existing file is never written into. */
function create(folder: string, path: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openNew(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "run/log-failed",
      `${path} cannot be made (${code}).`,
      { path, errno: code },
      { cause: error },
    );
  }
}

/** `wx` refuses a link as well, wherever it points. */
const openNew = (path: string): number => openSync(path, "wx", 0o600);
