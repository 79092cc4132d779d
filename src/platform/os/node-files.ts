import { isUtf8 } from "node:buffer";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../domain/index.ts";
import type { Files, FolderEntry } from "../ports/index.ts";
import { makeFolders, syncPath } from "../index.ts";
import { diskFailure } from "./disk-failure.ts";

/** Files through Node. Everything is checked on the opened file, so a swap between look and read changes nothing. */
export const nodeFiles: Files = {
  read: (path, maxBytes) => opened(path, maxBytes, (fd, size) => readAll(fd, size, maxBytes, path)),
  readEnd: (path, from, most) =>
    opened(
      path,
      Infinity,
      (fd, size) => {
        // A file that is shorter by now is another one, and read from its beginning.
        const begin = Math.max(from > size ? 0 : from, size - most);
        const bytes = Buffer.alloc(Math.max(size - begin, 0));
        return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, begin)), from: begin };
      },
      constants.O_NOFOLLOW,
    ),
  readSlice: (path, from, most) =>
    opened(
      path,
      Infinity,
      (fd, size) => {
        const bytes = Buffer.alloc(Math.max(Math.min(size - from, most), 0));
        return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from)), size };
      },
      constants.O_NOFOLLOW,
    ),
  readText(path, maxBytes) {
    let bytes: Buffer = PAGE;
    let length = 0;
    opened(path, maxBytes, (fd, size) => {
      // From the start, so that what is read again in another way is all there.
      length = size < PAGE.length ? readSync(fd, PAGE, 0, size + 1, 0) : size + 1;
      if (length <= size) return;
      const all = readAll(fd, size, maxBytes, path);
      bytes = Buffer.from(all.buffer, all.byteOffset, all.length);
      length = all.length;
    });
    const text = bytes.toString("utf8", 0, length);
    // What stands in for invalid bytes may also be written there: then the bytes are checked.
    const isText = !text.includes("\0") && (!text.includes("\ufffd") || isUtf8(bytes.subarray(0, length)));
    return isText ? text : undefined;
  },
  replace(path, content) {
    putInPlace(path, (unfinished) => {
      writeWhole(unfinished, content);
      renameSync(unfinished, path);
    });
    syncPath(dirname(path));
  },
  jot: (path, content) =>
    putInPlace(path, (unfinished) => {
      writeFileSync(unfinished, content, { flag: "wx", mode: 0o600 });
      renameSync(unfinished, path);
    }),
  replaceIf(path, expected, content) {
    const isReplaced = putInPlace(path, (unfinished) => {
      removeLeftovers(path);
      writeWhole(unfinished, content);
      chmodSync(unfinished, modeOf(path));
      // Checked last of all: between this and the rename there is nothing that takes time.
      const isExpected = holds(path, expected);
      if (isExpected) renameSync(unfinished, path);
      else rmSync(unfinished, { force: true });
      return isExpected;
    });
    if (isReplaced) syncPath(dirname(path));
    return isReplaced;
  },
  create(path, content) {
    putInPlace(path, (unfinished) => {
      // What is made for people is as open as they set it; the state folder closes itself.
      writeWhole(unfinished, content, 0o666);
      linkAsNew(unfinished, path);
      rmSync(unfinished);
    });
    syncPath(dirname(path));
  },
  makeFolder(path) {
    try {
      makeFolders(path);
    } catch (error) {
      throw diskFailure(error, path);
    }
  },
  exists: (path) => existsSync(path),
  mayWrite(path) {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT";
    }
  },
  list(path) {
    try {
      // Asked of every plan, and most are files: a refusal of the system costs ten times as much as a look.
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
      return readdirSync(path, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: kindOfEntry(entry),
      }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new Failure(
        "plan/not-a-file",
        `${path} cannot be read (${code}).`,
        { path, errno: code },
        { cause: error },
      );
    }
  },
};

/** Opens a file that is one, and no larger than allowed, for one reading. */
function opened<T>(path: string, maxBytes: number, use: (fd: number, size: number) => T, moreFlags = 0): T {
  // Without O_NONBLOCK opening a FIFO waits for a writer for ever.
  const fd = open(path, constants.O_RDONLY | constants.O_NONBLOCK | moreFlags);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      throw new Failure("plan/not-a-file", `${path} is ${kindOf(stat)}, not a file.`, { path });
    }
    if (stat.size > maxBytes) {
      throw new Failure("plan/too-large", `${path} has ${stat.size} bytes; at most ${maxBytes} are read.`, {
        path,
        bytes: stat.size,
        most: maxBytes,
      });
    }
    return use(fd, stat.size);
  } finally {
    closeSync(fd);
  }
}

/**
 * Where small files are read, one after the other, each in one call and without memory of its own. What is in it counts
 * only until the next one; a larger file, or one that grows meanwhile, is read as any other.
 */
const PAGE = Buffer.allocUnsafeSlow(64 * 1024);

function kindOfEntry(entry: Dirent): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

const modeOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o7777;

/**
 * Whether a file holds these bytes, and still is the same file afterwards.
 *
 * The bytes are compared first and what takes long is over then: from the last look to the rename that follows it is
 * a few microseconds.
 */
function holds(path: string, expected: Uint8Array | undefined): boolean {
  const before = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!before || expected === undefined) return !before && expected === undefined;
  // Something that is no file any more is not read: it could be a pipe without a writer.
  if (!before.isFile() || before.size !== BigInt(expected.length)) return false;
  if (Buffer.compare(readFileSync(path), expected) !== 0) return false;
  const after = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return after?.ino === before.ino && after.mtimeNs === before.mtimeNs && after.ctimeNs === before.ctimeNs;
}

/** Old enough that its writer no longer runs. */
const LEFTOVER_MS = 60_000;

/** A writer that was killed leaves its unfinished file beside the real one, in a person's working folder. */
function removeLeftovers(path: string): void {
  const start = `.${basename(path).slice(0, 100)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !/^\d+\.[0-9a-z]+\.tmp$/.test(name.slice(start.length))) continue;
    const leftover = join(dirname(path), name);
    const stat = lstatSync(leftover, { throwIfNoEntry: false });
    if (stat?.isFile() && Date.now() - stat.mtimeMs > LEFTOVER_MS) rmSync(leftover, { force: true });
  }
}

/** A file that is being written, in the same folder, so that it can take its place in one move. */
const besides = (path: string): string =>
  join(
    dirname(path),
    `.${basename(path).slice(0, 100)}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`,
  );

/** Unlike a rename, a link never replaces what is there. */
function linkAsNew(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure("file/exists", `${path} is there already.`, { path });
  }
}

/** Lets a file be written beside its place and put there; nothing of it stays where that fails. */
function putInPlace<T>(path: string, put: (unfinished: string) => T): T {
  const unfinished = besides(path);
  try {
    return put(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw diskFailure(error, path);
  }
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new Failure("plan/not-found", `There is no file ${path}.`, { path });
    throw new Failure(
      "plan/not-a-file",
      `${path} cannot be read (${code}).`,
      { path, errno: code },
      { cause: error },
    );
  }
}

const kindOf = (stat: Stats): string => {
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a pipe";
  if (stat.isSocket()) return "a socket";
  return "a device";
};

/** Reads to the end even if the file grows meanwhile, but never past the limit. */
function readAll(fd: number, expected: number, maxBytes: number, path: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let size = expected + 1;
  for (;;) {
    const chunk = new Uint8Array(size);
    const bytes = readSync(fd, chunk);
    if (bytes === 0) break;
    total += bytes;
    if (total > maxBytes)
      throw new Failure("plan/too-large", `${path} grew past ${maxBytes} bytes.`, { path, most: maxBytes });
    chunks.push(bytes === size ? chunk : chunk.subarray(0, bytes));
    // One byte more was asked for than there should be; a file that gave less has no more.
    if (bytes < size) break;
    size = 4096;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, total);
}

/**
 * Makes a file that is not there yet, whole or not at all.
 *
 * The usual writers report success on a full disk after a short write; this one counts every byte.
 */
function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const fd = openSync(path, "wx", mode);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } catch (error) {
    // It is ours, because `wx` made it; half a file must not pass for one.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
