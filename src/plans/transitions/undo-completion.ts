import type { Sql } from "../../platform/ports/index.ts";
import type { StepRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { clearItems } from "./sql/clear-items.ts";
import { reopenStep } from "./sql/reopen-step.ts";
import { unmeetDependents } from "./sql/unmeet-dependents.ts";

/** Back to pending: the steps that depend on it wait again. Its substeps are for the caller. */
export async function undoCompletion(sql: Sql, step: StepRow, reason: string): Promise<void> {
  const { plan_path, anchor } = step;
  await sql.run(reopenStep, { plan_path, anchor, reason });
  await sql.run(clearItems, { plan_path, anchor, now: sql.now });
  await sql.run(unmeetDependents, { plan_path, anchor });
  await journal(sql, {
    event: "reopened",
    plan: plan_path,
    anchor,
    claim: step.claim_seq,
    detail: { reason, commit: step.commit_hash, completed_at: step.completed_at },
  });
}
