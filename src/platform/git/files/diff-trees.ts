import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import type { BytePath } from "./byte-path.ts";
import type { Version } from "./disk-file.ts";

/** How one path differs between two trees. */
export interface FileChange {
  readonly path: BytePath;
  readonly from: Version | undefined;
  readonly to: Version | undefined;
}

/** What leads from one tree to another, path by path; renames are a removal and an addition. */
export const diffTrees = async (run: RunGit, from: string, to: string): Promise<readonly FileChange[]> =>
  (await diffWithFolders(run, from, to)).changes;

/** The same, with the names of all objects that the second tree has in other places than the first, but for itself. */
export async function diffWithFolders(
  run: RunGit,
  from: string,
  to: string,
): Promise<{ readonly changes: readonly FileChange[]; readonly objects: readonly string[] }> {
  const args = [
    "diff-tree",
    "-r",
    "-t",
    "-z",
    "--raw",
    "--no-renames",
    "--full-index",
    "--no-abbrev",
    from,
    to,
    "--",
  ];
  const records = await recordsOf(run, { args, access: "read" });
  const changes: FileChange[] = [];
  const objects: string[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = "", newMode = "", oldName = "", newName = ""] = records[at]!.slice(1).split(" ");
    if (isObject(newMode)) objects.push(newName);
    const change = { path: records[at + 1]!, from: version(oldMode, oldName), to: version(newMode, newName) };
    if (change.from !== undefined || change.to !== undefined) changes.push(change);
  }
  return { changes, objects };
}

const FOLDER = "040000";
const NOTHING = "000000";
/** A repository inside, of which only the name of a commit is here. */
const LINK = "160000";

/** Whether git has an object here for an entry of this mode. */
export const isObject = (mode: string): boolean => mode !== NOTHING && mode !== LINK;

export const isFolder = (mode: string): boolean => mode === FOLDER;

const version = (mode: string, oid: string): Version | undefined =>
  mode === NOTHING || isFolder(mode) ? undefined : { mode, oid };

/** Every file of a commit's tree. */
export async function filesOf(
  run: RunGit,
  commit: string,
): Promise<readonly (Version & { path: BytePath })[]> {
  const records = await recordsOf(run, {
    args: ["ls-tree", "-r", "-z", "--full-tree", commit, "--"],
    access: "read",
  });
  return records.map((record) => {
    const tab = record.indexOf("\t");
    const [mode = "", , oid = ""] = record.slice(0, tab).split(" ");
    return { mode, oid, path: record.slice(tab + 1) };
  });
}
