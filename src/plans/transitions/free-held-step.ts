import { isHeld, nextStatus, type StepEvent } from "../../domain/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import { freeStep } from "./sql/free-step.ts";
import { listSubsteps } from "./sql/list-substeps.ts";
import { reopenItems } from "./sql/reopen-items.ts";
import type { StepRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { changedHands } from "../plan-state.ts";

export interface Park {
  readonly reason: string | null;
  readonly note: string | null;
}

/**
 * Takes a step from its holder, with its unfinished substeps.
 *
 * The number rises with the same write, so the former owner is fenced off before anything else can happen.
 */
export async function freeHeldStep(
  sql: Sql,
  step: StepRow,
  event: StepEvent,
  park: Park = { reason: null, note: null },
): Promise<void> {
  const { plan_path, anchor } = step;
  const changed = await sql.run(freeStep, {
    plan_path,
    anchor,
    seen_status: step.status,
    status: nextStatus(anchor, step.status, event, { plan_path: step.plan_path }),
    event,
    block_reason: park.reason,
    block_note: park.note,
  });
  if (changed !== 1) throw changedHands(step);
  await sql.run(reopenItems, { plan_path, anchor, now: sql.now });
  await freeSubsteps(sql, step, event === "released" ? "released" : "reset");
  if (event === "retried") await retrySubsteps(sql, step);
}

/** A substep that is blocked or on hold would keep its step open for every worker that takes it next. */
async function retrySubsteps(sql: Sql, { plan_path, anchor: step }: StepRow): Promise<void> {
  for (const { anchor, status, claim_seq } of await sql.all(listSubsteps, { plan_path, anchor: step })) {
    if (status !== "blocked" && status !== "on_hold") continue;
    await sql.run(freeStep, {
      plan_path,
      anchor,
      seen_status: status,
      status: "pending",
      event: "retried",
      block_reason: null,
      block_note: null,
    });
    await journal(sql, {
      event: "retried",
      plan: plan_path,
      anchor,
      claim: claim_seq,
      detail: { was: status, with: step },
    });
  }
}

/** Substeps that went with their step come back with it. */
export async function freeSubsteps(sql: Sql, step: StepRow, event: "released" | "reset"): Promise<void> {
  const { plan_path } = step;
  for (const substep of await sql.all(listSubsteps, { plan_path, anchor: step.anchor })) {
    if (!isHeld(substep.status)) continue;
    await sql.run(freeStep, {
      plan_path,
      anchor: substep.anchor,
      seen_status: substep.status,
      status: "pending",
      event,
      block_reason: null,
      block_note: null,
    });
    await sql.run(reopenItems, { plan_path, anchor: substep.anchor, now: sql.now });
  }
}
