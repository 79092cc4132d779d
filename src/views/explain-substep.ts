import { fullStop, type LeaseClock, OPTIONAL, reasonWords } from "../domain/index.ts";
import { whyWaiting } from "../claims/index.ts";
import type { StepRow } from "../platform/index.ts";
import type { Sql } from "../platform/ports/index.ts";

/** Why a substep is not worked on. A worker takes a step with its substeps: what keeps the step back keeps them back. */
export async function becauseOfPart(
  sql: Sql,
  step: StepRow,
  owner: StepRow,
  moment: LeaseClock,
): Promise<string> {
  const note = owner.block_note ? `: ${owner.block_note}` : "";
  const part = `It is part of ${owner.anchor}, which`;
  if (owner.status === "on_hold" && owner.block_reason === OPTIONAL) return `${part} is optional.`;
  if (isBlockedOrHeld(owner)) return fullStop(`${part} is ${reasonWords(owner.status)}${note}`);
  if (owner.status !== "pending") return `${part} is ${reasonWords(owner.status)}.`;
  const forOwner = (await whyWaiting(sql, owner, moment)).blockedBy;
  if (forOwner.length > 0) return `${part} waits for ${forOwner.join(", ")}.`;
  const { blockedBy } = await whyWaiting(sql, step, moment);
  const after = blockedBy.length === 0 ? "" : ` Within it, it comes after ${blockedBy.join(", ")}.`;
  return `${reopenedBecause(step) ?? `${part} is ready; no worker has claimed that yet.`}${after}`;
}

export const reopenedBecause = ({ reopen_reason, last_event }: StepRow): string | undefined =>
  reopen_reason !== null && last_event === "reopened"
    ? fullStop(`It was reopened: ${reopen_reason}`)
    : undefined;

export const isBlockedOrHeld = ({ status }: StepRow): boolean => status === "blocked" || status === "on_hold";

export function nextOfPart(owner: StepRow): string {
  if (isBlockedOrHeld(owner)) return `Nothing until a person retries ${owner.anchor}.`;
  return owner.unmet_deps > 0
    ? `It becomes ready with ${owner.anchor}.`
    : `The claim of ${owner.anchor} takes it along.`;
}
