import { journal } from "../../journal/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import { findLanding } from "./find-landing.ts";
import { recordLanded } from "./record-landed.ts";

export interface Landed {
  readonly plan: string;
  readonly anchor: string;
  readonly claim: number;
  readonly commit: string;
  /** The branch that moved, and where it was; undefined where the commit stays on the branch that it was made on. */
  readonly move: { readonly branch: string; readonly from: string | undefined } | undefined;
  readonly worktree: string;
  readonly session?: string | null | undefined;
}

/** Records what a step landed as, in the transaction that completes it. */
export async function noteLanded(
  sql: Sql,
  { plan, anchor, claim, commit, move, worktree, session }: Landed,
): Promise<void> {
  const key = { plan_path: plan, anchor, claim };
  await sql.run(recordLanded, { ...key, commit_hash: commit, now: sql.now });
  if (move === undefined) return;
  const tree = (await sql.get(findLanding, key))?.tree ?? null;
  const detail = { branch: move.branch, commit, tree, from: move.from ?? null };
  await journal(sql, { event: "landed", plan, anchor, claim, worktree, session, detail });
}
