import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BRANCH_PREFIX, LOCK_REASON, plural } from "../../../domain/index.ts";
import { readRef } from "../refs/read-ref.ts";
import { readMarks } from "../branches/plan-branches.ts";

/**
 * What tells, without any state of Pawl's, that Pawl has worked in this repository; in words, none where nothing does.
 *
 * Looked for only where there is no database, and by files alone: a fresh repository pays for it before its first plan.
 * Snapshots are no sign: people take them without any plan.
 */
export function tracesOfUse(commonDir: string, keyDir: string): readonly string[] {
  const branches = [...readMarks(commonDir)].filter(
    ([name, { start, base }]) =>
      hasWork(commonDir, name, start) || (isOfWorker(base) && isThere(commonDir, name)),
  ).length;
  const worktrees = foldersIn(join(commonDir, "worktrees")).filter((entry) =>
    textOf(join(entry, "locked")).startsWith(LOCK_REASON),
  ).length;
  return [
    ...(branches === 0 ? [] : [plural(branches, "branch of a plan", "branches of plans")]),
    ...(branches === 0 || worktrees === 0 ? [] : [plural(worktrees, "worktree")]),
    ...(hasKeptRefs(commonDir) ? ["commits kept under refs/pawl/"] : []),
    ...(existsSync(join(keyDir, "signing-key")) ? ["the key that its commits are signed with"] : []),
  ];
}

/** Only runs make branches for workers, and a run gives its plan state first. */
const isOfWorker = (base: string): boolean => base.startsWith(BRANCH_PREFIX);

const isThere = (commonDir: string, branch: string): boolean =>
  readRef(commonDir, `refs/heads/${branch}`)?.commit !== undefined;

/** A branch that is where it started is no sign: it may have been made for a plan that got no state. */
function hasWork(commonDir: string, branch: string, start: string): boolean {
  const ref = readRef(commonDir, `refs/heads/${branch}`);
  return ref === undefined || (ref.commit !== undefined && ref.commit !== start);
}

const KEPT = ["rescue", "late"] as const;

function hasKeptRefs(commonDir: string): boolean {
  const packed = textOf(join(commonDir, "packed-refs"));
  return KEPT.some(
    (kind) =>
      packed.includes(` refs/pawl/${kind}/`) || foldersIn(join(commonDir, "refs/pawl", kind)).length > 0,
  );
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** What cannot be read says nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
