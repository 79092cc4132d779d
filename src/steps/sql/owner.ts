/**
 * Who is calling, as every write of a worker carries it.
 *
 * `owner_anchor` is the step that holds the claim: the step itself, or the parent of a substep.
 */
export type OwnerParams = {
  readonly plan_path: string;
  readonly anchor: string;
  readonly owner_anchor: string;
  readonly worktree: string;
  readonly worktree_id: string;
  /** The number the caller was given; null when it carries none. */
  readonly claim: number | null;
  readonly session_id: string | null;
};

/**
 * True when the caller owns the step. It stands inside the write itself: a check before the write would leave a
 * moment in which the step can change hands.
 *
 * A step held by a session needs both that session and its number. Numbers count per step, so one agent's 1 is as
 * good as another's, and the worktree is a path that any process can name. A claim made by hand has no session: its
 * number, where given, and its worktree decide.
 */
export const CALLER_OWNS_IT = `exists (
           select 1
             from steps o
            where o.plan_path = :plan_path
              and o.anchor = :owner_anchor
              and o.status in ('claimed', 'in_progress', 'awaiting_verification')
              and (o.worktree_id = :worktree_id or (o.worktree_id is null and o.claimed_by = :worktree))
              and ((o.session_id is null and o.claim_seq = coalesce(:claim, o.claim_seq))
                   or (o.session_id = :session_id and o.claim_seq = :claim)))`;

/** True unless the step is finished or taken out of the work: a substep may be either while its step is held. */
export const IS_WORKED_ON = `exists (
           select 1
             from steps w
            where w.plan_path = :plan_path
              and w.anchor = :anchor
              and w.status not in ('completed', 'blocked', 'on_hold'))`;

/**
 * What a substep has of the step that it goes with: the same owner and the same lease. Its number never goes down, so it
 * is the higher of the two.
 */
export const goesWith = (stepAnchor: ":anchor" | ":parent_anchor"): string =>
  `(claim_seq, claimed_by, worktree_id, last_worktree_id, session_id, claimed_host,
          claimed_at, lease_expires_at, lease_boot_id, lease_uptime_ms)
         = (select case when steps.claim_seq > p.claim_seq then steps.claim_seq else p.claim_seq end,
                   p.claimed_by, p.worktree_id, p.worktree_id, p.session_id, p.claimed_host,
                   p.claimed_at, p.lease_expires_at, p.lease_boot_id, p.lease_uptime_ms
              from steps p
             where p.plan_path = :plan_path and p.anchor = ${stepAnchor}),
         heartbeat_at = null,
         started_at = null`;
