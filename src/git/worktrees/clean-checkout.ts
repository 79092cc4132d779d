import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";
import { moveAside } from "./move-aside.ts";
import { canonicalPath, hasPointer, readLine } from "./worktree-entry.ts";

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
 * Everything in it can be made again, so it is forced there, and made anew where that fails. What Pawl did not make moves
 * beside it.
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
  clearPlace(place);
  make(commonDir, place);
  await bringTo(run, place, request);
}

/** Behind a symlink lies a folder of a person's own. */
function refuseElsewhere({ path }: CleanPlace): void {
  const folder = dirname(path);
  if (canonicalPath(folder) !== folder) throw inTheWay(folder, "leads elsewhere through a symlink");
}

/** What lies there is not Pawl's: files move beside it, and another repository stays as it is. */
function clearPlace({ path }: CleanPlace): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === false) throw inTheWay(path, "is not a folder");
  if (hasPointer(path)) throw inTheWay(path, "is a git repository that Pawl did not make");
  moveAside(path);
}

const inTheWay = (path: string, why: string): Failure =>
  new Failure(
    "worktree/in-the-way",
    `${path} ${why}, and Pawl makes its clean checkouts there.`,
    { path },
    {
      hint: "Move it elsewhere, then run the command again.",
    },
  );

/**
 * Removes a checkout that Pawl made, and leaves anything else in its place alone.
 *
 * The file that says it is Pawl's goes last, so that a removal cut short is continued by the next one.
 */
export function dropCheckout(place: CleanPlace): void {
  const { path, gitDir } = place;
  if (isOurs(place)) {
    const others = readdirSync(path).filter((name) => name !== ".git");
    for (const name of others) rmSync(join(path, name), { recursive: true, force: true });
    rmSync(path, { recursive: true, force: true });
  }
  rmSync(gitDir, { recursive: true, force: true });
}

const isMade = (place: CleanPlace): boolean => isOurs(place) && existsSync(join(place.gitDir, "commondir"));

const isOurs = ({ path, gitDir }: CleanPlace): boolean =>
  readLine(join(path, ".git")) === `gitdir: ${gitDir}`;

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
