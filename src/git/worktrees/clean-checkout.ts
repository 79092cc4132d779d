import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";
import { canonicalPath, readLine } from "./worktree-entry.ts";

/** Begins the names of clean checkouts. They lie beside the worktrees, so that paths to folders above lead to the same. */
export const CHECK_PREFIX = ".check-";

export interface CleanPlace {
  readonly path: string;
  /** Not among git's worktrees, so nobody lists, prunes or cleans it. */
  readonly gitDir: string;
}

export const cleanPlace = (folder: string, commonDir: string, name: string): CleanPlace => ({
  path: join(folder, `${CHECK_PREFIX}${name}`),
  gitDir: join(commonDir, "pawl", "checks", name),
});

export interface CleanRequest {
  readonly tree: string;
  /** What `HEAD` is there; undefined where nothing was committed yet. */
  readonly head: string | undefined;
  /** Whether ignored files of earlier checks stay: caches, and what a set-up command installed. */
  readonly keepsIgnored: boolean;
}

/**
 * Brings a checkout of Pawl's own to exactly one tree, and writes only what differs from the last one.
 *
 * Nobody works in it and everything in it can be made again, so it is forced there, and made anew where that fails.
 */
export async function cleanCheckout(
  run: RunGit,
  commonDir: string,
  place: CleanPlace,
  request: CleanRequest,
): Promise<void> {
  refuseElsewhere(place);
  if (isMade(place)) {
    try {
      await bringTo(run, place, request);
      return;
    } catch {
      // A power cut or a check may have broken it.
    }
  }
  dropCheckout(place);
  make(commonDir, place);
  await bringTo(run, place, request);
}

/** Behind a symlink lies somebody's own folder. */
function refuseElsewhere({ path }: CleanPlace): void {
  const folder = dirname(path);
  if (canonicalPath(folder) === folder) return;
  throw new Failure("worktree/in-the-way", `${folder} leads elsewhere through a symlink.`, { path: folder });
}

export function dropCheckout({ path, gitDir }: CleanPlace): void {
  rmSync(path, { recursive: true, force: true });
  rmSync(gitDir, { recursive: true, force: true });
}

const isMade = ({ path, gitDir }: CleanPlace): boolean =>
  readLine(join(path, ".git")) === `gitdir: ${gitDir}` && existsSync(join(gitDir, "commondir"));

function make(commonDir: string, { path, gitDir }: CleanPlace): void {
  mkdirSync(path, { recursive: true });
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(gitDir, "commondir"), `${commonDir}\n`);
  writeFileSync(join(gitDir, "gitdir"), `${join(path, ".git")}\n`);
  writeFileSync(join(gitDir, "HEAD"), UNBORN);
  writeFileSync(join(path, ".git"), `gitdir: ${gitDir}\n`);
}

const UNBORN = "ref: refs/heads/pawl-nothing-committed-yet\n";

async function bringTo(
  run: RunGit,
  { path, gitDir }: CleanPlace,
  { tree, head, keepsIgnored }: CleanRequest,
): Promise<void> {
  // Of a git that a kill ended: nobody else works here.
  rmSync(join(gitDir, "index.lock"), { force: true });
  writeFileSync(join(gitDir, "HEAD"), head === undefined ? UNBORN : `${head}\n`);
  const here = { access: "write", worktree: path, fsync: "none", config: WHOLE, timeoutMs: LONG_MS } as const;
  await run({ ...here, args: ["read-tree", "--reset", "-u", tree] });
  await run({ ...here, args: ["clean", "-ffdq", ...(keepsIgnored ? [] : ["-x"])] });
}

/** Every file, as it is in the tree, and seen by git itself. */
const WHOLE = new Map([
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.sparseCheckout", "false"],
  ["core.hooksPath", "/dev/null"],
  ["clean.requireForce", "false"],
]);
