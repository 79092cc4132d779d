import { writeBackOrNotice } from "../../plans/write-back.ts";
import { freeHeldStep } from "../../plans/transitions/free-held-step.ts";
import { journal } from "../../journal/journal.ts";
import { ownsIt, whyRefused } from "../../steps/owned-step.ts";
import { lockedStep } from "../../plans/plan-state.ts";
import { HELD_STATUSES } from "../../domain/step-machine.ts";
import type { VerifiedWork } from "../land/kept-work.ts";
import type { ClaimedStep } from "../../steps/claimed-step.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** Why a runner takes a step out of the work until a person decides. */
export type BlockReason =
  | "verification_escalated"
  | "verification_timeout"
  | "agent_timeout"
  | "agent_failed"
  | "cut_off"
  | "merge_conflict"
  | "commit_unclear"
  /** Git cannot take the files as the agent left them. */
  | "not_committable"
  /** The work passed, and signing or a hook refused the commit. */
  | "commit_refused"
  /** Something failed that is about this step alone. */
  | "step_failed";

/** Takes a step that this worker holds out of the work. */
export async function blockStep(
  worker: Worker,
  held: ClaimedStep,
  reason: BlockReason,
  note: string,
  kept?: VerifiedWork,
): Promise<void> {
  const { plan, anchor, claim } = held;
  const caller = workerCaller(worker, held);
  const database = await worker.ports.database();
  await database.write(async (sql) => {
    const step = await lockedStep(sql, plan, anchor);
    if (!ownsIt(step, caller)) throw await whyRefused(sql, step, caller, HELD_STATUSES, "block");
    await freeHeldStep(sql, step, "blocked", { reason, note });
    await journal(sql, {
      event: "blocked",
      plan,
      anchor,
      claim,
      worktree: caller.worktree.path,
      session: caller.session,
      detail: { reason, note, ...(kept ? { kept } : {}) },
    });
  });
  await writeBackOrNotice(worker.ports, plan);
}
