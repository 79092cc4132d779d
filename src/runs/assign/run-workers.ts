import { finishIntents, pushAhead } from "../../commits/index.ts";
import {
  Failure,
  fromInstant,
  resumeCommandLine,
  SPEC_BRANCH_PREFIX,
  toInstant,
} from "../../domain/index.ts";
import { listPlans, savedPlan } from "../../plans/index.ts";
import { type RunSettings, workflowOf } from "../../agents/index.ts";
import { NEVER, type Ports } from "../../platform/ports/index.ts";
import { listLimitedAgents, type OpenSession } from "../../sessions/index.ts";
import { loadRestoreCutShort, type UncleanEnd } from "../../snapshots/index.ts";
import { closeBroken, closeSession, orTakenOver, recordLeaving } from "../finish/close-session.ts";
import { enoughOf } from "../finish/enough.ts";
import { notifierOf } from "../finish/notify.ts";
import {
  brokenAnswer,
  hasToMerge,
  isAfterAll,
  isOpen,
  leftIn,
  type LoopEnd,
  type RunAnswer,
  type RunCallbacks,
  summary,
  withUsage,
  withVerification,
  type Tally,
} from "../finish/run-answer.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { WorkerEvent } from "../work/run-event.ts";
import { openingNotes } from "./opening-notes.ts";
import type { Worker } from "../work/worker.ts";
import { type Publisher, publisherOf } from "../publish/publisher.ts";
import { runBudget } from "../work/run-budget.ts";
import { type AgentPauses, agentPauses } from "./agent-pauses.ts";
import { workLoop } from "./work-loop.ts";
import { storeLost } from "./store-lost.ts";

/** A session that is open, and how far it was before. */
export interface OpenedSession {
  readonly session: OpenSession;
  readonly branch: string | undefined;
  /** How many checkpoints it has. */
  readonly checkpoints: number;
  readonly resumed: boolean;
  /** Set where the session before it, in the same worktree, ended out of order. */
  readonly unclean?: UncleanEnd | null | undefined;
}

export interface WorkersToRun {
  readonly runId: string;
  readonly config: RunConfig;
  readonly settings: RunSettings;
  /** How the plan is called from here. */
  readonly operand?: string | undefined;
  /** The plan's branch, which finished work is brought to. */
  readonly integration?: string | undefined;
  readonly sessions: readonly OpenedSession[];
  readonly request: RunCallbacks;
  readonly warnings: readonly string[];
  /** Only this step. */
  readonly only?: string | undefined;
  /** What each worker does; the steps of a plan unless said otherwise. */
  readonly loop?: (worker: Worker, tally: Tally) => Promise<LoopEnd>;
}

/** Lets all workers of a run work, and ends their sessions as they ended. */
export async function runWorkers(ports: Ports, wanted: WorkersToRun): Promise<RunAnswer> {
  const { config, sessions, integration, request, loop = workLoop } = wanted;
  const began = ports.clock.uptimeMs();
  const warned = [...wanted.warnings];
  const about = { planPath: config.plan ?? null, runId: wanted.runId };
  const notifier = notifierOf(ports, wanted.settings.notify, { ...about, waits: config.wait });
  const workers = await workersOf(ports, wanted, warned, notifier.happened);
  const publisher = publisherFor(ports, wanted, { warned, report: workers[0]!.report });
  const tally: Tally = {
    completed: [],
    blocked: [],
    begun: 0,
    failing: [],
    syncedTo: undefined,
    halted: undefined,
    onLanded: publisher?.landed,
  };
  if (config.plan !== undefined) await reportPlan(ports, config.plan, workers[0]!);
  const notes = await openingNotes(ports, workers[0]!);
  for (const text of notes) workers[0]!.report({ event: "note", text });
  const stay = workers[0]!.interruption.beforeLeaving(() => recordLeaving(workers));
  const results = await workSideBySide(workers, { sessions, tally, loop, warned }).finally(stay);
  const outline = {
    ...about,
    sessions: sessions.map(({ session }) => session.id),
    branch: integration ?? sessions[0]?.branch ?? null,
    completed: tally.completed,
    blocked: tally.blocked,
    durationMs: Math.round(ports.clock.uptimeMs() - began),
  };
  const failed = results.find((result) => result.status === "rejected");
  if (failed) {
    const lost = storeLost(ports, failed.reason, config.plan);
    const resumeWith = lost ? null : resumeAfterError(workers, results);
    // Where nothing was begun, the error is all there is to tell.
    if (resumeWith !== null || tally.completed.length + tally.blocked.length > 0)
      request.onBroken?.({ ...(await brokenAnswer(ports, outline)), resumeWith, warnings: warned });
    throw lost ?? failed.reason;
  }
  // An intent of a claim that was cut off before its commit is closed only here.
  if (config.plan !== undefined) await finishIntents(ports);
  if (request.interruption?.signal() === undefined) warned.push(...(await share(ports, wanted, publisher)));
  const ends = results.map((result) => (result as PromiseFulfilledResult<LoopEnd>).value);
  const ended = summary(ends, outline.sessions, request.interruption);
  const told = { ...ended, ...enoughOf(wanted.settings, config, ended) };
  const isOver = told.ended === "all_completed" || ends.some(isAfterAll);
  const toMerge = isOver && (await isToMerge(ports, outline.branch, integration));
  const verified = await withVerification(ports, config.plan, tally.completed);
  const used = await withUsage(ports, { ...outline, ...verified });
  const left = isOver && config.plan !== undefined ? await leftIn(ports, config.plan) : {};
  const answer = { ...outline, ...told, ...left, ...verified, ...used, toMerge };
  return { ...answer, warnings: [...warned, ...(await notifier.ended(answer))] };
}

interface SideBySide {
  readonly sessions: readonly OpenedSession[];
  readonly tally: Tally;
  readonly loop: NonNullable<WorkersToRun["loop"]>;
  readonly warned: string[];
}

/** Lets each worker work to its end, and closes its session. */
async function workSideBySide(
  workers: readonly Worker[],
  { sessions, tally, loop, warned }: SideBySide,
): Promise<readonly PromiseSettledResult<LoopEnd>[]> {
  const settled = await Promise.allSettled(
    workers.map(async (worker, index) => {
      const { session, resumed, unclean } = sessions[index]!;
      worker.report({ event: "session", session: session.id, worktree: session.worktree.path, resumed });
      try {
        if (unclean !== undefined) warned.push(...(await restored(worker, unclean)));
        const end = await orTakenOver(worker, await loop(worker, tally));
        // Whether a signal interrupted anything shows only when the other workers have ended.
        if (end.kind !== "interrupted") await closeSession(worker, end);
        return end;
      } catch (error) {
        return endOnError(worker, error);
      }
    }),
  );
  return closeInterrupted(workers, settled);
}

/** The branch of another tool's build is merged as the plan's own is; any other is its person's. */
const isToMerge = async (
  ports: Ports,
  branch: string | null,
  integration: string | undefined,
): Promise<boolean> =>
  branch !== null &&
  (integration !== undefined || branch.startsWith(SPEC_BRANCH_PREFIX)) &&
  hasToMerge(ports, branch).catch(() => true);

/** What landed here goes to the remote, and the request says how the plan stands. */
async function share(
  ports: Ports,
  { config: { plan }, integration: branch }: WorkersToRun,
  publisher: Publisher | undefined,
): Promise<readonly string[]> {
  const why = plan && branch ? await pushAhead(ports, { plan, branch }) : undefined;
  await publisher?.end();
  return why === undefined ? [] : [why];
}

/** Keeps the plan's request current, where the settings want one. */
function publisherFor(
  ports: Ports,
  { config: { plan }, integration: branch }: WorkersToRun,
  { warned, report }: { readonly warned: string[]; readonly report: Worker["report"] },
): Publisher | undefined {
  if (ports.settings.publish === undefined || plan === undefined || branch === undefined) return undefined;
  return publisherOf(ports, {
    plan,
    branch,
    warn(text) {
      warned.push(text);
      report({ event: "note", text });
    },
    report: (text) => report({ event: "note", text }),
  });
}

async function restored(worker: Worker, unclean: UncleanEnd | null): Promise<readonly string[]> {
  const { restoreCutShort } = await loadRestoreCutShort();
  const notes = await restoreCutShort(worker.ports, worker.session.worktree, unclean);
  for (const text of notes) worker.report({ event: "note", text });
  return notes;
}

/** A signal after the last step interrupts nothing: then there is nothing to resume. */
async function closeInterrupted(
  workers: readonly Worker[],
  results: readonly PromiseSettledResult<LoopEnd>[],
): Promise<readonly PromiseSettledResult<LoopEnd>[]> {
  const isInterrupted = (result: PromiseSettledResult<LoopEnd> | undefined) =>
    result?.status === "fulfilled" && result.value.kind === "interrupted";
  if (!results.some(isInterrupted)) return results;
  const value = { kind: "interrupted", isAfterAll: await isCompleted(workers[0]!) } as const;
  await Promise.all(
    workers.filter((_, index) => isInterrupted(results[index])).map((worker) => closeSession(worker, value)),
  );
  return results.map((result) => (isInterrupted(result) ? { status: "fulfilled", value } : result));
}

/** Whether nothing is left of the plan, not even a full check. */
async function isCompleted({ ports, plan, settings }: Worker): Promise<boolean> {
  if (plan === undefined || settings.verify.full !== undefined) return false;
  const database = await ports.database();
  return (await database.read((sql) => savedPlan(sql, plan))).status === "done";
}

/** What fails after a signal fails because of it, or would have to be met again anyway. */
async function endOnError(worker: Worker, error: unknown): Promise<LoopEnd> {
  const signal = worker.interruption.signal();
  if (signal === undefined || !(error instanceof Failure)) {
    await closeBroken(worker);
    throw error;
  }
  // A git that was only about to start when the signal came tells people nothing.
  if (error.problem !== "git/stopped")
    worker.report({ event: "note", text: `after ${signal}: ${error.message}` });
  return { kind: "interrupted" };
}

/** How to go on after an error. Workers that ended in order by then have sessions that cannot be resumed. */
function resumeAfterError(
  workers: readonly Worker[],
  results: readonly PromiseSettledResult<LoopEnd>[],
): string | null {
  const begun = workers.find(({ hasBegun }, index) => {
    const result = results[index]!;
    return result.status === "rejected" ? hasBegun() : isOpen(result.value);
  });
  return begun ? resumeCommandLine(begun.session.id) : null;
}

async function reportPlan(ports: Ports, key: string, { report }: Worker): Promise<void> {
  const database = await ports.database();
  const plan = await database.read(async (sql) =>
    (await sql.all(listPlans, {})).find(({ plan_path }) => plan_path === key),
  );
  if (plan) report({ event: "plan", plan: key, total: plan.steps_total, completed: plan.steps_completed });
}

/**
 * The board of pauses, with the limits that are on record where another agent can work meanwhile: after a kill, too, an
 * agent at its limit is left alone until then. A single agent is asked again, because the person may have seen to it.
 */
async function knownPauses(ports: Ports, { plan, fallback = [] }: RunConfig): Promise<AgentPauses> {
  const pauses = agentPauses();
  if (plan === undefined || fallback.length === 0) return pauses;
  const database = await ports.database();
  const limited = await database.read((sql) =>
    sql.all(listLimitedAgents, { plan_path: plan, host_id: ports.machine.hostId, now: sql.now }),
  );
  const nowMs = ports.clock.wallMs();
  for (const { agent, resets_at } of limited)
    pauses.put(agent, { untilMs: fromInstant(resets_at), because: "usage limit" }, nowMs);
  return pauses;
}

async function workersOf(
  ports: Ports,
  wanted: WorkersToRun,
  warned: string[],
  happened: (event: WorkerEvent) => void,
): Promise<readonly Worker[]> {
  const { config, settings, operand, integration, sessions, request, only } = wanted;
  const running = await ports.running();
  const pauses = await knownPauses(ports, config);
  const budget = runBudget(ports, {
    runId: wanted.runId,
    config,
    settings,
    warn: (text) => warned.push(text),
  });
  const workflow = workflowOf(settings, config.workflow);
  return sessions.map(({ session, branch, checkpoints }, index) => {
    let last = checkpoints;
    const number = index + 1;
    const report = (event: WorkerEvent) => {
      happened(event);
      request.onEvent?.({ worker: number, at: toInstant(ports.clock.wallMs()), ...event });
    };
    return {
      number,
      ports,
      running,
      settings,
      config,
      workflow,
      session,
      nextCheckpoint: () => (last += 1),
      hasBegun: () => last > 0,
      plan: config.plan,
      operand,
      branch,
      integration,
      only,
      interruption: request.interruption ?? NEVER,
      pauses,
      budget,
      report,
      warn(step, text) {
        const warning = `${step}: ${text}`;
        warned.push(warning);
        report({ event: "note", text: warning });
      },
    };
  });
}
