import { Failure } from "../../domain/errors.ts";
import { isHeld } from "../../domain/step-machine.ts";
import type { Sql } from "../../platform/ports/database.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { findIntent } from "../sql/find-intent.ts";
import type { StepRow } from "../../platform/rows.ts";
import { ownerHasGone } from "../finish-intents.ts";
import { momentOf } from "../../journal/moment.ts";
import { integrate, integrationFor } from "../land/integrate.ts";

/** Why commits could not be brought to the plan's branch, by step. */
export type NotLanded = ReadonlyMap<string, string>;

/**
 * Brings commits to the plan's branch that so far only a worker's branch has: a step is completed by what landed.
 *
 * A crash afterwards leaves the commits there, and the next call completes their steps.
 */
export async function landProved(
  ports: Ports,
  plan: string,
  proved: readonly { readonly stepAnchor: string; readonly gitHash: string }[],
): Promise<NotLanded> {
  const notLanded = new Map<string, string>();
  for (const { stepAnchor, gitHash: commit } of proved) {
    const goal = await integrationFor(ports, plan, commit);
    if (goal === undefined) continue;
    try {
      await integrate(ports, { plan, commit, ...goal });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notLanded.set(stepAnchor, `its commit is on ${goal.from} and not on ${goal.branch}: ${error.message}`);
    }
  }
  return notLanded;
}

/** A living session that has begun to commit lands it, too: completed from outside, its commit would land nowhere. */
export async function whyOwnersOwn(
  ports: Ports,
  sql: Sql,
  { plan_path, anchor }: StepRow,
  owner: StepRow,
): Promise<string | undefined> {
  if (!isHeld(owner.status) || owner.session_id === null) return undefined;
  const intent = await sql.get(findIntent, { plan_path, anchor, claim: owner.claim_seq });
  if (intent === undefined || intent.closed_at !== null) return undefined;
  if (await ownerHasGone(ports, sql, owner, momentOf(ports, sql))) return undefined;
  return `session ${owner.session_id} is committing it`;
}
