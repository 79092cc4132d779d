import * as fs from "node:fs";
import { nodeCrypto } from "../../index.ts";
import { Failure } from "../../../domain/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { foldersAbove, onDisk, parentOf, shown, type BytePath } from "../files/byte-path.ts";
import { isFile, isVersion, kindAt, MODES, statOf, SUBMODULE, type Version } from "../files/disk-file.ts";
import type { FileChange } from "../files/diff-trees.ts";
import { readBlobs, type Sink } from "../files/read-blobs.ts";

/**
 * Brings the files below a folder from one tree to another.
 *
 * Each file is checked right before it is touched: it must still be what `from` says, which is what was saved. Each
 * is replaced whole, by a rename, so a kill leaves the old or the new one. Other repositories are never touched.
 */
export async function putFiles(
  run: RunGit,
  root: string,
  changes: readonly FileChange[],
  {
    fsync,
    over = false,
    permissions,
  }: {
    readonly fsync: boolean;
    readonly over?: boolean;
    readonly permissions: ReadonlyMap<BytePath, number>;
  },
): Promise<void> {
  for (const { path, from, to } of changes) {
    if (from === undefined || from.mode === SUBMODULE || to !== undefined) continue;
    refuseChanged(root, path, from);
    fs.unlinkSync(onDisk(root, path));
    removeEmptyAbove(root, path);
  }
  const written = changes.filter(({ to }) => to !== undefined && to.mode !== SUBMODULE);
  const names = written.map(({ to }) => to!.oid);
  await readBlobs(run, names, (at) => {
    const { path, from, to } = written[at]!;
    return fileSink(root, path, to!.mode, {
      fsync,
      permissions: permissions.get(path) ?? permissionsNow(root, path, to!.mode),
      before: over ? undefined : () => refuseChanged(root, path, from),
    });
  });
  for (const { path, to } of changes) if (to?.mode === SUBMODULE) makeFolder(root, path);
}

function refuseChanged(root: string, path: BytePath, saved: Version | undefined): void {
  const found = kindAt(onDisk(root, path));
  if (saved === undefined || saved.mode === SUBMODULE) {
    if (found === "nothing") return;
    if (found === "folder" && removeEmptyFolders(root, path)) return;
  } else if (isFile(found) && isVersion(root, path, found, saved)) return;
  const message = `${shown(path)} changed after it was saved; it is left as it is.`;
  throw new Failure("snapshot/unstable", message, { path: shown(path) });
}

/** A file that replaces another is no more open than that was. */
function permissionsNow(root: string, path: BytePath, mode: string): number | undefined {
  const now = statOf(onDisk(root, path));
  if (!now?.isFile()) return undefined;
  const readable = now.mode & 0o666;
  return mode === MODES.executable ? readable | ((readable & 0o444) >> 2) : readable;
}

interface Placing {
  readonly fsync: boolean;
  /** Undefined for what the umask gives. */
  readonly permissions: number | undefined;
  /** Asked right before the file takes its place; undefined where no reader comes before all is done. */
  readonly before: (() => void) | undefined;
}

/** Writes beside the place and moves there; straight to the place where there is no reader yet. */
function fileSink(root: string, path: BytePath, mode: string, { fsync, before, permissions }: Placing): Sink {
  const parent = parentOf(path);
  if (parent !== undefined) makeFolder(root, parent);
  const place = onDisk(root, path);
  const name = `.pawl-${nodeCrypto().randomBytes(6).toString("hex")}`;
  const aside = onDisk(root, parent === undefined ? name : `${parent}/${name}`);
  const unfinished = before === undefined ? place : aside;
  const move = (): void => {
    if (before === undefined) return;
    before();
    fs.renameSync(unfinished, place);
  };
  if (mode === MODES.link) {
    const target: Buffer[] = [];
    return {
      write: (chunk) => target.push(Buffer.from(chunk)),
      end() {
        if (before === undefined) fs.rmSync(place, { force: true });
        fs.symlinkSync(Buffer.concat(target), unfinished);
        move();
      },
    };
  }
  const flag = before === undefined ? "w" : "wx";
  const fd = fs.openSync(unfinished, flag, permissions ?? (mode === MODES.executable ? 0o777 : 0o666));
  if (permissions !== undefined) fs.fchmodSync(fd, permissions);
  return {
    write(chunk) {
      for (let at = 0; at < chunk.length;) at += fs.writeSync(fd, chunk, at);
    },
    end() {
      if (fsync) fs.fsyncSync(fd);
      fs.closeSync(fd);
      move();
    },
  };
}

/** Makes a folder and those above it, and refuses to pass through anything that is not one: a link leads elsewhere. */
export function makeFolder(root: string, path: BytePath): void {
  for (const folder of [...foldersAbove(path), path]) {
    const found = kindAt(onDisk(root, folder));
    if (found === "nothing") fs.mkdirSync(onDisk(root, folder));
    else if (found !== "folder") {
      const message = `${shown(folder)} is in the way: it is not a folder.`;
      throw new Failure("snapshot/in-the-way", message, { path: shown(folder) });
    }
  }
}

function removeEmptyAbove(root: string, path: BytePath): void {
  for (const folder of foldersAbove(path).reverse()) if (!removedEmpty(root, folder)) return;
}

/** Removes a folder that holds nothing but folders, in which the same holds. */
function removeEmptyFolders(root: string, folder: BytePath): boolean {
  for (const name of fs.readdirSync(onDisk(root, folder), { encoding: "buffer" })) {
    const path = `${folder}/${name.toString("latin1")}`;
    if (kindAt(onDisk(root, path)) !== "folder" || !removeEmptyFolders(root, path)) return false;
  }
  return removedEmpty(root, folder);
}

function removedEmpty(root: string, folder: BytePath): boolean {
  try {
    fs.rmdirSync(onDisk(root, folder));
    return true;
  } catch {
    return false;
  }
}

/** Puts one small file in its place, whole; for files of the git directory. */
export function putFile(root: string, path: BytePath, bytes: Buffer): void {
  const sink = fileSink(root, path, MODES.file, {
    fsync: true,
    before: () => undefined,
    permissions: undefined,
  });
  sink.write(bytes);
  sink.end();
}

export function removeFile(root: string, path: BytePath): void {
  fs.rmSync(onDisk(root, path), { force: true });
  removeEmptyAbove(root, path);
}
