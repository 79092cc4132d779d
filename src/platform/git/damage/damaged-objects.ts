import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { Failure } from "../../../domain/index.ts";
import type { DamagedObject } from "../../ports/index.ts";

/** Everything that was written this long before the youngest object is on the disk by itself, power cut or not. */
const YOUNG_MS = 10 * 60_000;
/** What is larger is judged by its first bytes. */
const MOST_BYTES = 8 << 20;
/** What inflates to more began well, and is taken for whole. */
const MOST_INFLATED = 1 << 28;

interface LooseFile extends DamagedObject {
  readonly size: number;
  readonly changedMs: number;
}

/**
 * Objects in files of their own that are empty, or do not hash to their name.
 *
 * Empty ones are seen by a look at each file. Reading all of them would take as long as `git fsck`; a power cut damages
 * only what was written shortly before.
 */
export function findDamagedObjects(commonDir: string, extent: "recent" | "all"): readonly DamagedObject[] {
  const files = [...looseFiles(join(commonDir, "objects"))];
  const youngest = files.reduce((latest, { changedMs }) => Math.max(latest, changedMs), 0);
  const isRead = ({ changedMs }: LooseFile): boolean => extent === "all" || changedMs > youngest - YOUNG_MS;
  return files
    .filter((file) => file.size === 0 || (isRead(file) && !holdsItsName(file)))
    .map(({ id, path }) => ({ id, path }));
}

function* looseFiles(folder: string): Generator<LooseFile> {
  for (const start of readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const end of readdirSync(join(folder, start))) {
      if (!/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(end)) continue;
      const path = join(folder, start, end);
      // Git packs objects at any time.
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats) yield { id: `${start}${end}`, path, size: stats.size, changedMs: stats.mtimeMs };
    }
}

function holdsItsName({ id, path, size }: LooseFile): boolean {
  try {
    const bytes = readFileSync(path);
    // Every object begins as zlib does; what the disk never got reads as zeros.
    if (size > MOST_BYTES) return (bytes[0]! & 0x0f) === 8;
    const algorithm = id.length === 40 ? "sha1" : "sha256";
    const content = inflateSync(bytes, { maxOutputLength: MOST_INFLATED });
    return createHash(algorithm).update(content).digest("hex") === id;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (WRONG_CONTENT.has(code)) return false;
    if (code === "ENOENT" || code === "ERR_BUFFER_TOO_LARGE") return true;
    // Only what was read can be called damaged: the next one to try may read it well.
    const message = `${path} cannot be read to see whether it is whole (${code || String(error)}).`;
    throw new Failure("git/unreadable", message, { path, errno: code }, { cause: error });
  }
}

/** What zlib says of bytes that no object has. */
const WRONG_CONTENT: ReadonlySet<string> = new Set(["Z_DATA_ERROR", "Z_BUF_ERROR", "Z_NEED_DICT"]);
