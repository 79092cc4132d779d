import { Failure } from "../../domain/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import { completeItems } from "./sql/complete-items.ts";
import { listSubsteps } from "./sql/list-substeps.ts";
import { lockStep } from "../sql/lock-step.ts";
import { meetDependents } from "./sql/meet-dependents.ts";
import { proveStep } from "./sql/prove-step.ts";
import type { StepRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";

export interface Proof {
  readonly commit: string | null;
  readonly reason: string | null;
  /** The number of the claim that a signature vouches for. */
  readonly claim?: number;
}

/**
 * Marks a step as completed because something outside proves it, with everything below it.
 *
 * The step is read again under a lock: its owner may complete it at this very moment, and what waits for it must be
 * counted down once. False when it is completed already.
 */
export async function completeByProof(
  sql: Sql,
  { plan_path, anchor }: StepRow,
  proof: Proof,
): Promise<boolean> {
  const step = await sql.get(lockStep, { plan_path, anchor });
  if (!step || step.status === "completed") return false;
  const changed = await sql.run(proveStep, {
    plan_path,
    anchor,
    seen_status: step.status,
    commit_hash: proof.commit,
    complete_reason: proof.reason,
    proved_claim: proof.claim ?? 0,
    now: sql.now,
  });
  if (changed !== 1) throw new Failure("internal/bug", `${anchor} moved under a lock.`, { anchor });
  await sql.run(completeItems, { plan_path, anchor, now: sql.now });
  await sql.run(meetDependents, { plan_path, anchor });
  await journal(sql, {
    event: "proved",
    plan: plan_path,
    anchor,
    detail: { commit: proof.commit, reason: proof.reason },
  });
  await completeSubstepsByProof(sql, step, proof);
  return true;
}

/** What proves a step proves its substeps. */
export async function completeSubstepsByProof(sql: Sql, step: StepRow, proof: Proof): Promise<void> {
  if (step.parent_anchor !== null) return;
  for (const substep of await sql.all(listSubsteps, { plan_path: step.plan_path, anchor: step.anchor })) {
    if (substep.status !== "completed") await completeByProof(sql, substep, proof);
  }
}
