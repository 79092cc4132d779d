import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../../domain/index.ts";
import { sha256 } from "../node-crypto.ts";

/**
 * A folder with a `pawl` in it that is this very program, to stand first on an agent's PATH.
 *
 * The `pawl` that an agent finds otherwise may be none, or another version that knows this database no more. The folder
 * is named after what it starts, so that two versions side by side do not write over each other.
 *
 * It lies beside the state folder, not in it: sandboxes let agents write there, and one must not be able to change
 * what the next one calls.
 */
export function pawlBinFolder(commonDir: string, program: string): string {
  const text = `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(realpathSync(program))} "$@"\n`;
  const folder = join(commonDir, "pawl-bin", sha256(text).slice(0, 12));
  const path = join(folder, "pawl");
  if (readIfThere(path) === text) return folder;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In place in one step: an agent of another run may be about to start it.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o755, flush: true });
  renameSync(draft, path);
  return folder;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
