import { addUsageViews, type Instant, type UsageView } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { openIfThere } from "../journal/index.ts";
import { loadSessionView, type SessionView } from "../sessions/index.ts";
import { countSessionSteps } from "./sql/count-session-steps.ts";

export interface RunsRequest {
  readonly plan?: string | undefined;
  /** Only those that run, or only those that can be resumed. */
  readonly only?: "running" | "resumable" | undefined;
  /** How many sessions are read, newest first; a run may have several. */
  readonly most?: number | undefined;
}

/** A run as people started it: its workers are sessions, one each. */
export interface RunView {
  readonly runId: string;
  readonly kind: string | null;
  readonly planPath: string | null;
  readonly agent: string | null;
  readonly workflow: string | null;
  readonly status: SessionView["status"];
  readonly startedAt: Instant;
  /** Null while one of its workers is at work. */
  readonly endedAt: Instant | null;
  /** Why the first of its workers that was cut off was. */
  readonly interruptionType: string | null;
  readonly pausedUntil: Instant | null;
  readonly resumable: boolean;
  /** Whether it worked in this clone; what worked elsewhere is resumed there. */
  readonly here: boolean;
  /** One command for the whole run; null when there is nothing to resume. */
  readonly resumeWith: string | null;
  /** Steps that its workers held last and that are completed now; blocked ones likewise. */
  readonly stepsCompleted: number;
  readonly stepsBlocked: number;
  readonly usage: UsageView | null;
  /** In the order of their worktrees, so that a worker keeps its place. */
  readonly sessions: readonly SessionView[];
}

const MOST = 200;

/** Runs, newest first. */
export async function listRuns(ports: Ports, request: RunsRequest): Promise<readonly RunView[]> {
  const { listSessionViews } = await loadSessionView();
  const sessions = await listSessionViews(ports, {
    plan: request.plan,
    status: request.only === "running" ? "in_progress" : undefined,
    most: Math.min(request.most ?? MOST, MOST),
  });
  const runs = groupRuns(sessions, await stepsOf(ports, sessions));
  return request.only === "resumable" ? runs.filter(({ resumable }) => resumable) : runs;
}

/** `session status` to how many steps. */
type StepCounts = ReadonlyMap<string, number>;

async function stepsOf(ports: Ports, sessions: readonly SessionView[]): Promise<StepCounts> {
  const plans = new Set(sessions.flatMap(({ planPath }) => (planPath === null ? [] : [planPath])));
  const database = plans.size === 0 ? undefined : await openIfThere(ports);
  const counts = new Map<string, number>();
  await database?.read(async (sql) => {
    for (const plan_path of plans)
      for (const { session_id, status, steps } of await sql.all(countSessionSteps, { plan_path }))
        counts.set(`${session_id} ${status}`, (counts.get(`${session_id} ${status}`) ?? 0) + steps);
  });
  return counts;
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** Each worker has a session of its own; people started one run. */
export function groupRuns(
  sessions: readonly SessionView[],
  steps: StepCounts = new Map(),
): readonly RunView[] {
  const members = new Map<string, SessionView[]>();
  for (const session of sessions) {
    const key = session.runId ?? session.id;
    const known = members.get(key);
    if (known) known.push(session);
    else members.set(key, [session]);
  }
  return [...members].map(([runId, found]) => runOf(runId, found, steps));
}

function runOf(runId: string, found: readonly SessionView[], steps: StepCounts): RunView {
  const sessions = found.toSorted((a, b) => BY_NUMBER.compare(a.worktree, b.worktree));
  const first = sessions[0]!;
  const cutOff = sessions.find(({ interruptionType }) => interruptionType !== null);
  const resumable = sessions.filter((one) => one.resumable);
  const count = (status: string): number =>
    sessions.reduce((sum, { id }) => sum + (steps.get(`${id} ${status}`) ?? 0), 0);
  const status = statusOf(sessions);
  const ends = sessions.flatMap(({ interruptedAt, endedAt }) => interruptedAt ?? endedAt ?? []);
  return {
    runId,
    kind: first.kind,
    planPath: first.planPath,
    agent: first.agent,
    workflow: first.workflow,
    status,
    startedAt: sessions.map(({ startedAt }) => startedAt).toSorted()[0]!,
    endedAt: status === "in_progress" ? null : (ends.toSorted().at(-1) ?? null),
    interruptionType: cutOff?.interruptionType ?? null,
    pausedUntil: sessions.find(({ pausedUntil }) => pausedUntil !== null)?.pausedUntil ?? null,
    resumable: resumable.length > 0 && status !== "in_progress",
    here: first.here,
    resumeWith: status === "in_progress" ? null : (resumable[0]?.resumeWith ?? null),
    stepsCompleted: count("completed"),
    stepsBlocked: count("blocked"),
    usage: addUsageViews(sessions.map(({ usage }) => usage)),
    sessions,
  };
}

/** What counts most for the whole: one worker at work is a run at work, one that can be resumed makes it resumable. */
const ORDER = ["in_progress", "interrupted", "failed", "completed", "abandoned"] as const;

const statusOf = (sessions: readonly SessionView[]): SessionView["status"] =>
  ORDER.find((status) => sessions.some((one) => one.status === status)) ?? "completed";
