import { existsSync, mkdirSync, readdirSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { sleep } from "../../index.ts";
import { Failure, LOCK_REASON, shellWord } from "../../../domain/index.ts";
import { pathFrom } from "../repository/git-directory.ts";
import { READY_MARK } from "./list-worktrees.ts";
import { moveAside } from "./move-aside.ts";
import { freeName } from "../files/free-name.ts";
import { moveTree } from "../files/move-tree.ts";
import { canonicalPath, entriesIn, isBlankFile, readLine } from "./worktree-entry.ts";

/** Git is between the first file of an entry and the last for a few milliseconds. */
const SURELY_DEAD_MS = 2_000;

export interface HalfMadeSetting {
  readonly commonDir: string;
  /** The folder in which Pawl makes worktrees. */
  readonly folder: string;
}

export interface HalfMade {
  readonly entry: string;
  /** The folder it is of. */
  readonly path: string;
}

/**
 * Clears away what a killed `git worktree add` left before it said which branch is checked out there, and what a power
 * cut left of an entry.
 *
 * Git writes the files of an entry one after the other. Cut off in between it leaves an entry that no command of git
 * repairs, and one with an empty `commondir` makes every `git worktree` fail. After a power cut the files of an entry can
 * be empty long after it was ready. What Pawl had asked for is known by the reason it is locked with from its first
 * moment on and by its place. The entry moves out of git's sight, and files that lie in the folder move beside it, so
 * that the worktree can be made again from its branch.
 */
export async function clearHalfMade(setting: HalfMadeSetting): Promise<readonly string[]> {
  const cleared: string[] = [];
  for (const { entry } of findHalfMade(setting)) {
    await untilDead(entry);
    if (!isHalfMade(entry)) continue;
    const how = isTorn(entry) ? "lost what it held in a power cut" : "was half made by a git that was killed";
    const files = clearFolder(entry, setting.folder);
    moveEntry(entry, setting.commonDir);
    cleared.push(`${entry} ${how}; it was moved away`);
    if (files !== undefined) cleared.push(`files that lay in its place are in ${files}`);
  }
  return cleared;
}

/** The entries that `clearHalfMade` would clear away, with the folders that they are of. */
const findHalfMade = ({ commonDir, folder }: HalfMadeSetting): readonly HalfMade[] =>
  entriesIn(commonDir)
    .filter((entry) => isHalfMade(entry) && isOurs(entry, folder))
    .map((entry) => ({ entry, path: placeOf(entry) ?? join(folder, basename(entry)) }));

/** Everything of Pawl's that git cannot use: those entries, and whole ones whose folder leads nowhere. */
export const findUnusable = (setting: HalfMadeSetting): readonly HalfMade[] => [
  ...findHalfMade(setting),
  ...entriesIn(setting.commonDir)
    .filter((entry) => !isHalfMade(entry) && isOurs(entry, setting.folder))
    .map((entry) => ({ entry, path: placeOf(entry)! }))
    .filter(({ path }) => isBlankFile(join(path, ".git"))),
];

/** Lists the worktrees also where one entry is half made: because of it git lists nothing at all. */
export async function listAround<T>(setting: HalfMadeSetting, list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch {
    await clearHalfMade(setting);
    return list().catch((cause: unknown) => Promise.reject(brokenEntry(setting, cause)));
  }
}

/** Says what is to be done about an entry that git stumbles over and that is not ours. */
function brokenEntry({ commonDir }: HalfMadeSetting, cause: unknown): unknown {
  const entry = entriesIn(commonDir).find((one) => readLine(join(one, "commondir")) === "");
  if (entry === undefined || !(cause instanceof Failure)) return cause;
  const aside = join(commonDir, `${basename(entry)}.half-made`);
  return new Failure(
    "worktree/half-made",
    `A git that was killed left ${entry} half made, and git cannot list the worktrees because of it.`,
    { entry, locked: readLine(join(entry, "locked")) ?? null },
    {
      hint: `Pawl did not make it. A person who knows that nothing works there moves it away: mv -n ${shellWord(entry)} ${shellWord(aside)}; then run the command again.`,
      cause,
    },
  );
}

/** The files that git needs of an entry; written once, and never empty. */
const NEEDED = ["HEAD", "gitdir", "commondir"] as const;

/** A file that was never flushed has its name after a power cut, and nothing in it. */
const isTorn = (entry: string): boolean => NEEDED.some((name) => isBlankFile(join(entry, name)));

/** Later than this, HEAD names a branch: then the worktree is found by it, and made whole or anew. */
function isHalfMade(entry: string): boolean {
  if (isTorn(entry)) return true;
  if (existsSync(join(entry, "index")) || existsSync(join(entry, READY_MARK))) return false;
  const head = readLine(join(entry, "HEAD"));
  return head === undefined || !head.startsWith("ref:") || readLine(join(entry, "commondir")) === "";
}

function isOurs(entry: string, folder: string): boolean {
  const place = placeOf(entry);
  // The reason is a file as well, and as empty as the others.
  if (isTorn(entry) && isBlankFile(join(entry, "locked")))
    return (
      isBelow(place ?? join(folder, basename(entry)), folder) &&
      existsSync(place ?? join(folder, basename(entry)))
    );
  if (readLine(join(entry, "locked")) !== LOCK_REASON) return false;
  return place === undefined || isBelow(place, folder);
}

const isBelow = (place: string, folder: string): boolean => `${place}${sep}`.startsWith(`${folder}${sep}`);

/** Undefined when git did not come so far as to say where the worktree is to be. */
function placeOf(entry: string): string | undefined {
  const target = readLine(join(entry, "gitdir"));
  return target === undefined || isBlankFile(join(entry, "gitdir"))
    ? undefined
    : canonicalPath(dirname(pathFrom(entry, target)));
}

/** A git that outlives the Pawl which called it may still be at work. */
async function untilDead(entry: string): Promise<void> {
  for (;;) {
    const times = [
      entry,
      ...(existsSync(entry) ? readdirSync(entry).map((name) => join(entry, name)) : []),
    ].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const leftMs = Math.max(...times) + SURELY_DEAD_MS - Date.now();
    if (leftMs <= 0 || leftMs > SURELY_DEAD_MS || !isHalfMade(entry)) return;
    await sleep(leftMs);
  }
}

/** Answers where the files went that lay in the place of the worktree. */
function clearFolder(entry: string, folder: string): string | undefined {
  // An entry that does not say its place has the name of its folder, as git gives it.
  const place = placeOf(entry) ?? join(folder, basename(entry));
  const pointer = join(place, ".git");
  const isItsOwn = isBlankFile(pointer) || readLine(pointer) === `gitdir: ${entry}`;
  if (isItsOwn) unlinkSync(pointer);
  return existsSync(pointer) ? undefined : moveAside(place);
}

function moveEntry(entry: string, commonDir: string): void {
  // Beside `worktrees`, and not where the state is: that may be another disk, and a rename must do.
  const folder = join(commonDir, "pawl-half-made");
  mkdirSync(folder, { recursive: true });
  try {
    moveTree(
      entry,
      freeName((number) => join(folder, `${basename(entry)}-${number}`)),
    );
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
