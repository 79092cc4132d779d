import { Failure } from "../../../domain/index.ts";
import type { RunGit } from "../process/run-git.ts";
import type { BytePath } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";

/** What git finds different between the commit, the index and the files. */
export interface Status {
  readonly head: string | undefined;
  readonly branch: string | undefined;
  /** Tracked paths that are not as committed, in the index or on disk. */
  readonly tracked: readonly BytePath[];
  /** Ending in `/` where it is a repository of its own. */
  readonly untracked: readonly BytePath[];
  /** Blobs that only the index names. */
  readonly staged: readonly string[];
}

export interface StatusQuestion {
  readonly indexFile: string;
  readonly ignored: boolean;
  readonly config: ReadonlyMap<string, string>;
}

/**
 * Asks git what is not committed.
 *
 * Submodules are left out: git would look into them with a process that obeys their settings, whatever those run.
 */
export async function readStatus(run: RunGit, question: StatusQuestion): Promise<Status> {
  const { indexFile, ignored, config } = question;
  let warnings: readonly string[] = [];
  const onWarning = (lines: readonly string[]) => (warnings = lines);
  const args = [...STATUS, `--ignored=${ignored ? "traditional" : "no"}`, "--"];
  const records = await recordsOf(run, { args, access: "read", indexFile, config, onWarning });
  refuseClosed(warnings);
  const tracked: BytePath[] = [];
  const untracked: BytePath[] = [];
  const staged = new Set<string>();
  const headers = new Map<string, string>();
  for (const record of records) {
    const kind = record[0];
    if (kind === "#") headers.set(...header(record));
    else if (kind === "?" || kind === "!") untracked.push(record.slice(2));
    else {
      const { path, blobs } = readRecord(record);
      tracked.push(path);
      for (const blob of blobs) staged.add(blob);
    }
  }
  const head = headers.get("branch.oid");
  const branch = headers.get("branch.head");
  return {
    head: head === "(initial)" ? undefined : head,
    branch: branch === "(detached)" ? undefined : branch,
    tracked,
    untracked,
    staged: [...staged].filter((oid) => !/^0+$/.test(oid)),
  };
}

/** Git leaves out a folder that it may not read, and continues: what lies in it would be missing from the snapshot. */
function refuseClosed(lines: readonly string[]): void {
  const path = lines
    .map((line) => /^warning: could not open directory '(.*)': /.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (path === undefined) return;
  const message = `The folder ${path} cannot be read, so what is in it cannot be kept.`;
  throw new Failure("snapshot/unreadable", message, { path });
}

const STATUS = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--no-ahead-behind",
  "--no-renames",
  "--untracked-files=all",
  "--ignore-submodules=all",
];

function header(record: string): [string, string] {
  const space = record.indexOf(" ", 2);
  return [record.slice(2, space), Buffer.from(record.slice(space + 1), "latin1").toString("utf8")];
}

/** `1 XY sub mH mI mW hH hI path` or `u XY sub m1 m2 m3 mW h1 h2 h3 path`; a path may hold spaces. */
function readRecord(record: string): { readonly path: BytePath; readonly blobs: readonly string[] } {
  const count = record.startsWith("u") ? 10 : 8;
  let at = 0;
  const fields: string[] = [];
  for (let field = 0; field < count; field += 1) {
    const end = record.indexOf(" ", at);
    fields.push(record.slice(at, end));
    at = end + 1;
  }
  const path = record.slice(at);
  if (count === 10) return { path, blobs: fields.slice(7) };
  return { path, blobs: fields[4] === "160000" || fields[6] === fields[7] ? [] : [fields[7]!] };
}
