import {
  flatten,
  IN_THE_FILE,
  type Plan,
  type PlanItem,
  type PlanStep,
  withOrdinals,
} from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { adoptAttempts } from "./sql/adopt-attempts.ts";
import { adoptItem } from "./sql/adopt-item.ts";
import { freeStep } from "./transitions/sql/free-step.ts";
import { markAdopted } from "./sql/mark-adopted.ts";
import type { StepRow } from "../platform/index.ts";
import { freeHeldStep } from "./transitions/free-held-step.ts";
import { journal } from "../journal/index.ts";
import { holdWithSubsteps, isOnHoldForSubstep, isPutOnHold } from "./transitions/hold-with-substeps.ts";
import { listSteps } from "./sql/list-steps.ts";
import { keepOrder } from "./keep-order.ts";
import { savedStep } from "./plan-state.ts";
import { completeByProof } from "./transitions/complete-by-proof.ts";
import { updatePlanStatus } from "./update-plan-status.ts";
import { formatCarriesStatus } from "./formats/index.ts";

/**
 * Takes over what the file says about steps that the store has just met.
 *
 * From the same moves that verbs make, so that the store's guards and counts hold. Work in progress is not taken over:
 * no worker holds it.
 */
export async function adoptProgress(
  sql: Sql,
  key: string,
  plan: Plan,
  isNew: (anchor: string) => boolean,
): Promise<void> {
  if (formatCarriesStatus(plan.format)) await adoptNew(sql, key, plan, isNew);
  await keepOrder(sql, key, plan);
  await followSubsteps(sql, key);
  await updatePlanStatus(sql, key);
}

/** Substeps came, went, or are on hold by their file: so is their step, unless a worker holds it. */
async function followSubsteps(sql: Sql, plan_path: string): Promise<void> {
  const rows = await sql.all(listSteps, { plan_path });
  const waiting = new Set(rows.filter(isPutOnHold).map(({ parent_anchor }) => parent_anchor));
  for (const row of rows)
    if (isOnHoldForSubstep(row) || (row.status === "pending" && waiting.has(row.anchor)))
      await holdWithSubsteps(sql, row);
}

async function adoptNew(
  sql: Sql,
  key: string,
  plan: Plan,
  isNew: (anchor: string) => boolean,
): Promise<void> {
  const rows = flatten(plan).filter(({ step }) => isNew(step.anchor));
  // Substeps first: a step is only done when they are.
  const inOrder = [
    ...rows.filter(({ parent }) => parent !== undefined),
    ...rows.filter(({ parent }) => parent === undefined),
  ];
  for (const { step } of inOrder) {
    await adoptItems(sql, key, step);
    if (step.progress) await adopt(sql, await savedStep(sql, key, step.anchor), step.progress);
  }
}

async function adopt(sql: Sql, row: StepRow, progress: NonNullable<PlanStep["progress"]>): Promise<void> {
  const { plan_path, anchor } = row;
  const { status, reason, note, verificationAttempts: attempts } = progress;
  if (attempts > 0) await sql.run(adoptAttempts, { plan_path, anchor, attempts });
  const park = { reason: reason ?? null, note: note ?? null };
  switch (status) {
    case "pending":
    case "in_progress":
      return;
    case "completed":
      await completeByProof(sql, row, { commit: null, reason: `${IN_THE_FILE}: ${note ?? "completed"}` });
      return;
    case "on_hold":
      await freeHeldStep(sql, row, "held", park);
      return tell(sql, row, "held", park);
    case "blocked":
    case "failed":
      await freeHeldStep(sql, row, "blocked", park);
      return tell(sql, row, "blocked", park);
    case "awaiting_verification":
      await freeHeldStep(sql, row, "blocked", park);
      await sql.run(freeStep, {
        plan_path,
        anchor,
        seen_status: "blocked",
        status: "awaiting_verification",
        event: "reverify",
        block_reason: null,
        block_note: null,
      });
      return tell(sql, row, "reverify", park);
  }
}

/** Without the mark, Pawl would write statuses back that it read from the same file. */
async function tell(sql: Sql, { plan_path, anchor }: StepRow, event: string, park: object): Promise<void> {
  await sql.run(markAdopted, { plan_path, anchor });
  await journal(sql, { event, plan: plan_path, anchor, detail: { ...park, from: IN_THE_FILE } });
}

async function adoptItems(sql: Sql, plan_path: string, { anchor, items }: PlanStep): Promise<void> {
  for (const { kind, ordinal, box } of withOrdinals(items)) {
    const status = STATUS_OF_BOX[box];
    if (status === undefined) continue;
    const reason = status === "deferred" ? `${box} ${IN_THE_FILE}` : null;
    await sql.run(adoptItem, { plan_path, anchor, kind, ordinal, status, reason, now: sql.now });
  }
}

const STATUS_OF_BOX: Readonly<Record<PlanItem["box"], "completed" | "deferred" | undefined>> = {
  open: undefined,
  ticked: "completed",
  deferred: "deferred",
  dropped: "deferred",
};
