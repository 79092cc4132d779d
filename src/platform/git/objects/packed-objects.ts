import * as fs from "node:fs";
import { join } from "node:path";

/** Where the names begin in the index of a pack: behind its mark, its version and 256 counts. */
const NAMES_AT = 8 + 256 * 4;
const VERSION_2 = "ff744f6300000002";

/**
 * Which of some objects lie in packs of a repository itself.
 *
 * An index that cannot be read holds none. The caller writes again what is not found, which does no harm.
 */
export function packedObjects(commonDir: string, ids: readonly string[]): ReadonlySet<string> {
  const folder = join(commonDir, "objects", "pack");
  const found = new Set<string>();
  try {
    const names = new Set(ids.length === 0 ? [] : fs.readdirSync(folder));
    for (const name of names) {
      if (!name.endsWith(".idx") || !names.has(name.replace(/idx$/, "pack"))) continue;
      const fd = fs.openSync(join(folder, name), "r");
      try {
        if (read(fd, 0, 8).toString("hex") !== VERSION_2) continue;
        for (const id of ids) if (!found.has(id) && holds(fd, Buffer.from(id, "hex"))) found.add(id);
      } finally {
        fs.closeSync(fd);
      }
    }
  } catch {
    // A `git gc` may remove a pack at this moment.
  }
  return found;
}

/** The names are sorted, and each count says how many begin with a byte up to its own. */
function holds(fd: number, id: Buffer): boolean {
  const count = (byte: number) => (byte < 0 ? 0 : read(fd, 8 + byte * 4, 4).readUInt32BE());
  let [low, high] = [count(id[0]! - 1), count(id[0]!)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = read(fd, NAMES_AT + middle * id.length, id.length).compare(id);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

function read(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  fs.readSync(fd, bytes, 0, length, at);
  return bytes;
}
