import type { Sql } from "../../platform/ports/index.ts";
import { findStep } from "../../plans/index.ts";
import type { Proposal } from "./weigh-trailers.ts";

/** A step that is completed needs no commit any more; that its commit was taken back is news all the same. */
export async function stillOpen(
  sql: Sql,
  key: string,
  proposals: readonly Proposal[],
): Promise<readonly Proposal[]> {
  const open: Proposal[] = [];
  for (const proposal of proposals) {
    const step = await sql.get(findStep, { plan_path: key, anchor: proposal.stepAnchor });
    if (proposal.kind === "reverted" || step?.status !== "completed") open.push(proposal);
  }
  return open;
}

/** Only where nothing else speaks for a step that is open. */
export async function unsaid(
  sql: Sql,
  key: string,
  lost: readonly Proposal[],
  said: readonly string[],
): Promise<readonly Proposal[]> {
  const open: Proposal[] = [];
  for (const proposal of lost.filter(({ stepAnchor }) => !said.includes(stepAnchor))) {
    const step = await sql.get(findStep, { plan_path: key, anchor: proposal.stepAnchor });
    if (step !== undefined && step.status !== "completed") open.push(proposal);
  }
  return open;
}
