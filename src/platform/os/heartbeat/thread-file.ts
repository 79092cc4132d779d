import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../../domain/index.ts";

/**
 * The built file of the heartbeat's thread.
 *
 * A thread starts from a file, and this code may lie in any part of a bundle, in the library or in the source; the
 * file is in `dist`, at or above all of them.
 */
export function threadFile(): string {
  let folder = typeof __dirname === "string" ? __dirname : import.meta.dirname;
  for (;;) {
    for (const candidate of [join(folder, NAME), join(folder, "dist", NAME)])
      if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder)
      throw new Failure("internal/bug", `${NAME} is missing from this installation of Pawl.`);
    folder = dirname(folder);
  }
}

const NAME = "heartbeat.js";
