import { isHeld } from "../../domain/index.ts";
import { journal } from "../../journal/index.ts";
import { completeByProof, findStep, updatePlanStatus, writeBackOrNotice } from "../../plans/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import type { OpenLanding } from "../land/landing.ts";
import { clearLanding } from "../sql/clear-landing.ts";
import { closeIntent } from "../sql/close-intent.ts";
import { noteLanded } from "../train/note-landed.ts";

export interface PushedLanding extends OpenLanding {
  /** Where it was made. */
  readonly worktree: string;
  /** The owner is known to be gone, although the step is still under its claim. */
  readonly isOwnerGone?: boolean;
}

/**
 * Settles a landing that the remote has and that its claim could not complete.
 *
 * What was pushed stays. Where the step has no owner by now, it is completed with what landed; where it has another one,
 * that owner's work lands on top of it, and the journal says that this came late. While the claim itself still holds the
 * step, the move stays written down: its owner, or the next call, completes it.
 */
export async function settlePushed(ports: Ports, landing: PushedLanding): Promise<void> {
  const { plan, anchor, claim, isOwnerGone = false } = landing;
  const database = await ports.database();
  const isDone = await database.write(async (sql) => {
    const step = await sql.get(findStep, { plan_path: plan, anchor });
    const isHeldNow = step !== undefined && isHeld(step.status);
    if (isHeldNow && step.claim_seq === claim && !isOwnerGone) return false;
    const isOthers = isHeldNow && step.claim_seq !== claim;
    const isOpen = step !== undefined && step.status !== "completed" && !isOthers;
    if (isOpen) await completeWith(sql, landing);
    else if (step?.commit_hash !== landing.move.to) await note(sql, landing, "landed-late");
    await sql.run(clearLanding, { plan_path: plan, anchor, claim });
    return isOpen;
  });
  if (isDone) await writeBackOrNotice(ports, plan);
}

async function completeWith(sql: Sql, landing: PushedLanding): Promise<void> {
  const { plan, anchor, claim, move, worktree } = landing;
  const step = (await sql.get(findStep, { plan_path: plan, anchor }))!;
  await completeByProof(sql, step, { commit: move.to, reason: null, claim });
  await noteLanded(sql, { plan, anchor, claim, commit: move.to, move, worktree });
  await sql.run(closeIntent, { plan_path: plan, anchor, claim, commit_hash: move.to, now: sql.now });
  await updatePlanStatus(sql, plan);
  await note(sql, landing, "landed-by-remote");
}

const note = (sql: Sql, { plan, anchor, claim, move, worktree }: PushedLanding, event: string) =>
  journal(sql, { event, plan, anchor, claim, worktree, detail: { branch: move.branch, commit: move.to } });
