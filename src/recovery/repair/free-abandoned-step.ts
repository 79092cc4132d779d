import { Failure, isHeld, type StepEvent } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import { changedHands, findStep, freeHeldStep, lockedStep, transact } from "../../plans/index.ts";
import { ownerIsGone } from "../../claims/index.ts";
import { journal } from "../../journal/index.ts";
import { enter, leaseClockOf } from "../../sessions/index.ts";

/** What a step is moved by, and with which words. */
export interface FreeingMove {
  readonly event: StepEvent;
  readonly because: string;
  readonly reason?: string | null;
  readonly note?: string | null;
  /** Whether work that was kept is not to be continued. */
  readonly fresh?: boolean;
}

/**
 * Moves a step that no worker works on: what its owner left running is stopped, what it left unsaved is saved, then the
 * number rises.
 *
 * Between the look and the move another worker may have taken the step. So the transaction looks again, and what is in
 * living hands, or is not as it was seen, stays as it is.
 */
export async function freeAbandonedStep(
  ports: Ports,
  seen: { readonly facts: Pick<SeenOf<"step">["facts"], "plan" | "anchor" | "stored"> },
  move: FreeingMove,
): Promise<string> {
  const { plan, anchor } = seen.facts;
  const saved = await saveWork(ports, plan, anchor, move.because);
  await transact(ports, { verb: `recover-${move.event}`, subject: [plan, anchor] }, async (sql) => {
    const step = await lockedStep(sql, plan, anchor);
    const moved = step.status !== seen.facts.stored;
    const living =
      isHeld(step.status) &&
      step.claimed_by !== null &&
      !(await ownerIsGone(sql, step, leaseClockOf(ports, sql)));
    if (moved || living) throw changedHands(step);
    // A pending step has no way to pending; by way of a hold it counts as touched, and its file follows.
    if (step.status === "pending" && move.event !== "held") await freeHeldStep(sql, step, "held");
    const current = (await sql.get(findStep, { plan_path: plan, anchor })) ?? step;
    const event = current.status === "on_hold" && move.event === "reset" ? "retried" : move.event;
    await freeHeldStep(sql, current, event, { reason: move.reason ?? null, note: move.note ?? null });
    await journal(sql, {
      event: move.event,
      plan,
      anchor,
      claim: step.claim_seq,
      detail: {
        was: step.status,
        was_claimed_by: step.claimed_by,
        reason: move.because,
        saved: saved ?? null,
        ...(move.fresh === undefined ? {} : { fresh: move.fresh }),
      },
    });
  });
  return saved === undefined ? "" : `; its uncommitted work is at ${saved}`;
}

/** Where the uncommitted work of a step's last owner is kept; undefined when there is none, or its worktree is gone. */
async function saveWork(
  ports: Ports,
  plan: string,
  anchor: string,
  because: string,
): Promise<string | undefined> {
  const database = await ports.database();
  const step = await database.read((sql) => sql.get(findStep, { plan_path: plan, anchor }));
  if (!step || step.claimed_by === null || !isHeld(step.status)) return undefined;
  await enter(ports, { stop: [{ plan, anchor }] });
  try {
    const worktree = ports.repository.worktree(step.claimed_by);
    if (step.worktree_id !== null && worktree.id !== step.worktree_id) return undefined;
    return (await (await ports.snapshots()).take(worktree, `${anchor}: ${because}`))?.ref;
  } catch (error) {
    if (error instanceof Failure && error.problem === "worktree/not-found") return undefined;
    throw error;
  }
}
