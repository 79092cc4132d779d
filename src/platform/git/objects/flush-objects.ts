import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { FEW, syncPaths, syncTrees } from "../../index.ts";
import type { RunGit } from "../process/run-git.ts";

/**
 * Brings every object of some commits to the disk, and some objects that belong to none, also what an agent's git wrote.
 *
 * Git does not write an object again that is there, so `core.fsync` flushes nothing of what an agent's own git wrote
 * before. What was settled once is noted, and with it all that it reaches: so only what came since is listed. Without
 * a note there is no telling what came since, and everything is flushed.
 */
export async function flushCommits(
  run: RunGit,
  commonDir: string,
  commits: readonly string[],
  others: readonly string[] = [],
): Promise<void> {
  const known = readFlushed(commonDir);
  const missing = commits.filter((name) => !known.includes(name));
  const wanted = [...missing, ...others];
  if (wanted.length === 0) return;
  await flushObjects(commonDir, known.length === 0 ? undefined : await newObjects(run, wanted, known));
  if (missing.length > 0) noteFlushed(commonDir, missing);
}

/** A commit, and the names of all objects that it has and its parent has not, itself among them. */
export interface KnownObjects {
  readonly commit: string;
  readonly parent: string;
  readonly objects: readonly string[];
}

/** The same for one commit whose objects are known; false where its parent was never settled, and git must list them. */
export async function flushCommit(
  commonDir: string,
  { commit, parent, objects }: KnownObjects,
): Promise<boolean> {
  const known = readFlushed(commonDir);
  if (known.includes(commit)) return true;
  if (!known.includes(parent)) return false;
  await flushObjects(commonDir, objects);
  noteFlushed(commonDir, [commit]);
  return true;
}

/** Brings some objects to the disk by their names, or all of them. */
export async function flushObjects(commonDir: string, names: readonly string[] | undefined): Promise<void> {
  const objects = join(commonDir, "objects");
  if (names === undefined || names.length > FEW) await syncTrees([objects]);
  else await syncPaths(objects, pathsOf(objects, names));
}

/** Objects that some commits reach and others do not. */
async function newObjects(
  run: RunGit,
  names: readonly string[],
  known: readonly string[],
): Promise<string[]> {
  const answer = await run({
    // What a note names may be gone by now; in a partial clone, what was never fetched cannot be flushed.
    args: [
      "rev-list",
      "--objects",
      "--no-object-names",
      "--ignore-missing",
      "--missing=allow-promisor",
      "--stdin",
    ],
    access: "read",
    input: [...names, ...known.map((name) => `^${name}`), ""].join("\n"),
  });
  return answer.split("\n").filter((line) => line !== "");
}

/** The files that hold some objects, and the folders that name them. */
function pathsOf(objects: string, names: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  let isPacked = false;
  for (const name of names) {
    const file = join(objects, name.slice(0, 2), name.slice(2));
    if (fs.existsSync(file)) paths.add(file).add(dirname(file));
    else isPacked = true;
  }
  const packs = join(objects, "pack");
  // Which of them is asked of git only; those that lie there for long cost next to nothing.
  if (isPacked && fs.existsSync(packs))
    for (const name of fs.readdirSync(packs)) paths.add(join(packs, name)).add(packs);
  if (paths.size > 0) paths.add(objects);
  return paths;
}

const flushedFile = (commonDir: string): string => join(commonDir, "pawl-settled");

const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MOST_KNOWN = 50;
const MOST_BYTES = 16 << 10;

/** The newest of what was settled. */
function readFlushed(commonDir: string): readonly string[] {
  try {
    const lines = fs.readFileSync(flushedFile(commonDir), "utf8").split("\n");
    return lines.filter((line) => NAME.test(line)).slice(-MOST_KNOWN);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Notes commits whose objects are all on the disk, with all that they reach.
 *
 * Not flushed: a note that a power cut takes is a flush too many. It must never be there before what it vouches for.
 */
export function noteFlushed(commonDir: string, names: readonly string[]): void {
  const path = flushedFile(commonDir);
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) {
    const draft = `${path}.${process.pid}`;
    fs.writeFileSync(draft, `\n${readFlushed(commonDir).join("\n")}\n`, { mode: 0o600 });
    fs.renameSync(draft, path);
  }
  // In one write, on lines of its own even behind one that a crash cut off.
  fs.appendFileSync(path, `\n${names.join("\n")}\n`, { mode: 0o600 });
}
