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
export async function diffTrees(run: RunGit, from: string, to: string): Promise<readonly FileChange[]> {
  const args = [
    "diff-tree",
    "-r",
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
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = "", newMode = "", oldName = "", newName = ""] = records[at]!.slice(1).split(" ");
    changes.push({ path: records[at + 1]!, from: version(oldMode, oldName), to: version(newMode, newName) });
  }
  return changes;
}

const version = (mode: string, oid: string): Version | undefined =>
  mode === "000000" ? undefined : { mode, oid };

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
