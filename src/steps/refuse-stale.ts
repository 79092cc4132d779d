import { Failure, type Instant, type StepStatus } from "../domain/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";

/** A step as a person saw it. The number rises with every change of hands, so the two tell any two moments apart. */
export interface ExpectedStep {
  readonly status: StepStatus;
  readonly claim: number;
}

/** Inside the transaction that would act: a decision about a step that has changed since is no decision about it. */
export function refuseStale(
  { plan_path, anchor, status, claim_seq }: StepRow,
  seen: ExpectedStep | undefined,
): void {
  if (seen === undefined || (seen.status === status && seen.claim === claim_seq)) return;
  throw new Failure(
    "action/stale",
    `${anchor} is ${status} under claim ${claim_seq} now; it was ${seen.status} under claim ${seen.claim} when this was decided.`,
    { plan_path, anchor, status, claim: claim_seq, seen },
  );
}

/** A session as a person saw it: one that was resumed and interrupted again has another instant. */
export interface ExpectedSession {
  readonly status: SessionRow["status"];
  readonly interruptedAt: Instant | null;
}

export function refuseStaleSession(
  { id, status, interrupted_at }: SessionRow,
  seen: ExpectedSession | undefined,
): void {
  if (seen === undefined || (seen.status === status && seen.interruptedAt === interrupted_at)) return;
  throw new Failure(
    "action/stale",
    `Session ${id} is ${status} now; it was ${seen.status} when this was decided.`,
    {
      session_id: id,
      status,
      interrupted_at,
      seen: { status: seen.status, interrupted_at: seen.interruptedAt },
    },
  );
}
