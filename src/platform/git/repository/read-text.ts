import { readFileSync } from "node:fs";

/** What a file says; undefined for one that is not there or cannot be read, which is the same to git. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
