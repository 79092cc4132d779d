import type { Instant } from "../../domain/index.ts";
import { storedJson } from "../../journal/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import { listMerges } from "../sql/list-merges.ts";
import type { MergeNote } from "./merge-journal.ts";

/** A merge that a person let through without the check. */
export interface UnverifiedMergeView {
  readonly at: Instant;
  readonly planPath: string | null;
  readonly branchName: string;
  readonly baseBranch: string;
  readonly commitHash: string;
  /** What was left out. */
  readonly check: string | null;
  readonly because: string;
}

/** Merges that went without the check, the newest first. One is over when a later merge into the same base has passed. */
export async function unverifiedMerges(sql: Sql): Promise<readonly UnverifiedMergeView[]> {
  const verified = new Set<string>();
  const found: UnverifiedMergeView[] = [];
  for (const { event, at, plan_path, detail } of await sql.all(listMerges, {})) {
    const note = storedJson<Partial<MergeNote>>(detail, {});
    const { base, branch, commit } = note;
    if (event !== "worktree-merged" || base === undefined || branch === undefined || commit === undefined)
      continue;
    if (note.verification === "passed") verified.add(base);
    if (note.verification !== "unverified" || verified.has(base)) continue;
    found.push({
      at,
      planPath: plan_path,
      branchName: branch,
      baseBranch: base,
      commitHash: commit,
      check: note.check ?? null,
      because: note.because ?? "",
    });
  }
  return found;
}
