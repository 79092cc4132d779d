import { runSettingsOf, workflowOf } from "../agents/index.ts";
import { BRANCH_PREFIX, canBeResumed, Failure, isResumable, shellWord } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import {
  allSessions,
  asEntered,
  enter,
  heldBySession,
  type InterruptionType,
  isDead,
  isOfThisClone,
  listCheckpoints,
  listRunSessions,
  type OpenSession,
  reopenSession,
  sessionNamed,
  stoppedText,
  supersededSessions,
  unendedSessions,
} from "../sessions/index.ts";
import type { SessionRow } from "../platform/index.ts";
import { countLanes, listHeldSteps, planPathFromHere } from "../plans/index.ts";
import { finishIntents, planTip } from "../commits/index.ts";
import type { RunRecovery } from "./prepare/run-recovery.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import { release } from "../steps/index.ts";
import { allSettled, openEach } from "./prepare/open-each.ts";
import { type OpenedSession, runWorkers, type WorkersToRun } from "./assign/run-workers.ts";
import { type SessionMismatch, mismatches } from "./prepare/mismatches.ts";
import { uncleanEnd } from "../snapshots/index.ts";
import { readConfig, type RunConfig } from "./prepare/run-config.ts";
import type { RunAnswer, RunCallbacks } from "./finish/run-answer.ts";
import { type SessionWorktree, sessionWorktree } from "./prepare/session-worktree.ts";
import { refuseUnready } from "./prepare/refuse-unready.ts";
import { setUpWorkerWorktree, type WorkerWorktree } from "./prepare/worker-worktree.ts";

export interface ResumeRequest extends RunCallbacks {
  /** A session or a run; the last one here that can be resumed when left out. */
  readonly id?: string | undefined;
  /** Continues in a person's own worktree although it is not as the checkpoint says. */
  readonly anyway?: boolean | undefined;
  /** In place of what the first run was given. */
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  /** In place of what the run was given; in dollars. */
  readonly maxCost?: number | undefined;
  readonly maxMinutes?: number | undefined;
}

/**
 * Continues where sessions were cut off.
 *
 * In this order: what their agents left running is stopped, what they had committed is finished, what differs from
 * their checkpoints is reported; only then are they open again, under their own ids and with what they were asked to do.
 */
export async function resume(
  ports: Ports,
  request: ResumeRequest,
  { repairDamage }: Pick<RunRecovery, "repairDamage">,
): Promise<RunAnswer> {
  const rows = await chosen(asEntered(ports), request.id);
  const plan = rows[0]!.plan_path ?? undefined;
  return withSentinel(ports, plan, async () => goOn(ports, request, rows, await repairDamage(plan)));
}

async function goOn(
  ports: Ports,
  request: ResumeRequest,
  rows: readonly SessionRow[],
  repaired: readonly string[],
): Promise<RunAnswer> {
  const [first] = rows;
  const config = withChanges(readConfig(first!.configuration!), request);
  const settings = runSettingsOf(ports);
  const workflow = workflowOf(settings, config.workflow);
  await refuseUnready(ports, { settings, config, workflow });
  const stop = rows.map((row) => ({ worktreeId: row.worktree_id, graceMs: config.graceMs }));
  await enter(ports, { stop, finish: finishIntents });
  const operand = config.plan === undefined ? undefined : planPathFromHere(ports, config.plan);
  const different: SessionMismatch[] = [];
  const warnings: string[] = [...repaired];
  const places: SessionWorktree[] = [];
  const taken = new Set(rows.flatMap(({ branch }) => (branch === null ? [] : [branch])));
  const integration = integrationOf(first!);
  if (config.plan !== undefined && integration !== undefined)
    await planTip(ports, { plan: config.plan, branch: integration });
  for (const row of rows) {
    const place = await sessionWorktree(ports, row, {
      operand,
      others: taken,
      interruption: request.interruption,
    });
    if (place.branch !== undefined) taken.add(place.branch);
    different.push(...(await mismatches(ports, row, place, workflow)));
    places.push(place);
  }
  const decisions = different.filter(({ needsPerson }) => needsPerson).map(({ says }) => says);
  if (decisions.length > 0 && !request.anyway)
    throw new Failure(
      "session/mismatch",
      `Session ${first!.id} is not as it was left: ${decisions.join("; ")}.`,
      { session_id: first!.id, mismatches: decisions },
      hintFor(places),
    );
  const ready = await allSettled(
    places.map((place) => () => setUpWorkerWorktree(ports, place, request.interruption)),
  );
  warnings.push(...ready.flatMap((place) => place.warnings));
  const sessions = await openAll(ports, rows, ready, operand);
  return runWorkers(ports, {
    runId: first!.run_id ?? first!.id,
    config,
    settings,
    operand,
    integration,
    sessions,
    request,
    warnings: [...warnings, ...different.map(({ says }) => says)],
    loop: await loopFor(first!.kind),
  });
}

/** What is wrong with a person's own worktree has a way out of its own. */
function hintFor(places: readonly SessionWorktree[]): { readonly hint?: string } {
  const ways = places.flatMap(({ trouble }) => (trouble ? [trouble.way] : []));
  if (ways.length === 0) return {};
  return {
    hint: `To resume as it was left, ${ways.join("; ")}. With --anyway the session continues from what is there now.`,
  };
}

/** Where its work comes together; undefined for one that works in a person's own worktree. */
const integrationOf = ({ base }: SessionRow): string | undefined =>
  base?.startsWith(BRANCH_PREFIX) ? base : undefined;

const withChanges = (
  config: RunConfig,
  { wait, maxWaitMs, maxCost, maxMinutes }: ResumeRequest,
): RunConfig => ({
  ...config,
  wait: wait ?? config.wait,
  maxWaitMs: maxWaitMs ?? config.maxWaitMs,
  maxCost: maxCost ?? config.maxCost,
  maxMinutes: maxMinutes ?? config.maxMinutes,
});

/** The sessions to go on with: those of one run, one for each worker. */
async function chosen(ports: Ports, id: string | undefined): Promise<readonly SessionRow[]> {
  await ports.database().catch(noSession);
  const row = id === undefined ? await lastResumable(ports) : await sessionNamed(ports, id);
  await refuseStopped(ports, row);
  refuseUnfit(ports, row);
  if (row.run_id === null) return [row];
  const database = await ports.database();
  const siblings = await database.read((sql) => sql.all(listRunSessions, { run_id: row.run_id! }));
  return siblings.filter(canBeResumed);
}

async function lastResumable(ports: Ports): Promise<SessionRow> {
  const all = await allSessions(ports);
  const here = all
    .filter((row) => isOfThisClone(ports, row))
    .toSorted((a, b) => ((a.interrupted_at ?? "") < (b.interrupted_at ?? "") ? 1 : -1));
  const superseded = await supersededSessions(ports, all);
  const unended = await unendedSessions(ports, all);
  const found = here.find((row) => isResumable(row, superseded)) ?? here.find(({ id }) => unended.has(id));
  if (found) return found;
  const running = here.findLast(({ status }) => status === "in_progress");
  if (running) await refuseStopped(ports, running);
  throw nothingToResume(running, running ? undefined : await lastPlanIfDone(ports, here));
}

/** The plan of the newest session, where all of its steps are completed. */
async function lastPlanIfDone(ports: Ports, here: readonly SessionRow[]): Promise<string | undefined> {
  const plan = here.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1)).at(-1)?.plan_path;
  const database = await ports.database();
  const lanes = (await database.read((sql) => sql.all(countLanes, {}))).filter(
    ({ plan_path }) => plan_path === plan,
  );
  return plan && lanes.length > 0 && lanes.every(({ lane }) => lane === "done") ? plan : undefined;
}

/** The caller may not know that the session still runs, or that the plan is done. */
function nothingToResume(running?: SessionRow, done?: string): Failure {
  if (done !== undefined)
    return new Failure(
      "session/none",
      `Nothing to resume: ${done} is done, all of its steps are completed.`,
      { plan_path: done },
      { hint: "Nothing was interrupted here. For people: `pawl` alone shows the command to type next." },
    );
  if (running === undefined)
    return new Failure("session/none", "There is no interrupted session that can be resumed.", {});
  const { id, pid, worktree } = running;
  return new Failure(
    "session/none",
    `Nothing to resume: session ${id} (pid ${pid}) is running in ${worktree}.`,
    { session_id: id, pid, worktree },
    { hint: "Watch it with `pawl status`, and let it end; what it leaves undone can be resumed then." },
  );
}

/** Where nothing was ever begun there is nothing to go on with either: that state is missing is not what was asked. */
function noSession(error: unknown): never {
  throw error instanceof Failure && error.problem === "plan/not-initialised" ? nothingToResume() : error;
}

/** A stopped runner does not end by itself: only a person continues it, or takes its step over. */
async function refuseStopped(ports: Ports, row: SessionRow): Promise<void> {
  const database = await ports.database();
  const held = await database.read((sql) => heldBySession(sql, row.id));
  const stopped = stoppedText(ports, row, held);
  if (stopped === undefined) return;
  const { id, pid, worktree } = row;
  throw new Failure(
    "session/alive",
    `Session ${id} in ${worktree} is ${stopped}`,
    { session_id: id, pid, worktree, stopped },
    { hint: "It keeps its step until a person continues it or takes the step over; its work is saved then." },
  );
}

function refuseUnfit(ports: Ports, row: SessionRow): void {
  const { id, status, pid, worktree, host_id } = row;
  if (status === "in_progress" && (host_id !== ports.machine.hostId || !isDead(ports, row)))
    throw new Failure(
      "session/alive",
      `Session ${id} is running in ${worktree} (pid ${pid} on ${host_id}).`,
      {
        session_id: id,
        pid,
        host_id,
        worktree,
      },
    );
  if (canBeResumed(row)) {
    if (isOfThisClone(ports, row)) return;
    throw new Failure(
      "session/elsewhere",
      `Session ${id} ran in another clone: in ${worktree} on machine ${host_id}.`,
      { session_id: id, host_id, worktree },
    );
  }
  const why =
    status !== "interrupted"
      ? `it is ${status}`
      : "an older Pawl, or no run, made it, so Pawl does not know what it was asked to do";
  throw new Failure(
    "session/not-resumable",
    `Session ${id} cannot be resumed: ${why}.`,
    { session_id: id, status, interruption_type: row.interruption_type },
    row.plan_path === null
      ? {}
      : {
          hint: `Start a new run with \`pawl run ${shellWord(row.plan_path)}\`: completed steps are never redone.`,
        },
  );
}

/** All sessions of a run, or none of them: one that is open while no worker uses it could not be resumed any more. */
async function openAll(
  ports: Ports,
  rows: readonly SessionRow[],
  places: readonly WorkerWorktree[],
  operand: string | undefined,
): Promise<readonly OpenedSession[]> {
  return openEach(
    rows.length,
    (index) => open(ports, rows[index]!, places[index]!, operand),
    ({ session }, index) => interruptAgain(session, rows[index]!),
  );
}

function interruptAgain(
  session: OpenSession,
  { interruption_type, paused_until }: SessionRow,
): Promise<void> {
  const type = (interruption_type ?? "unknown") as InterruptionType;
  return session.interrupt({ type, pausedUntil: paused_until ?? undefined });
}

async function open(
  ports: Ports,
  row: SessionRow,
  place: WorkerWorktree,
  operand: string | undefined,
): Promise<OpenedSession> {
  const database = await ports.database();
  const before = await database.read((sql) => sql.all(listCheckpoints, { session_id: row.id }));
  const session = await reopenSession(ports, row.id, {
    plan: operand,
    worktree: place.worktree,
    branch: place.branch,
  });
  if (!session)
    throw new Failure(
      "session/alive",
      `Session ${row.id} was resumed by another process at the same moment.`,
      {
        session_id: row.id,
      },
    );
  try {
    await letGo(ports, row.id, place.worktree);
  } catch (error) {
    await interruptAgain(session, row);
    throw error;
  }
  const unclean = place.worktree.id === row.worktree_id ? uncleanEnd(ports, row) : undefined;
  return { session, branch: place.branch, checkpoints: before.at(-1)?.number ?? 0, resumed: true, unclean };
}

/**
 * Steps that the session held in a worktree that is gone: the new one claims them again, and continues what a snapshot kept.
 * A resume that was killed before it had released them leaves the rest to the next one.
 */
async function letGo(ports: Ports, session: string, here: Worktree): Promise<void> {
  const database = await ports.database();
  const held = await database.read((sql) => sql.all(listHeldSteps, {}));
  const elsewhere = held.filter(
    ({ session_id, worktree_id }) => session_id === session && worktree_id !== here.id,
  );
  for (const { plan_path, anchor } of elsewhere)
    await release(ports, {
      plan: planPathFromHere(ports, plan_path),
      step: anchor,
      reason: "its worktree was gone",
      ownerIsGone: true,
    });
}

/** What a session of each kind does. */
async function loopFor(kind: SessionRow["kind"]): Promise<WorkersToRun["loop"] & {}> {
  if (kind === "improve") return (await import("./improve/improve-loop.ts")).improveLoop;
  if (kind === "plan") return (await import("./spec/planner-loop.ts")).plannerLoop;
  if (kind === "verify") throw new Failure("internal/bug", "A verification is done again, not taken up.", {});
  return (await import("./assign/work-loop.ts")).workLoop;
}
