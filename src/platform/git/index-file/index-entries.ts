import type { RunGit } from "../process/run-git.ts";
import type { BytePath } from "../files/byte-path.ts";
import type { Version } from "../files/disk-file.ts";
import { recordsOf } from "../process/git-output.ts";

export interface IndexEntry extends Version {
  readonly path: BytePath;
  /** 0, or 1 to 3 for the sides of a conflict. */
  readonly stage: number;
  /** Git was told not to look at the file: its word about it is not to be taken. */
  readonly unwatched: "assumed-unchanged" | "sparse" | undefined;
}

export async function indexEntries(run: RunGit, indexFile: string): Promise<readonly IndexEntry[]> {
  const args = ["ls-files", "-z", "--stage", "-v"];
  const records = await recordsOf(run, { args, access: "read", indexFile });
  return records.map(readEntry);
}

/** `H 100644 <name> 0<tab><path>`; the name is as long as the repository's hash. */
function readEntry(record: string): IndexEntry {
  const tab = record.indexOf("\t");
  const tag = record[0]!;
  return {
    mode: record.slice(2, 8),
    oid: record.slice(9, tab - 2),
    stage: record.charCodeAt(tab - 1) - 48,
    path: record.slice(tab + 1),
    unwatched: tag === "S" || tag === "s" ? "sparse" : tag >= "a" ? "assumed-unchanged" : undefined,
  };
}
