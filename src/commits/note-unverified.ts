import { journal } from "../journal/index.ts";
import type { IntentRow } from "../platform/index.ts";
import type { Sql } from "../platform/ports/index.ts";

/** A person's reason to commit without checks stands in the journal with the completion, also where a kill came between. */
export async function noteUnverified(
  sql: Sql,
  { plan_path: plan, anchor, claim, worktree, unverified: reason }: UnverifiedIntent,
  session?: string,
): Promise<void> {
  if (reason)
    await journal(sql, { event: "unverified", plan, anchor, claim, worktree, session, detail: { reason } });
}

type UnverifiedIntent = Pick<IntentRow, "plan_path" | "anchor" | "claim" | "worktree"> & {
  readonly unverified?: string | null | undefined;
};
