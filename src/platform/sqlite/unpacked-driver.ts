import { constants, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { nodeFiles } from "../os/index.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where a user unpacks the driver when Pawl's own folder is read-only for them. Not a temporary folder: agents in a
 * sandbox can write there, and this is code that Pawl runs outside of it.
 */
export const cacheFolder = (env: Env): string | undefined => {
  const cache = env["XDG_CACHE_HOME"] || (env["HOME"] && join(env["HOME"], ".cache"));
  return cache?.startsWith("/") ? join(cache, "pawl") : undefined;
};

/**
 * Loads a native module that is shipped packed, and unpacks it where that has not happened yet.
 *
 * A copy that does not load counts as none: it is unpacked again.
 */
export function openUnpacked(
  packed: string,
  name: string,
  folders: readonly (string | undefined)[],
): unknown {
  const places = folders.filter((folder) => folder !== undefined);
  for (const folder of places) {
    try {
      return open(join(folder, name));
    } catch {
      // Not there, or not usable: the next place, and then unpack.
    }
  }
  const problems: string[] = [];
  for (const folder of places) {
    try {
      unpack(packed, join(folder, name));
      return open(join(folder, name));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Failure(
    "store/no-driver",
    `The SQLite driver could not be unpacked and loaded from ${places.join(" or ")}: ${problems.join("; ")}.`,
    { packed, folders: places },
  );
}

function open(path: string): unknown {
  refuseOthers(path);
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

/** Loading it runs it: what another user owns or can write is not loaded. */
function refuseOthers(path: string): void {
  const user = process.getuid?.();
  for (const part of [path, dirname(path)]) {
    const { uid, mode } = lstatSync(part);
    const isLink = (mode & constants.S_IFMT) === constants.S_IFLNK;
    const isOurs = user === undefined || uid === user || uid === 0;
    if (isLink || !isOurs || (mode & 0o022) !== 0) throw new Error(`${part} can be written by others`);
  }
}

/** Whole or not at all, and with the mode of any program file: other users of this installation load it too. */
function unpack(packed: string, path: string): void {
  nodeFiles.makeFolder(dirname(path));
  const broken = existsSync(path) ? readFileSync(path) : undefined;
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib");
  nodeFiles.replaceIf(path, broken, brotliDecompressSync(readFileSync(packed)));
}
