import { bareAnchor } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import { findLostGrant, type LostGrant } from "../steps/index.ts";
import { withoutPlanFiles } from "../plans/index.ts";
import { keepLate, lateResultOf, leftBehind } from "../commits/index.ts";

/**
 * Refuses the next step while files of a step that went to another worker are in the worktree.
 *
 * They would become part of its commit, and with it the work of two owners. Only a person can say what becomes of them:
 * they are kept as a late result, and stay where they are. A worker that gets the lost step back simply continues.
 */
export async function refuseFilesOfLostStep(
  ports: Ports,
  {
    worktree,
    plan,
    step,
  }: { readonly worktree: Worktree; readonly plan: string; readonly step?: string | undefined },
): Promise<void> {
  // A folder that is gone holds nothing, and git could not say so.
  if (!ports.files.exists(worktree.path)) return;
  const uncommitted = await (await ports.commits()).uncommitted(worktree, undefined);
  if (withoutPlanFiles(uncommitted, plan).length === 0) return;
  const database = await ports.database();
  // Whatever is uncommitted belongs to what was held last: nothing was claimed here afterwards.
  const lost = await database.read((sql) =>
    sql.get(findLostGrant, { worktree: worktree.path, besides_plan: null, besides_anchor: null }),
  );
  const files = withoutPlanFiles(withoutPlanFiles(uncommitted, plan), lost?.plan_path ?? plan);
  if (!lost || files.length === 0) return;
  if (step !== undefined && bareAnchor(step) === lost.anchor && plan === lost.plan_path) return;
  const heldRef =
    (await lateResultOf(ports, worktree, lost))?.held_ref ?? (await keepNow(ports, worktree, lost));
  throw leftBehind("desk/left-behind", lost, { files, heldRef });
}

async function keepNow(
  ports: Ports,
  worktree: Worktree,
  { plan_path, anchor, claim }: LostGrant,
): Promise<string | null> {
  const refusal = await keepLate(ports, {
    held: { plan: plan_path, anchor, title: anchor, claim },
    caller: { worktree, claim },
  });
  const { held_ref: ref } = refusal.details;
  return typeof ref === "string" ? ref : null;
}
