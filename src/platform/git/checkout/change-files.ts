import * as fs from "node:fs";
import { syncPaths } from "../../index.ts";
import { type BytePath, foldersAbove, onDisk, parentOf, shown } from "../files/byte-path.ts";
import type { FileChange } from "../files/diff-trees.ts";
import { type CheckoutPaths, markOf, newFile, oldFile, statIn } from "./checkout-paths.ts";

/** A change with the number that its old file is kept under. */
export interface NumberedChange {
  readonly change: FileChange;
  readonly number: number;
  /** How the new file looked when it was written. */
  readonly mark?: string;
}

/** Thrown when the system does not let a file be moved: it is immutable, or a mount of its own. */
export class CannotMove extends Error {
  readonly path: BytePath;
  constructor(path: BytePath, cause: unknown) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    super(`${shown(path)} cannot be moved or replaced (${reason})`, { cause });
    this.path = path;
  }
}

/** Thrown when a file is no longer what it was when it was read. */
export class ChangedMeanwhile extends Error {
  readonly path: BytePath;
  constructor(path: BytePath) {
    super("a file changed meanwhile");
    this.path = path;
  }
}

/**
 * Whether a new file has left the place where it waited, which it does in the moment in which it takes the old one's.
 *
 * That tells nothing about the place it went to: a person may have brought back the old one since.
 */
export const hasLeft = (place: CheckoutPaths, { change }: NumberedChange): boolean =>
  hasFile(change.to) && fs.lstatSync(newFile(place, change.path), { throwIfNoEntry: false }) === undefined;

/** Whether what was written for a place stands there, as it was written. */
export const hasArrived = ({ top }: CheckoutPaths, { change, mark }: NumberedChange): boolean =>
  hasFile(change.to) && markOf(statIn(top, change.path)) === mark;

export const hasFile = (version: FileChange["to"]): boolean =>
  version !== undefined && version.mode !== "160000";

/** What goes, goes first: a file may stand where a folder is to be. Answers the changes in the order they were made. */
export function changeFiles(
  place: CheckoutPaths,
  todo: ReadonlyMap<NumberedChange, string>,
): readonly NumberedChange[] {
  const made: NumberedChange[] = [];
  try {
    for (const isRemoval of [true, false])
      for (const [one, mark] of todo) {
        if ((one.change.to === undefined) !== isRemoval) continue;
        if (isRemoval && markOf(statIn(place.top, one.change.path)) !== mark)
          throw new ChangedMeanwhile(one.change.path);
        made.push(one);
        naming(one.change.path, () => changeOne(place, one, mark));
      }
    return made;
  } catch (error) {
    undo(place, made);
    throw error;
  }
}

function naming(path: BytePath, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? error : new CannotMove(path, error);
  }
}

function changeOne(place: CheckoutPaths, { change, number }: NumberedChange, mark: string): void {
  const { top } = place;
  const path = onDisk(top, change.path);
  const stat = statIn(top, change.path);
  // A folder that had to be emptied first looks different by now.
  if (stat?.isDirectory()) fs.rmdirSync(path);
  else if (stat !== undefined && markOf(stat) !== mark) throw new ChangedMeanwhile(change.path);
  const isThere = stat !== undefined && !stat.isDirectory();
  if (change.to === undefined) {
    if (isThere) fs.renameSync(path, oldFile(place, number));
    removeEmptyFolders(top, change.path);
    return;
  }
  const parent = parentOf(change.path);
  if (parent !== undefined) fs.mkdirSync(onDisk(top, parent), { recursive: true });
  if (hasFile(change.to)) {
    if (isThere) keep(path, oldFile(place, number));
    fs.renameSync(newFile(place, change.path), path);
  } else {
    if (isThere) fs.renameSync(path, oldFile(place, number));
    fs.mkdirSync(path);
  }
}

/**
 * Brings the folders to the disk in which files changed places, and the index beside them.
 *
 * What is written down about the move is forgotten after it: without this, a power cut could keep the one and lose the
 * other.
 */
export async function flushChanges(
  { top, gitDir }: CheckoutPaths,
  changes: readonly NumberedChange[],
): Promise<void> {
  const folders = new Set<BytePath>();
  for (const { change } of changes) for (const folder of foldersAbove(change.path)) folders.add(folder);
  // The index and the files may lie on two disks.
  if (changes.length > 0) await syncPaths(top, [top, ...[...folders].map((folder) => onDisk(top, folder))]);
  await syncPaths(gitDir, [gitDir]);
}

/** A second name, so that the path is never without a file; where there are none, the file moves. */
function keep(path: Buffer, to: string): void {
  fs.rmSync(to, { force: true });
  try {
    fs.linkSync(path, to);
  } catch {
    fs.renameSync(path, to);
  }
}

/** Brings back what was there, the last change first. What cannot be brought back is tried all the same for the others. */
export function undo(place: CheckoutPaths, made: readonly NumberedChange[]): void {
  let failure: unknown;
  for (const { change, number } of made.toReversed()) {
    try {
      naming(change.path, () => undoOne(place, change, oldFile(place, number)));
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw new HalfUndone(failure);
}

/** Not everything could be brought back: what waits in its place must stay, for the next try. */
export class HalfUndone extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`what was there could not be brought back: ${why}.`, { cause });
  }
}

function undoOne(place: CheckoutPaths, change: FileChange, old: string): void {
  const { top } = place;
  const path = onDisk(top, change.path);
  const isKept = fs.lstatSync(old, { throwIfNoEntry: false }) !== undefined;
  if (hasFile(change.to) && !fs.lstatSync(newFile(place, change.path), { throwIfNoEntry: false }))
    fs.renameSync(path, newFile(place, change.path));
  else if (change.to !== undefined && !hasFile(change.to) && isFolder(path)) fs.rmdirSync(path);
  if (isKept && fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    const parent = parentOf(change.path);
    if (parent !== undefined) fs.mkdirSync(onDisk(top, parent), { recursive: true });
    fs.renameSync(old, path);
  } else if (isKept) fs.rmSync(old);
  if (change.from === undefined) removeEmptyFolders(top, change.path);
}

const isFolder = (path: Buffer): boolean =>
  fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** As git does: a folder goes with its last file. */
function removeEmptyFolders(top: string, path: BytePath): void {
  try {
    for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder))
      fs.rmdirSync(onDisk(top, folder));
  } catch {
    // The first that holds something ends it.
  }
}
