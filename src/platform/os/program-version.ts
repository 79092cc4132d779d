import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A program of a package lies at most so many folders below it. */
const MOST_FOLDERS = 5;

/**
 * The version of the package that a program belongs to, without starting it: some take seconds to say it themselves.
 * Undefined where it belongs to none.
 */
export function packageVersion(program: string): string | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let depth = 0; depth < MOST_FOLDERS; depth += 1, folder = dirname(folder)) {
      // Beyond lies a package that only uses the program.
      if (basename(folder) === "node_modules" || dirname(folder) === folder) return undefined;
      const version = versionIn(join(folder, "package.json"));
      if (version !== undefined) return version;
    }
  } catch {
    // It cannot be read: then the program is asked.
  }
  return undefined;
}

function versionIn(file: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
    return typeof name === "string" && typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
