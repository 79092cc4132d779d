import { Failure, isHeld, shellWord, type StepStatus } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { findStep, ownerAnchor } from "../plans/index.ts";
import type { OwnerParams } from "./sql/owner.ts";
import type { StepRow } from "../platform/index.ts";
import { type Caller, isOwn } from "./caller.ts";

/** The parameters by which a write proves that its caller owns the step. */
export const ownerParams = (step: StepRow, caller: Caller): OwnerParams => ({
  plan_path: step.plan_path,
  anchor: step.anchor,
  owner_anchor: ownerAnchor(step),
  worktree: caller.worktree.path,
  worktree_id: caller.worktree.id,
  claim: caller.claim ?? null,
  session_id: caller.session ?? null,
});

/**
 * Says why a write by this caller changed nothing: the step has another status, another owner, or a newer number.
 *
 * Only called after the write itself was refused, so what it reads is an explanation and never a permission.
 */
export async function whyRefused(
  sql: Sql,
  step: StepRow,
  caller: Caller,
  expected: readonly StepStatus[],
  verb: string,
): Promise<Failure> {
  const { plan_path, anchor } = step;
  const owner = (await sql.get(findStep, { plan_path, anchor: ownerAnchor(step) })) ?? step;
  const context = {
    plan_path,
    anchor,
    status: step.status,
    held_by: owner.claimed_by,
    claim: owner.claim_seq,
  };
  const fenced = fencedOff(owner, caller);
  if (fenced)
    return new Failure("claim/fenced-off", fenced, { ...context, your_claim: caller.claim ?? null });
  if (!isHeld(owner.status)) {
    return wrongStatus(
      step,
      owner.anchor === anchor
        ? `${anchor} is ${owner.status}`
        : `its step ${owner.anchor} is ${owner.status}`,
      verb,
      context,
    );
  }
  if (!ownsIt(owner, caller)) {
    return new Failure("claim/not-owner", strangerMessage(anchor, owner, caller), {
      ...context,
      worktree: caller.worktree.path,
      session_id: owner.session_id,
      until: owner.lease_expires_at,
    });
  }
  if (expected.includes(step.status)) {
    return new Failure(
      "internal/bug",
      `${verb} changed nothing on ${anchor}, although it should have.`,
      context,
    );
  }
  return wrongStatus(step, `${anchor} is ${step.status}`, verb, context);
}

/** The caller's number was current once; the step has been given on since. */
function fencedOff(owner: StepRow, { claim }: Caller): string | undefined {
  if (claim === undefined || claim >= owner.claim_seq) return undefined;
  const holder = owner.claimed_by === null ? "" : `, held by ${owner.claimed_by}`;
  return `Claim ${claim} of ${owner.anchor} is over: the step is at claim ${owner.claim_seq}${holder}.`;
}

/** The same in words as `CALLER_OWNS_IT` is in SQL; for explanations, and for what the write after it proves anyway. */
export const ownsIt = (owner: StepRow, { worktree, claim, session }: Caller): boolean =>
  isOwn(owner, { worktree }) &&
  (owner.session_id === null
    ? claim === undefined || claim === owner.claim_seq
    : session === owner.session_id && claim === owner.claim_seq);

function strangerMessage(anchor: string, owner: StepRow, { worktree, claim, session }: Caller): string {
  if (claim !== undefined && claim > owner.claim_seq)
    return `Claim ${claim} of ${owner.anchor} was never given: the step is at claim ${owner.claim_seq}.`;
  const until = owner.lease_expires_at === null ? "" : `, until ${owner.lease_expires_at}`;
  if (isOwn(owner, { worktree }) && owner.session_id === session)
    return `${anchor} is held by your session ${session}; its claim number is missing (--claim, or PAWL_CLAIM).`;
  if (isOwn(owner, { worktree }))
    return `${anchor} is held in this worktree by session ${owner.session_id}${until}; only that session writes to it.`;
  return `${anchor} is held by ${owner.claimed_by}${sessionPart(owner)}${until}, not by ${worktree.path}.`;
}

const sessionPart = (owner: StepRow): string =>
  owner.session_id === null ? "" : ` (session ${owner.session_id})`;

function wrongStatus(
  step: StepRow,
  what: string,
  verb: string,
  context: Readonly<Record<string, unknown>>,
): Failure {
  const hints: Partial<Record<StepStatus, string>> = {
    pending: `Claim the step first: \`pawl state claim ${shellWord(step.plan_path)} --step ${shellWord(step.anchor)} --worktree .\`.`,
    claimed: `Start it first: \`pawl state start ${shellWord(step.plan_path)} ${shellWord(step.anchor)} --worktree ${shellWord(step.claimed_by ?? ".")}\`.`,
    completed: `It is done; claim the next step: \`pawl state claim ${shellWord(step.plan_path)} --worktree .\`.`,
  };
  const hint = hints[step.status];
  return new Failure(
    "step/wrong-status",
    `${what}, so ${verb} is not possible.`,
    context,
    hint === undefined ? {} : { hint },
  );
}

/** The number a call counts under: the one it shows, else the one of the claim that covers the step. */
export async function numberOf(sql: Sql, step: StepRow, { claim }: Caller): Promise<number> {
  if (claim !== undefined || step.parent_anchor === null) return claim ?? step.claim_seq;
  const owner = await sql.get(findStep, { plan_path: step.plan_path, anchor: step.parent_anchor });
  return owner?.claim_seq ?? step.claim_seq;
}
