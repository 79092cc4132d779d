import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { syncPath } from "../../index.ts";
import { freeName } from "../files/free-name.ts";
import { bytesOf, recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";

/** A folder with files of the repository, and git's index of it. */
export interface CheckoutFolder {
  readonly path: string;
  readonly gitDir: string;
}

/** Where the content of an object may still lie. */
export interface ObjectSources {
  readonly checkouts: readonly CheckoutFolder[];
  /** Folders with files of a worktree, and without git. */
  readonly folders: readonly string[];
  /** Commits that may name the object. */
  readonly commits: readonly string[];
}

/** Those of the objects that are there, whole as far as git tells without reading all of them. */
export async function presentObjects(run: RunGit, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const answer = await run({
    args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    access: "read",
    input: ids.map((id) => `${id}\n`).join(""),
  });
  const found = answer.split("\n").filter((line) => /^[0-9a-f]+ (?:commit|tree|blob|tag)$/.test(line));
  return new Set(found.map((line) => line.slice(0, line.indexOf(" "))));
}

/**
 * Writes objects again whose content still lies in a checkout: a file there, or the folders that an index names.
 *
 * Git itself never does so: it takes an object whose file is there for written.
 */
export async function restoreObjects(
  run: RunGit,
  commonDir: string,
  ids: readonly string[],
  { checkouts, folders, commits }: ObjectSources,
): Promise<readonly string[]> {
  const wanted = new Set(ids);
  for (const { id, name } of await namesOf(run, wanted, checkouts, commits))
    for (const folder of [...checkouts.map(({ path }) => path), ...folders])
      await writeFileAgain(run, commonDir, { folder, id, name });
  for (const checkout of checkouts) await writeTrees(run, commonDir, checkout);
  const present = await presentObjects(run, ids);
  return ids.filter((id) => present.has(id));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Under which names the objects are known: to an index, or to a commit whose folders can still be read. */
async function namesOf(
  run: RunGit,
  wanted: ReadonlySet<string>,
  checkouts: readonly CheckoutFolder[],
  commits: readonly string[],
): Promise<readonly Named[]> {
  const lines: string[] = [];
  const list = async (args: readonly string[], worktree?: string): Promise<void> => {
    const call = {
      args,
      access: "read",
      answers: [1, 128],
      ...(worktree === undefined ? {} : { worktree }),
    } as const;
    lines.push(...(await recordsOf(run, call)));
  };
  for (const { path } of checkouts) await list(["ls-files", "--stage", "-z"], path);
  for (const commit of commits) await list(["ls-tree", "-r", "-z", commit]);
  const named = new Map<string, Named>();
  for (const line of lines) {
    const [, id] = /^\d+ (?:blob )?([0-9a-f]+)[ \t]/.exec(line) ?? [];
    const name = Buffer.from(line.slice(line.indexOf("\t") + 1), "latin1").toString("utf8");
    if (id !== undefined && wanted.has(id)) named.set(`${id} ${name}`, { id, name });
  }
  return [...named.values()];
}

async function writeFileAgain(
  run: RunGit,
  commonDir: string,
  { folder, id, name }: Named & { readonly folder: string },
): Promise<void> {
  const file = join(folder, name);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  // Named outright: the folder may be one that leads nowhere any more. Its attributes say what a file is stored as.
  const place = [`--git-dir=${commonDir}`, `--work-tree=${folder}`];
  const hash = (write: readonly string[]): Promise<string> =>
    run({ args: [...place, "hash-object", ...write, `--path=${name}`, "--", file], access: "write" });
  // Asked first: an object that differs is not wanted.
  if ((await hash([])).trim() === id) await hash(["-w"]);
}

/**
 * In an index of its own, made from what the worktree's says: that one remembers the folders that it has written once,
 * and git would not look whether they are still there.
 */
async function writeTrees(run: RunGit, commonDir: string, { path }: CheckoutFolder): Promise<void> {
  const staged = {
    args: ["ls-files", "--stage", "-z"],
    access: "read",
    worktree: path,
    answers: [128],
  } as const;
  const input = await bytesOf(run, staged);
  if (input.length === 0) return;
  mkdirSync(asideFolder(commonDir), { recursive: true });
  const indexFile = join(mkdtempSync(join(asideFolder(commonDir), "index-")), "index");
  const at = { access: "write", worktree: path, indexFile, answers: [128] } as const;
  try {
    await run({ args: ["update-index", "-z", "--index-info"], input, ...at });
    await run({ args: ["write-tree", "--missing-ok"], ...at });
  } finally {
    rmSync(dirname(indexFile), { recursive: true, force: true });
  }
}

/** Beside git's own folders, and not where the state is: that may be another disk, and a rename must do. */
export const asideFolder = (commonDir: string): string => join(commonDir, "pawl-damaged");

/**
 * Moves a damaged file out of git's sight, under the path it had. A copy is on the disk when this returns: the caller
 * replaces the original next.
 */
export function setAside(commonDir: string, path: string, how: "move" | "copy" = "move"): void {
  const wanted = join(asideFolder(commonDir), relative(commonDir, path));
  const to = freeName((number) => (number === 1 ? wanted : `${wanted}.${number}`));
  mkdirSync(dirname(to), { recursive: true });
  if (how === "move") return renameSync(path, to);
  copyFileSync(path, to);
  syncPath(to);
  // The folders may be as new as the copy.
  for (let folder = dirname(to); folder !== dirname(commonDir); folder = dirname(folder)) syncPath(folder);
}

/** Replaces a file of git's whole or not at all, on the disk itself. Git sees no draft: one may look like a ref. */
export function replaceFile(commonDir: string, path: string, text: string): void {
  mkdirSync(asideFolder(commonDir), { recursive: true });
  const draft = join(asideFolder(commonDir), `draft-${process.pid}`);
  writeFileSync(draft, text, { mode: 0o644 });
  syncPath(draft);
  renameSync(draft, path);
  syncPath(dirname(path));
}

/** The names of the objects that were moved aside. */
export function setAsideIds(commonDir: string): readonly string[] {
  const folder = join(asideFolder(commonDir), "objects");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((start) => readdirSync(join(folder, start)).map((end) => `${start}${end}`))
    .filter((id) => /^[0-9a-f]+$/.test(id));
}
