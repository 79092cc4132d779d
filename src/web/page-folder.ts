import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../domain/index.ts";

/** Where the build put the page: in `dist`, at or above wherever this code came to lie. */
export function pageFolder(): string {
  let folder = typeof __dirname === "string" ? __dirname : import.meta.dirname;
  for (;;) {
    for (const candidate of [join(folder, "page"), join(folder, "dist", "page")])
      if (existsSync(join(candidate, "index.html"))) return candidate;
    if (dirname(folder) === folder)
      throw new Failure("ui/incomplete", "The files of the page were not found.", {});
    folder = dirname(folder);
  }
}
