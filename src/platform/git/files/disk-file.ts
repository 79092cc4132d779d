import * as fs from "node:fs";
import { nodeCrypto } from "../../index.ts";
import { Failure } from "../../../domain/index.ts";
import { foldersAbove, fromBytes, onDisk, shown, type BytePath } from "./byte-path.ts";

/** A version of a file as git knows it: its mode, such as `100755`, and the name of its blob. */
export interface Version {
  readonly mode: string;
  readonly oid: string;
}

/** What is at a path on disk. A folder or special file is no file. */
export type OnDisk = "file" | "executable" | "link" | "folder" | "special" | "nothing";

export const MODES = { file: "100644", executable: "100755", link: "120000" } as const;
export const SUBMODULE = "160000";

export type FileKind = keyof typeof MODES;

export const isFile = (found: OnDisk): found is FileKind => found in MODES;

/**
 * Looks at paths below a folder without ever passing through a symlink.
 *
 * When a folder was replaced by a link, its old files may well be found behind it, but they are not where they were.
 */
export function kindReader(root: string): (path: BytePath) => OnDisk {
  const folders = new Map<BytePath, boolean>();
  const isFolder = (path: BytePath): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const found = kindAt(onDisk(root, path)) === "folder";
    folders.set(path, found);
    return found;
  };
  return (path) => (foldersAbove(path).every(isFolder) ? kindAt(onDisk(root, path)) : "nothing");
}

export function kindAt(path: Buffer): OnDisk {
  const stat = statOf(path);
  if (stat === undefined) return "nothing";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "folder";
  if (!stat.isFile()) return "special";
  return (stat.mode & 0o100) === 0 ? "file" : "executable";
}

export function statOf(path: Buffer): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

const CHUNK_BYTES = 1 << 20;

/** The bytes of a file or the target of a link: their number first, then exactly as many. */
export function readWhole(root: string, path: BytePath, kind: FileKind): DiskBytes {
  const place = onDisk(root, path);
  try {
    if (kind === "link") {
      const target = fs.readlinkSync(place, { encoding: "buffer" });
      return { size: target.length, chunks: () => [target] };
    }
    // Opened without following, and without waiting for the writer of a pipe that took the file's place.
    const fd = fs.openSync(place, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) {
      fs.closeSync(fd);
      throw changed(path);
    }
    return { size: stat.size, chunks: () => readChunks(fd, stat.size, path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EINVAL") throw changed(path);
    throw unreadable(error, path);
  }
}

export interface DiskBytes {
  readonly size: number;
  readonly chunks: () => Iterable<Buffer>;
}

function* readChunks(fd: number, size: number, path: BytePath): Generator<Buffer> {
  try {
    for (let left = size; left > 0;) {
      const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
      const bytes = fs.readSync(fd, chunk);
      if (bytes === 0) throw changed(path);
      left -= bytes;
      yield chunk.subarray(0, bytes);
    }
  } finally {
    fs.closeSync(fd);
  }
}

const changed = (path: BytePath): Failure =>
  new Failure("snapshot/unstable", `${shown(path)} changed while it was being read.`, { path: shown(path) });

function unreadable(error: unknown, path: BytePath): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || code === undefined) return error;
  const message = `${shown(path)} cannot be read (${code}), so it cannot be saved.`;
  return new Failure("snapshot/unreadable", message, { path: shown(path), errno: code }, { cause: error });
}

/** The name git gives to these bytes as they are, without any conversion. `like` tells which kind of name. */
export function rawName(root: string, path: BytePath, kind: FileKind, like: string): string {
  const { size, chunks } = readWhole(root, path, kind);
  const hash = nodeCrypto()
    .createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${size}\0`);
  for (const chunk of chunks()) hash.update(chunk);
  return hash.digest("hex");
}

/** Whether the file on disk is exactly this version. */
export const isVersion = (root: string, path: BytePath, kind: FileKind, { mode, oid }: Version): boolean =>
  MODES[kind] === mode && rawName(root, path, kind, oid) === oid;

/** Every file below a folder, links included. Repositories of their own are only reported, special files left out. */
export function* filesBelow(
  root: string,
  folder: BytePath,
  onRepository: (folder: BytePath) => void = () => undefined,
): Generator<readonly [BytePath, FileKind]> {
  const names = fs.readdirSync(onDisk(root, folder), { encoding: "buffer" }).map(fromBytes);
  if (names.includes(".git")) {
    onRepository(folder);
    return;
  }
  for (const name of names) {
    const path = `${folder}/${name}`;
    const found = kindAt(onDisk(root, path));
    if (found === "folder") yield* filesBelow(root, path, onRepository);
    else if (isFile(found)) yield [path, found];
  }
}
