import type { BytePath } from "../files/byte-path.ts";
import type { Version } from "../files/disk-file.ts";
import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";

/**
 * Reads the entries of an index file without git; undefined for one that only git can read.
 *
 * Starting git to list ten thousand entries takes longer than finding the few that matter. What is not surely
 * understood (a part kept in another file, whole folders as one entry, a version to come) is left to git.
 */
export const parseIndex = (bytes: Buffer, nameBytes: number): readonly IndexEntry[] | undefined =>
  readWholeIndex(bytes, nameBytes)?.entries;

/** The same, with the parts behind the entries, by their names. */
export function readWholeIndex(bytes: Buffer, nameBytes: number): WholeIndex | undefined {
  if (bytes.length < 12 + nameBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous = "";
  try {
    for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
      const flagsAt = at + 40 + nameBytes;
      const flags = bytes.readUInt16BE(flagsAt);
      const more = (flags & 0x4000) === 0 ? 0 : bytes.readUInt16BE(flagsAt + 2);
      const start = flagsAt + ((flags & 0x4000) === 0 ? 2 : 4);
      const { path, end } = version === 4 ? compressed(bytes, start, previous) : plain(bytes, start);
      entries.push(new Entry(bytes, { at, nameBytes, flags, more, path }));
      previous = path;
      at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
    }
  } catch {
    return undefined;
  }
  const parts = partsFrom(bytes, at, nameBytes);
  return parts && { entries, parts };
}

export interface WholeIndex {
  readonly entries: readonly IndexEntry[];
  readonly parts: ReadonlyMap<string, Buffer>;
}

interface Place {
  readonly at: number;
  readonly nameBytes: number;
  readonly flags: number;
  readonly more: number;
  readonly path: string;
}

/** Reads its fields when asked: of most entries only the path is ever read. */
class Entry implements IndexEntry {
  readonly path: string;
  readonly #bytes: Buffer;
  readonly #place: Place;
  constructor(bytes: Buffer, place: Place) {
    this.path = place.path;
    this.#bytes = bytes;
    this.#place = place;
  }
  get mode(): string {
    return this.#bytes.readUInt32BE(this.#place.at + 24).toString(8);
  }
  get oid(): string {
    return this.#bytes.toString("hex", this.#place.at + 40, this.#place.at + 40 + this.#place.nameBytes);
  }
  get stage(): number {
    return (this.#place.flags >> 12) & 3;
  }
  get unwatched(): IndexEntry["unwatched"] {
    if ((this.#place.more & 0x4000) !== 0) return "sparse";
    return (this.#place.flags & 0x8000) === 0 ? undefined : "assumed-unchanged";
  }
}

interface Name {
  readonly path: string;
  /** Where the NUL after the name is. */
  readonly end: number;
}

function plain(bytes: Buffer, start: number): Name {
  const end = nulAfter(bytes, start);
  return { path: bytes.toString("latin1", start, end), end };
}

/** So many bytes of the name before are cut off, and this is put in their place. */
function compressed(bytes: Buffer, start: number, previous: string): Name {
  let at = start;
  let byte = bytes.readUInt8(at);
  let cut = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    cut = ((cut + 1) << 7) | (byte & 0x7f);
  }
  const end = nulAfter(bytes, at + 1);
  return { path: previous.slice(0, previous.length - cut) + bytes.toString("latin1", at + 1, end), end };
}

function nulAfter(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  if (end === -1) throw new RangeError("a name without an end");
  return end;
}

/** Undefined where one changes the meaning of the rest: its name begins with a small letter. */
function partsFrom(bytes: Buffer, start: number, nameBytes: number): ReadonlyMap<string, Buffer> | undefined {
  const parts = new Map<string, Buffer>();
  const end = bytes.length - nameBytes;
  let at = start;
  while (at + 8 <= end) {
    if (bytes[at]! < 65 || bytes[at]! > 90) return undefined;
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    parts.set(bytes.toString("latin1", at, at + 4), bytes.subarray(at + 8, next));
    at = next;
  }
  return at === end ? parts : undefined;
}

export interface IndexEntry extends Version {
  readonly path: BytePath;
  /** 0, or 1 to 3 for the sides of a conflict. */
  readonly stage: number;
  /** The file is marked to be skipped: git's answer about it does not count. */
  readonly unwatched: "assumed-unchanged" | "sparse" | undefined;
}

export async function indexEntries(run: RunGit, indexFile: string): Promise<readonly IndexEntry[]> {
  const args = ["ls-files", "-z", "--stage", "-v"];
  const records = await recordsOf(run, { args, access: "read", indexFile });
  return records.map(readEntry);
}

/** `H 100644 <name> 0<tab><path>`; the name is as long as the repository's hash. */
function readEntry(record: string): IndexEntry {
  const tab = record.indexOf("\t");
  const tag = record[0]!;
  return {
    mode: record.slice(2, 8),
    oid: record.slice(9, tab - 2),
    stage: record.charCodeAt(tab - 1) - 48,
    path: record.slice(tab + 1),
    unwatched: tag === "S" || tag === "s" ? "sparse" : tag >= "a" ? "assumed-unchanged" : undefined,
  };
}
