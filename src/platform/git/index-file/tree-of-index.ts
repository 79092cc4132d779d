import { nodeCrypto } from "../../index.ts";
import { type IndexEntry, parseIndex } from "./parse-index.ts";

/** Above this git is faster: it keeps the names of folders that did not change. */
const MOST_BYTES = 1 << 20;

/**
 * The name of the tree that `git write-tree` would make of an index; undefined where git must be asked.
 *
 * It writes nothing, so it answers whether an index holds a tree that is there already. The plainest form of an index has
 * no entries that a tree leaves out.
 */
export function treeOfIndex(bytes: Buffer, format: string): string | undefined {
  const nameBytes = format === "sha256" ? 32 : 20;
  if (bytes.length > MOST_BYTES || bytes.length < 8 || bytes.readUInt32BE(4) !== 2) return undefined;
  const entries = parseIndex(bytes, nameBytes);
  if (entries === undefined || entries.some(({ stage }) => stage > 0)) return undefined;
  return nameTree(entries, format);
}

/** A folder that is not closed yet: what it is called in the one above it, and what it holds so far. */
interface Folder {
  readonly name: string;
  readonly parts: Buffer[];
}

/** An index is in the order in which trees list their files, so one pass closes each folder after its last file. */
function nameTree(entries: readonly IndexEntry[], format: string): string {
  const open: Folder[] = [{ name: "", parts: [] }];
  const close = () => {
    const { name, parts } = open.pop()!;
    const tree = hashTree(parts, format);
    open.at(-1)?.parts.push(line("40000", name, tree));
    return tree;
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
  while (open.length > 1) close();
  return close();
}

const line = (mode: string, name: string, oid: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]);

function hashTree(parts: readonly Buffer[], format: string): string {
  const body = Buffer.concat(parts);
  const hash = nodeCrypto().createHash(format);
  return hash.update(`tree ${body.length}\0`).update(body).digest("hex");
}
