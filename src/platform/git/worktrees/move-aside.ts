import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { freeName } from "../files/free-name.ts";
import { moveTree } from "../files/move-tree.ts";
import { hasPointer } from "./worktree-entry.ts";

/** How the folders end that `moveAside` makes. */
export const RESCUED = /\.rescued-\d+$/;

/**
 * Clears the place of a worktree that is none any more, because its `.git` is gone: git neither removes such a folder
 * nor makes another there. No file in it is known to be saved, so all of them move beside it.
 *
 * Answers where they are now; undefined when there was nothing.
 */
export function moveAside(path: string, move = moveTree): string | undefined {
  if (!existsSync(path)) return undefined;
  if (hasPointer(path)) {
    throw new Failure("worktree/busy", `${path} became a worktree again meanwhile.`, { worktree_path: path });
  }
  // What a power cut emptied would keep the folder from being known as one that lies aside.
  rmSync(join(path, ".git"), { force: true });
  if (readdirSync(path).length === 0) {
    dropEmpty(path);
    return undefined;
  }
  const to = rescuedName(path);
  try {
    move(path, to);
  } catch (cause) {
    throw notMovable(path, to, cause);
  }
  return to;
}

/** One that is a mount stays, and git takes it as well as none. */
function dropEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EBUSY") throw error;
  }
}

function notMovable(path: string, to: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined) return cause;
  const why = WHY[code] ?? `it cannot be moved (${code})`;
  const both = existsSync(to) ? ` Some of it is in ${to} already.` : "";
  return new Failure(
    "worktree/not-movable",
    `What is left in ${path} must be kept, and cannot be moved beside it: ${why}.${both}`,
    { worktree_path: path, to, errno: code },
    { cause },
  );
}

const WHY: Readonly<Record<string, string>> = {
  EBUSY: "the folder is a mount of its own",
  EXDEV: "it lies on another disk",
};

/** A name beside a worktree that nothing has yet. */
export const rescuedName = (path: string): string => freeName((number) => `${path}.rescued-${number}`);
