import type { Sql, Worktree } from "../platform/ports/index.ts";
import { clearItems, listSubsteps, reopenItems } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";

/**
 * What the ticks are worth to the owner who just took a step. `seen` is the step as it was before.
 *
 * In the worktree that earned them finished items stay, and what was only begun is open again. In any other worktree
 * the work behind the ticks is not there, so every item of unfinished steps is open again.
 */
export async function resetItems(sql: Sql, seen: StepRow, worktree: Worktree): Promise<void> {
  const neverHeld = seen.last_worktree_id === null && seen.claimed_by === null;
  if (neverHeld) return;
  const earnedHere =
    seen.last_worktree_id === null
      ? seen.claimed_by === worktree.path
      : seen.last_worktree_id === worktree.id;
  const settle = earnedHere ? reopenItems : clearItems;
  const { plan_path } = seen;
  const substeps = await sql.all(listSubsteps, { plan_path, anchor: seen.anchor });
  const unfinished = substeps.filter((substep) => substep.status !== "completed");
  await Promise.all(
    [seen, ...unfinished].map(({ anchor }) => sql.run(settle, { plan_path, anchor, now: sql.now })),
  );
}
