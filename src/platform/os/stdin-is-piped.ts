import { fstatSync } from "node:fs";

/** Whether something was piped in. A terminal is no input, and neither is nothing at all. */
export function stdinIsPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}
