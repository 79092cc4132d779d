import * as fs from "node:fs";
import { nodeCrypto } from "../../index.ts";
import { type BytePath, foldersAbove, onDisk, toBytes } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import type { FileChange } from "../files/diff-trees.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { markOf, statIn } from "./checkout-paths.ts";

export interface ObstacleQuestion {
  readonly run: RunGit;
  readonly top: string;
  /** The index of the worktree, or a copy of it. */
  readonly index: string;
  readonly changes: readonly FileChange[];
  /** What the merge has put there and is untouched since: with a lossy filter its content would not tell. */
  readonly arrived?: ReadonlySet<BytePath>;
}

export interface Obstacles {
  /** What a person has changed or put there, and would be overwritten. */
  readonly inTheWay: readonly BytePath[];
  /** What is to be done, each with a stamp of the file as it was read; what is done already is not among them. */
  readonly todo: ReadonlyMap<FileChange, string>;
}

type State = "as-before" | "as-after" | "else";

/**
 * Compares what a merge is to change with what lies in the checkout, file by file.
 *
 * A file that is as the merge found it may be changed; one that is as the merge would make it is done. Anything else is
 * a person's: a changed file, another one staged, an untracked or ignored one in the place of a new one.
 */
export async function findObstacles(question: ObstacleQuestion): Promise<Obstacles> {
  const { top, changes } = question;
  if (changes.length === 0) return { inTheWay: [], todo: new Map() };
  const looks = await look(question);
  const removed = new Set(changes.filter(({ to }) => to === undefined).map(({ path }) => path));
  const inTheWay: BytePath[] = [];
  const todo = new Map<FileChange, string>();
  for (const change of changes) {
    const state = stateOf(top, change, looks, removed);
    if (state === "else") inTheWay.push(change.path);
    else if (state === "as-before") todo.set(change, markOf(statIn(top, change.path)));
  }
  return { inTheWay, todo };
}

interface Looks {
  /** The letter of `git ls-files -v` for each path that the index has. */
  readonly tags: ReadonlyMap<BytePath, string>;
  readonly stagedSince: ReadonlySet<BytePath>;
  readonly stagedElse: ReadonlySet<BytePath>;
  readonly dirty: ReadonlySet<BytePath>;
  readonly arrived: ReadonlySet<BytePath>;
  /** What the files are whose state the index does not tell. */
  readonly versions: ReadonlyMap<BytePath, string>;
}

/** In one call: each entry with its letter, and once more with a `C` where the file is not what the entry says. */
async function look(question: ObstacleQuestion): Promise<Looks> {
  const { run, top, index, changes, arrived = new Set() } = question;
  const listed = await recordsOf(run, {
    args: ["ls-files", "--cached", "--modified", "--stage", "-v", "-z"],
    access: "read",
    worktree: top,
    indexFile: index,
    timeoutMs: LONG_CALL_MS,
  });
  const paths = new Set(changes.map(({ path }) => path));
  const tags = new Map<BytePath, string>();
  const entries = new Map<BytePath, string>();
  const dirty = new Set<BytePath>();
  for (const line of listed) {
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    if (!paths.has(path)) continue;
    const [tag = "", mode = "", oid = "", stage] = line.slice(0, tab).split(" ");
    if (tag !== "C") {
      tags.set(path, tag);
      entries.set(path, stage === "0" ? `${mode} ${oid}` : "unmerged");
    } else if (mode !== LINK) dirty.add(path);
  }
  const unlike = (side: "from" | "to") =>
    new Set(
      changes.filter((one) => entries.get(one.path) !== versionName(one[side])).map(({ path }) => path),
    );
  const looks = { tags, stagedSince: unlike("from"), stagedElse: unlike("to"), dirty, arrived };
  const unclear = changes.map(({ path }) => path).filter((path) => !isTold(path, looks));
  return { ...looks, versions: await versionsOf(run, top, unclear) };
}

const versionName = (version: FileChange["from"]): string | undefined =>
  version && `${version.mode} ${version.oid}`;

/**
 * Whether the index vouches for the file.
 *
 * It does not for one that is marked as unchanged, nor for one that is marked to be skipped: people do
 * that to a file of theirs that they edit and never commit.
 */
const isTold = (path: BytePath, { tags, dirty }: Pick<Looks, "tags" | "dirty">): boolean => {
  const tag = tags.get(path);
  return tag !== undefined && tag !== "S" && !dirty.has(path) && tag === tag.toUpperCase();
};

/** The mode of a repository inside. */
const LINK = "160000";

const isLink = (version: FileChange["from"]): boolean => version?.mode === LINK;

function stateOf(top: string, change: FileChange, looks: Looks, removed: ReadonlySet<BytePath>): State {
  const { path, from, to } = change;
  if (looks.stagedSince.has(path) && looks.stagedElse.has(path)) return "else";
  const stat = statIn(top, path);
  if (/s/i.test(looks.tags.get(path) ?? "") && stat === undefined) return "as-after";
  if (to !== undefined && isBlocked(top, path, removed)) return "else";
  if (stat?.isDirectory()) return folderState(top, change, removed);
  if (stat === undefined) {
    if (to === undefined) return "as-after";
    // A file that a person deleted is a change of theirs.
    return looks.tags.has(path) && !isLink(from) ? "else" : "as-before";
  }
  if (looks.arrived.has(path)) return "as-after";
  if (isTold(path, looks))
    return looks.stagedSince.has(path) && !looks.stagedElse.has(path) ? "as-after" : "as-before";
  // Without an owner since it was taken out of the index, and the merge has nothing to put there.
  if (to === undefined && !looks.tags.has(path)) return "as-after";
  const version = looks.versions.get(path);
  if (to !== undefined && version === `${to.mode} ${to.oid}`) return "as-after";
  return from !== undefined && version === `${from.mode} ${from.oid}` ? "as-before" : "else";
}

/** A folder above the path is a file or a symlink that the merge does not take away. */
function isBlocked(top: string, path: BytePath, removed: ReadonlySet<BytePath>): boolean {
  for (const folder of foldersAbove(path)) {
    const stat = fs.lstatSync(onDisk(top, folder), { throwIfNoEntry: false });
    if (stat === undefined || removed.has(folder)) return false;
    if (!stat.isDirectory()) return true;
  }
  return false;
}

/** Of a submodule git changes nothing but the commit it is to be at; a folder goes when all that is in it goes. */
function folderState(top: string, { path, from, to }: FileChange, removed: ReadonlySet<BytePath>): State {
  if (isLink(to)) return "as-after";
  if (to === undefined) return fs.readdirSync(onDisk(top, path)).length > 0 ? "as-after" : "as-before";
  const isEmptied = filesBelow(top, path).every((file) => removed.has(file));
  return isEmptied || (isLink(from) && fs.readdirSync(onDisk(top, path)).length === 0) ? "as-before" : "else";
}

function filesBelow(top: string, folder: BytePath): readonly BytePath[] {
  const files: BytePath[] = [];
  for (const entry of fs.readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
    const path = `${folder}/${entry.name.toString("latin1")}`;
    if (entry.isDirectory()) files.push(...filesBelow(top, path));
    else files.push(path);
  }
  return files;
}

/** Mode and name of what git would make of the files now; files that it could not be asked about have none. */
export async function versionsOf(
  run: RunGit,
  top: string,
  paths: readonly BytePath[],
): Promise<ReadonlyMap<BytePath, string>> {
  const stats = new Map(paths.map((path) => [path, statIn(top, path)]));
  const files = paths.filter((path) => stats.get(path)?.isFile() && !/^"|\n/.test(path));
  const names =
    files.length === 0
      ? []
      : (
          await run({
            args: ["hash-object", "--stdin-paths"],
            access: "read",
            worktree: top,
            input: Buffer.concat(files.flatMap((path) => [toBytes(path), Buffer.from("\n")])),
            timeoutMs: LONG_CALL_MS,
          })
        ).split("\n");
  const versions = new Map<BytePath, string>();
  for (const [index, path] of files.entries()) {
    const isExecutable = (stats.get(path)!.mode & 0o100n) !== 0n;
    versions.set(path, `${isExecutable ? "100755" : "100644"} ${names[index]}`);
  }
  const nameLength = names[0]?.length ?? 40;
  for (const path of paths)
    if (stats.get(path)?.isSymbolicLink())
      versions.set(path, `120000 ${linkName(onDisk(top, path), nameLength)}`);
  return versions;
}

function linkName(path: Buffer, nameLength: number): string {
  const target = fs.readlinkSync(path, { encoding: "buffer" });
  return nodeCrypto()
    .createHash(nameLength === 64 ? "sha256" : "sha1")
    .update(`blob ${target.length}\0`)
    .update(target)
    .digest("hex");
}
