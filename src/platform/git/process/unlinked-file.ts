import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** A file without a name, which goes with the last process that holds it open. */
export interface NamelessFile {
  readonly fd: number;
  /** What was written to it, up to so many bytes, or why that is not known. It is closed, and a second call gives nothing. */
  readonly take: (mostBytes: number) => string;
  /** The same for all of it, piece by piece. */
  readonly takeAll: (onChunk: (chunk: Buffer) => void) => void;
}

/** Linux has it, and most of its file systems; Node has no name for it. */
const O_TMPFILE = constants.O_DIRECTORY | 0o20000000;

/** Undefined where the system or the file system makes none. */
export function namelessFile(folder: string): NamelessFile | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // Appending: a hook that opens /dev/stderr anew writes at its start, and nothing else may write over that.
    const fd = openSync(folder, O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600);
    let isOpen = true;
    return {
      fd,
      takeAll(onChunk) {
        if (!isOpen) return;
        isOpen = false;
        readPieces(fd, onChunk);
      },
      take(mostBytes) {
        if (!isOpen) return "";
        isOpen = false;
        try {
          return readAndClose(fd, mostBytes);
        } catch (error) {
          // The process that wrote it has done its work all the same, and ended by itself: that is no reason to end here.
          return `what was said could not be read: ${String(error)}`;
        }
      },
    };
  } catch {
    return undefined;
  }
}

function readAndClose(fd: number, mostBytes: number): string {
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, mostBytes, 0));
  } finally {
    closeSync(fd);
  }
}

const PIECE_BYTES = 1 << 20;

function readPieces(fd: number, onChunk: (chunk: Buffer) => void): void {
  try {
    const { size } = fstatSync(fd);
    for (let at = 0; at < size;) {
      const bytes = Buffer.allocUnsafe(Math.min(size - at, PIECE_BYTES));
      const read = readSync(fd, bytes, 0, bytes.length, at);
      if (read === 0) return;
      onChunk(bytes.subarray(0, read));
      at += read;
    }
  } finally {
    closeSync(fd);
  }
}
