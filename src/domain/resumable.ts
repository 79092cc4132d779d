/** What of a session decides whether it can be taken up again. */
export interface CutOff {
  readonly id: string;
  readonly run_id: string | null;
  readonly kind: string | null;
  readonly status: string;
  readonly resumable: number;
  readonly worktree_id: string;
  readonly plan_path: string | null;
  readonly host_id: string;
  readonly started_at: string;
  readonly interrupted_at: string | null;
}

/**
 * The sessions that are offered no more: their plan is done, a later one worked in their worktree, or a later run of
 * their plan on their machine began after they were cut off. That run had their steps to hand out, whatever worktrees
 * it used; beside it the old session would only be a second way to the same steps.
 *
 * Newest first. A verification looks at what another session did, and follows no session.
 */
export function supersededOf(
  sessions: readonly CutOff[],
  donePlans: ReadonlySet<string>,
): ReadonlySet<string> {
  const followed = new Set<string>();
  const lastRuns = new Map<string, CutOff>();
  const superseded = new Set<string>();
  for (const session of sessions) {
    const { id, kind, worktree_id, plan_path, host_id } = session;
    const run = plan_path === null ? undefined : lastRuns.get(`${host_id} ${plan_path}`);
    const isDone = plan_path !== null && donePlans.has(plan_path);
    if (followed.has(worktree_id) || isDone || (run && cameAfter(run, session))) superseded.add(id);
    if (kind !== "verify") followed.add(worktree_id);
    if (kind === "run" && plan_path !== null && !run) lastRuns.set(`${host_id} ${plan_path}`, session);
  }
  return superseded;
}

/** Two runs side by side follow neither each other. */
const cameAfter = (run: CutOff, { run_id, interrupted_at }: CutOff): boolean =>
  run.run_id !== run_id && interrupted_at !== null && run.started_at > interrupted_at;

/** Whether a person who names a session can resume it, whatever came after it. */
export const canBeResumed = ({ status, resumable }: Pick<CutOff, "status" | "resumable">): boolean =>
  status === "interrupted" && resumable === 1;

/** Whether a session is offered to be gone on with. */
export const isResumable = (session: CutOff, superseded: ReadonlySet<string>): boolean =>
  canBeResumed(session) && !superseded.has(session.id);

/**
 * The sessions that were cut off when the last step of their plan was done already: all that is left is to end them.
 *
 * Newest first. They are not offered, for there is nothing to do; but a person who resumes after a crash that came so late
 * must not read that there was no session. Where a later run did the last step, theirs was that of others.
 */
export function unendedOf(sessions: readonly CutOff[], donePlans: ReadonlySet<string>): ReadonlySet<string> {
  const lastRun = new Map<string, string>();
  const unended = new Set<string>();
  for (const { id, run_id, kind, status, resumable, plan_path } of sessions) {
    if (plan_path === null || !donePlans.has(plan_path) || kind === "verify") continue;
    const run = run_id ?? id;
    if (!lastRun.has(plan_path)) lastRun.set(plan_path, run);
    if (canBeResumed({ status, resumable }) && lastRun.get(plan_path) === run) unended.add(id);
  }
  return unended;
}
