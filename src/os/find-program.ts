import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Where a program lies that would be started by this name, or undefined when none would.
 *
 * A name with a slash is a path from the folder it is started in; any other is looked up on PATH, in whose order the
 * system looks, too.
 */
export function findProgram(
  name: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): string | undefined {
  if (name.includes("/") || isAbsolute(name)) return onlyProgram(resolve(cwd, name));
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    const found = folder === "" ? undefined : onlyProgram(join(resolve(cwd, folder), name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function onlyProgram(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
