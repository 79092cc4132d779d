/** What of a session decides whether it can be taken up again. */
export interface CutOff {
  readonly id: string;
  readonly kind: string | null;
  readonly status: string;
  readonly resumable: number;
  readonly worktree_id: string;
  readonly plan_path: string | null;
}

/**
 * The sessions that nobody goes on with any more: their plan is done, or a later one worked in their worktree.
 *
 * Newest first. A verification is a look at what another session did, and follows nobody.
 */
export function supersededOf(
  sessions: readonly CutOff[],
  donePlans: ReadonlySet<string>,
): ReadonlySet<string> {
  const followed = new Set<string>();
  const superseded = new Set<string>();
  for (const { id, kind, worktree_id, plan_path } of sessions) {
    if (followed.has(worktree_id) || (plan_path !== null && donePlans.has(plan_path))) superseded.add(id);
    if (kind !== "verify") followed.add(worktree_id);
  }
  return superseded;
}

/** Whether whoever names a session can go on with it, whatever came after it. */
export const canBeResumed = ({ status, resumable }: Pick<CutOff, "status" | "resumable">): boolean =>
  status === "interrupted" && resumable === 1;

/** Whether a session is offered to be gone on with. */
export const isResumable = (session: CutOff, superseded: ReadonlySet<string>): boolean =>
  canBeResumed(session) && !superseded.has(session.id);
