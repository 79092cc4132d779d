import { isHeld } from "../domain/step-machine.ts";
import type { Sql } from "../ports/database.ts";
import type { Worktree } from "../ports/repository.ts";
import { clearItems } from "../store/statements/clear-items.ts";
import { listSubsteps } from "../store/statements/list-substeps.ts";
import { reopenItems } from "../store/statements/reopen-items.ts";
import type { StepRow } from "../store/statements/rows.ts";
import { takeSubstep } from "../store/statements/take-substep.ts";

/** Gives a step's unfinished parts to the owner who just took it. `seen` is the step as it was before. */
export async function handOver(sql: Sql, seen: StepRow, worktree: Worktree): Promise<void> {
  const substeps = await sql.all(listSubsteps, { plan_path: seen.plan_path, anchor: seen.anchor });
  await takeSubsteps(sql, seen, substeps);
  await settleItems(sql, seen, substeps, worktree);
}

/** Substeps that are not finished go with their step. Finished, blocked and held-back ones stay as they are. */
async function takeSubsteps(sql: Sql, step: StepRow, substeps: readonly StepRow[]): Promise<void> {
  for (const substep of substeps) {
    if (substep.status !== "pending" && !isHeld(substep.status)) continue;
    await sql.run(takeSubstep, {
      plan_path: step.plan_path,
      anchor: substep.anchor,
      parent_anchor: step.anchor,
      seen_status: substep.status,
      event: substep.status === "pending" ? "claimed" : "reclaimed",
    });
  }
}

/**
 * What the ticks are worth to the new owner.
 *
 * In the worktree that earned them finished items stay, and what was only begun is open again. In any other worktree
 * the work behind the ticks is not there, so every item of unfinished steps is open again.
 */
async function settleItems(
  sql: Sql,
  seen: StepRow,
  substeps: readonly StepRow[],
  worktree: Worktree,
): Promise<void> {
  const neverHeld = seen.last_worktree_id === null && seen.claimed_by === null;
  if (neverHeld) return;
  const earnedHere =
    seen.last_worktree_id === null
      ? seen.claimed_by === worktree.path
      : seen.last_worktree_id === worktree.id;
  const settle = earnedHere ? reopenItems : clearItems;
  const unfinished = substeps.filter((substep) => substep.status !== "completed");
  for (const { anchor } of [seen, ...unfinished]) {
    await sql.run(settle, { plan_path: seen.plan_path, anchor, now: sql.now });
  }
}
