import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ListedWorktree } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import {
  canonicalPath,
  hasPointer,
  newestTime,
  operationIn,
  rebasedBranch,
  worktreeEntries,
  type WorktreeEntry,
} from "./worktree-entry.ts";

/** Written into git's entry of a worktree once everything after `git worktree add` is done. */
export const READY_MARK = "pawl-ready";

export interface ListSetting {
  readonly run: RunGit;
  readonly commonDir: string;
  readonly mainTopLevel: string | undefined;
}

/** The worktrees as git lists them, each with what its entry tells. */
export async function readWorktrees({ run, commonDir, mainTopLevel }: ListSetting) {
  const answer = await run({ args: ["worktree", "list", "--porcelain", "-z"], access: "read" });
  const entries = new Map(worktreeEntries(commonDir).map((entry) => [canonicalPath(entry.path), entry]));
  return recordsIn(answer).map((record, index): ListedWorktree => {
    if (index > 0) return linked(record, entries);
    const entry = { id: "main", gitDir: commonDir, path: mainTopLevel ?? record.path };
    return { ...describe(record, entry), path: entry.path, isMain: true, isMissing: false, isReady: true };
  });
}

interface Record {
  readonly path: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Attributes end in NUL, and an empty one ends each worktree. */
function recordsIn(answer: string): readonly Record[] {
  const records: Record[] = [];
  let fields = new Map<string, string>();
  for (const line of answer.split("\0")) {
    const path = fields.get("worktree");
    if (line === "" && path !== undefined) {
      records.push({ path, fields });
      fields = new Map();
    } else if (line !== "") {
      const space = line.indexOf(" ");
      if (space === -1) fields.set(line, "");
      else fields.set(line.slice(0, space), line.slice(space + 1));
    }
  }
  return records;
}

function linked(record: Record, entries: ReadonlyMap<string, WorktreeEntry>): ListedWorktree {
  const path = canonicalPath(record.path);
  const entry = entries.get(path);
  const listed = describe(record, entry);
  return {
    ...listed,
    path,
    isMain: false,
    isMissing: !hasPointer(path),
    isReady: entry !== undefined && existsSync(join(entry.gitDir, READY_MARK)),
  };
}

function describe({ path, fields }: Record, entry: WorktreeEntry | undefined): ListedWorktree {
  const gitDir = entry?.gitDir;
  const head = fields.get("HEAD");
  return {
    path,
    id: entry?.id ?? path,
    isMain: false,
    isBare: fields.has("bare"),
    branch: fields.get("branch")?.replace(/^refs\/heads\//, "") ?? (gitDir && rebasedBranch(gitDir)),
    head: head === undefined || /^0+$/.test(head) ? undefined : head,
    lock: fields.get("locked"),
    isMissing: false,
    prunable: fields.get("prunable"),
    isReady: false,
    operation: gitDir === undefined ? undefined : operationIn(gitDir),
    createdAt: gitDir === undefined ? undefined : newestTime(gitDir, ["commondir"]),
    touchedAt: gitDir === undefined ? undefined : newestTime(gitDir, ["HEAD", "index", "logs/HEAD"]),
  };
}
