import { type Instant, isOwnerGone, type LeaseClock, leaseEnd } from "../domain/index.ts";
import type { Lifelines, ListedWorktree, Ports } from "../platform/ports/index.ts";
import { listHeldSteps } from "../plans/index.ts";
import { asEntered, leaseClockOf, listLastSessions, storeIdOf } from "../sessions/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { isOwn } from "../steps/index.ts";
import { openIfThere } from "../journal/index.ts";

/** Who works in a worktree, as far as the store knows. */
export interface WorktreeUse {
  readonly state: "free" | "held" | "running" | "interrupted";
  /** Steps whose owner is there and not known to be gone. */
  readonly held: readonly HeldStep[];
  /** It has the work of a step whose owner is gone and which waits for a decision about an edit of its plan. */
  readonly waits: boolean;
  /** The session that runs there, else the last one. */
  readonly session: SessionUse | null;
}

export interface HeldStep {
  readonly planPath: string;
  readonly anchor: string;
  readonly until: Instant | null;
  readonly sessionId: string | null;
}

export interface SessionUse {
  readonly id: string;
  readonly planPath: string | null;
  readonly status: SessionRow["status"];
  readonly startedAt: Instant;
  readonly interruptedAt: Instant | null;
  readonly interruptionType: string | null;
}

export type UseOf = (worktree: Pick<ListedWorktree, "id" | "path">) => WorktreeUse;

export const NOBODY: WorktreeUse = { state: "free", held: [], waits: false, session: null };

/**
 * Reads claims and sessions once, and answers for any worktree. Without a database there are none. `removed`: also for a
 * worktree that was just removed, whose missing folder says nothing about its claims.
 */
export async function worktreeUse(ports: Ports, { removed = false } = {}): Promise<UseOf> {
  const database = await openIfThere(asEntered(ports));
  if (database === undefined) return () => NOBODY;
  const { steps, sessions, moment } = await database.read(async (sql) => ({
    steps: await sql.all(listHeldSteps, {}),
    sessions: await sql.all(listLastSessions, {}),
    moment: leaseClockOf(ports, sql),
  }));
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const clock = removed ? { ...moment, isMissing: () => false } : moment;
  return ({ id, path }) => {
    const storeId = storeIdOf(ports, id);
    const own = steps.filter((step) => isOwn(step, { worktree: { id: storeId, path } }));
    const isGone = (step: StepRow) => isOwnerGone(step, byId.get(step.session_id ?? ""), clock);
    const held = own.filter((step) => !isGone(step)).map((step) => heldStep(step, moment));
    const here = sessions.filter((session) => session.worktree_id === storeId);
    const session = here.findLast(isRunning) ?? here.at(-1);
    return {
      state: stateOf(held, session, ports.lifelines),
      held,
      waits: own.some((step) => step.bound_to !== null && isGone(step)),
      session: session === undefined ? null : sessionUse(session),
    };
  };
}

const isRunning = ({ status }: SessionRow): boolean => status === "in_progress";

/** A runner that was taken over from while it was stopped may wake in its worktree: no other session gets it before. */
const mayWake = ({ id, status }: SessionRow, lifelines: Lifelines): boolean =>
  status === "abandoned" && lifelines.look(id) === "held";

function stateOf(
  held: readonly HeldStep[],
  session: SessionRow | undefined,
  lifelines: Lifelines,
): WorktreeUse["state"] {
  if (session?.status === "in_progress" || (session && mayWake(session, lifelines))) return "running";
  if (held.length > 0) return "held";
  return session?.status === "interrupted" ? "interrupted" : "free";
}

const heldStep = (step: StepRow, moment: LeaseClock): HeldStep => ({
  planPath: step.plan_path,
  anchor: step.anchor,
  until: leaseEnd(step, moment),
  sessionId: step.session_id,
});

const sessionUse = (session: SessionRow): SessionUse => ({
  id: session.id,
  planPath: session.plan_path,
  status: session.status,
  startedAt: session.started_at,
  interruptedAt: session.interrupted_at,
  interruptionType: session.interruption_type,
});
