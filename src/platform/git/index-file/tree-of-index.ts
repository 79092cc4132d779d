import { packedObjects } from "../objects/packed-objects.ts";
import { type GitObject, isEmptied, isLoose, toObject, writeObjects } from "../objects/write-objects.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { type IndexEntry, readWholeIndex } from "./parse-index.ts";

/** Above this git is faster: it keeps the names of folders that did not change. */
const MOST_BYTES = 1 << 20;

/**
 * The name of the tree that `git write-tree` would make of an index; undefined where git must be asked.
 *
 * It writes nothing, so it answers whether an index holds a tree that is there already. The plainest form of an index has
 * no entries that a tree leaves out.
 */
export const treeOfIndex = (bytes: Buffer, format: string): string | undefined =>
  treesOfIndex(bytes, format)?.trees.at(-1)?.id;

/** More new folders than a step changes: git writes them faster. */
const MOST_WRITTEN = 100;

/** Writes the tree of an index, as `git write-tree` does; undefined where git must do it. */
export function writeTreeOf(commonDir: string, bytes: Buffer): string | undefined {
  const format = objectFormatOf(commonDir);
  const found = treesOfIndex(bytes, format);
  if (found === undefined) return undefined;
  const { trees, written } = found;
  // Git has written them once. A power cut or `git gc` may have taken them since.
  const doubtful = trees.filter(({ id }) => written.has(id) && !isLoose(commonDir, id)).map(({ id }) => id);
  const packed = packedObjects(commonDir, doubtful);
  const missing = new Set(doubtful.filter((id) => !packed.has(id) || isEmptied(commonDir, id)));
  const fresh = trees.filter(({ id }) => !written.has(id) || missing.has(id));
  return fresh.length <= MOST_WRITTEN && writeObjects(commonDir, fresh) ? trees.at(-1)!.id : undefined;
}

/**
 * The folders of an index whose trees git has written, by the name of the tree.
 *
 * Git keeps them in a part of its own: for each folder its name, how many files and folders it has, and its tree. The number
 * of files is negative where something below it has changed since, and then there is no tree.
 */
function writtenTrees(part: Buffer, nameBytes: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < part.length;) {
    const counts = part.indexOf(0, at) + 1;
    const end = part.indexOf(LINE_END, counts) + 1;
    if (counts === 0 || end === 0) break;
    at = end;
    if (part[counts] === MINUS) continue;
    found.add(part.toString("hex", at, at + nameBytes));
    at += nameBytes;
  }
  return found;
}

const LINE_END = 10;
const MINUS = 45;

interface Trees {
  /** All of them, each folder behind those in it. */
  readonly trees: readonly GitObject[];
  /** Those that git has written, by name. */
  readonly written: ReadonlySet<string>;
}

function treesOfIndex(bytes: Buffer, format: string): Trees | undefined {
  const nameBytes = format === "sha256" ? 32 : 20;
  if (bytes.length > MOST_BYTES || bytes.length < 8 || bytes.readUInt32BE(4) !== 2) return undefined;
  const index = readWholeIndex(bytes, nameBytes);
  if (index === undefined || index.entries.some(({ stage }) => stage > 0)) return undefined;
  const part = index.parts.get("TREE") ?? Buffer.alloc(0);
  return { trees: treesOf(index.entries, format), written: writtenTrees(part, nameBytes) };
}

/** A folder that is not closed yet: what it is called in the one above it, and what it holds so far. */
interface Folder {
  readonly name: string;
  readonly parts: Buffer[];
}

/** An index is in the order in which trees list their files, so one pass closes each folder after its last file. */
function treesOf(entries: readonly IndexEntry[], format: string): readonly GitObject[] {
  const open: Folder[] = [{ name: "", parts: [] }];
  const trees: GitObject[] = [];
  const close = () => {
    const { name, parts } = open.pop()!;
    const tree = toObject("tree", Buffer.concat(parts), format);
    open.at(-1)?.parts.push(line("40000", name, tree.id));
    trees.push(tree);
  };
  for (const { path, mode, oid } of entries) {
    const folders = path.split("/");
    const file = folders.pop()!;
    let same = 0;
    while (same < folders.length && open[same + 1]?.name === folders[same]) same += 1;
    while (open.length > same + 1) close();
    for (const name of folders.slice(same)) open.push({ name, parts: [] });
    open.at(-1)!.parts.push(line(mode, file, oid));
  }
  while (open.length > 0) close();
  return trees;
}

const line = (mode: string, name: string, oid: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]);
