import { existsSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";

/** How the folders end that `moveAside` makes. */
export const RESCUED = /\.rescued-\d+$/;

/**
 * Clears the place of a worktree that is none any more, because its `.git` is gone: git neither removes such a folder
 * nor makes another there. No file in it is known to be saved, so all of them move, in one rename.
 *
 * Answers where they are now; undefined when there was nothing.
 */
export function moveAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (existsSync(join(path, ".git"))) {
    throw new Failure("worktree/busy", `${path} became a worktree again meanwhile.`, { worktree_path: path });
  }
  if (readdirSync(path).length === 0) {
    rmdirSync(path);
    return undefined;
  }
  const to = freeName(path);
  renameSync(path, to);
  return to;
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.rescued-${number}`;
    if (!existsSync(name)) return name;
  }
}
