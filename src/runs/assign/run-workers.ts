import { finishIntents, pushAhead } from "../../commits/index.ts";
import { Failure, resumeCommandLine, toInstant } from "../../domain/index.ts";
import { listPlans } from "../../plans/index.ts";
import { type RunSettings, workflowOf } from "../../agents/index.ts";
import { NEVER, type Ports } from "../../platform/ports/index.ts";
import type { OpenSession } from "../../sessions/index.ts";
import { loadRestoreCutShort, type UncleanEnd } from "../../snapshots/index.ts";
import { closeBroken, closeSession, recordLeaving } from "../finish/close-session.ts";
import { notify } from "../finish/notify.ts";
import {
  hasToMerge,
  isOpen,
  type LoopEnd,
  NOTHING_MORE,
  type RunAnswer,
  type RunCallbacks,
  summary,
  withVerification,
  type Tally,
} from "../finish/run-answer.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { WorkerEvent } from "../work/run-event.ts";
import type { Worker } from "../work/worker.ts";
import { type Publisher, publisherOf } from "../publish/publisher.ts";
import { agentPauses } from "./agent-pauses.ts";
import { workLoop } from "./work-loop.ts";

/** A session that is open, and how far it was before. */
export interface OpenedSession {
  readonly session: OpenSession;
  readonly branch: string | undefined;
  /** How many checkpoints it has. */
  readonly checkpoints: number;
  readonly resumed: boolean;
  /** Set where the session before it, in the same worktree, ended out of order. */
  readonly unclean?: UncleanEnd | undefined;
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
  const workers = await workersOf(ports, wanted, warned);
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
  const stay = workers[0]!.interruption.beforeLeaving(() => recordLeaving(workers));
  const results = await Promise.allSettled(
    workers.map(async (worker, index) => {
      const { session, resumed, unclean } = sessions[index]!;
      worker.report({ event: "session", session: session.id, worktree: session.worktree.path, resumed });
      try {
        if (unclean) warned.push(...(await restored(worker, unclean)));
        const end = await loop(worker, tally);
        await closeSession(worker, end);
        return end;
      } catch (error) {
        return endOnError(worker, error);
      }
    }),
  ).finally(stay);
  const outline = {
    planPath: config.plan ?? null,
    runId: wanted.runId,
    sessions: sessions.map(({ session }) => session.id),
    branch: integration ?? sessions[0]?.branch ?? null,
    completed: tally.completed,
    blocked: tally.blocked,
    durationMs: Math.round(ports.clock.uptimeMs() - began),
  };
  const failed = results.find((result) => result.status === "rejected");
  if (failed) {
    const resumeWith = resumeAfterError(workers, results);
    // Where nothing was begun, the error is all there is to tell.
    if (resumeWith !== null || tally.completed.length + tally.blocked.length > 0)
      request.onBroken?.({ ...outline, ended: "failed", ...NOTHING_MORE, resumeWith, warnings: warned });
    throw failed.reason;
  }
  // An intent of a claim that was cut off before its commit is closed by nobody else.
  if (config.plan !== undefined) await finishIntents(ports);
  if (request.interruption?.signal() === undefined) warned.push(...(await share(ports, wanted, publisher)));
  const ends = results.map((result) => (result as PromiseFulfilledResult<LoopEnd>).value);
  const told = summary(ends, outline.sessions, request.interruption);
  const isOver = told.ended === "all_completed" && integration !== undefined;
  const toMerge = isOver && (await hasToMerge(ports, integration).catch(() => true));
  const verified = await withVerification(ports, config.plan, tally.completed);
  const answer = { ...outline, ...told, ...verified, toMerge };
  const untold = await notify(ports, answer);
  return { ...answer, warnings: untold === undefined ? warned : [...warned, untold] };
}

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

async function restored(worker: Worker, unclean: UncleanEnd): Promise<readonly string[]> {
  const { restoreCutShort } = await loadRestoreCutShort();
  const notes = await restoreCutShort(worker.ports, worker.session.worktree, unclean);
  for (const text of notes) worker.report({ event: "note", text });
  return notes;
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
  const end = { kind: "interrupted" } as const;
  await closeSession(worker, end);
  return end;
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

async function workersOf(ports: Ports, wanted: WorkersToRun, warned: string[]): Promise<readonly Worker[]> {
  const { config, settings, operand, integration, sessions, request, only } = wanted;
  const running = await ports.running();
  const pauses = agentPauses();
  const workflow = workflowOf(settings, config.workflow);
  return sessions.map(({ session, branch, checkpoints }, index) => {
    let last = checkpoints;
    const number = index + 1;
    const report = (event: WorkerEvent) =>
      request.onEvent?.({ worker: number, at: toInstant(ports.clock.wallMs()), ...event });
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
      report,
      warn(step, text) {
        const warning = `${step}: ${text}`;
        warned.push(warning);
        report({ event: "note", text: warning });
      },
    };
  });
}
