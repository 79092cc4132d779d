import { isHeld, OPTIONAL, SUBSTEP_ON_HOLD } from "../../domain/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import type { StepRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { freeHeldStep } from "./free-held-step.ts";
import { listSubsteps } from "./sql/list-substeps.ts";
import { renameHold } from "./sql/rename-hold.ts";

/** On hold for its substeps alone: a person who holds the step itself decides about it. */
export const isOnHoldForSubstep = ({ status, block_reason }: StepRow): boolean =>
  status === "on_hold" && block_reason === SUBSTEP_ON_HOLD;

export const isPutOnHold = ({ status, block_reason }: StepRow): boolean =>
  status === "on_hold" && block_reason !== OPTIONAL;

/**
 * Keeps a step on hold as long as one of its substeps is: no worker could complete it. Afterwards the step is pending again.
 *
 * Its note names the first of these substeps, so that it names none that was retried or removed.
 */
export async function holdWithSubsteps(sql: Sql, step: StepRow): Promise<void> {
  const { plan_path, anchor, status, block_note, claim_seq, claimed_by } = step;
  const isOn = isOnHoldForSubstep(step);
  if (!isOn && status !== "pending" && !isHeld(status)) return;
  const first = (await sql.all(listSubsteps, { plan_path, anchor })).find(isPutOnHold);
  const note = first ? noteFor(first) : null;
  if (note === (isOn ? block_note : null)) return;
  if (isOn && note !== null) return void (await sql.run(renameHold, { plan_path, anchor, note }));
  const event = note === null ? "retried" : "held";
  await freeHeldStep(sql, step, event, { reason: note === null ? null : SUBSTEP_ON_HOLD, note });
  await journal(sql, {
    event,
    plan: plan_path,
    anchor,
    claim: claim_seq,
    detail: { was: status, was_claimed_by: claimed_by, reason: note ?? "no substep of it is on hold" },
  });
}

const noteFor = ({ anchor, block_note }: StepRow): string =>
  `its substep ${anchor} is on hold${block_note === null ? "" : `: ${block_note}`}`;
