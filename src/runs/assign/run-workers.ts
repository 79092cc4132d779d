import { resumeCommand } from "../../domain/session-name.ts";
import { type RunSettings, workflowOf } from "../../agents/settings/run-settings.ts";
import { Failure } from "../../domain/errors.ts";
import { toInstant } from "../../domain/instant.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { type Interruption, NEVER, type StopSignal } from "../../platform/ports/interruption.ts";
import { listPlans } from "../../plans/sql/list-plans.ts";
import { finishIntents } from "../../commits/finish-intents.ts";
import type { InterruptionType, OpenSession } from "../../sessions/open-session.ts";
import { notify } from "../finish/notify.ts";
import { agentPauses } from "./agent-pauses.ts";
import type { UncleanEnd } from "../../snapshots/restore-cut-short.ts";
import type { RunAnswer } from "../run.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { WorkerEvent, RunEvent } from "../work/run-event.ts";
import { type LoopEnd, type Tally, workLoop } from "./work-loop.ts";
import type { Worker } from "../work/worker.ts";
import { whenInterrupted } from "../../domain/snapshot-reason.ts";

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
  readonly operand: string | undefined;
  readonly integration: string | undefined;
  readonly sessions: readonly OpenedSession[];
  readonly request: {
    readonly onEvent?: ((event: RunEvent) => void) | undefined;
    readonly interruption?: Interruption | undefined;
    readonly onBroken?: ((answer: RunAnswer) => void) | undefined;
  };
  readonly warnings: readonly string[];
  /** Only this step. */
  readonly only?: string | undefined;
  /** What each worker does; the steps of a plan unless said otherwise. */
  readonly loop?: (worker: Worker, tally: Tally) => Promise<LoopEnd>;
}

/** Lets all workers of a run work, and ends their sessions as they ended. */
export async function runWorkers(ports: Ports, wanted: WorkersToRun): Promise<RunAnswer> {
  const { config, sessions, loop = workLoop } = wanted;
  const began = ports.clock.uptimeMs();
  const tally: Tally = { completed: [], blocked: [], begun: 0, failing: [], halted: undefined };
  const warned: string[] = [];
  const workers = await workersOf(ports, wanted, warned);
  if (config.plan !== undefined) await reportPlan(ports, config.plan, workers[0]!);
  const stay = workers[0]!.interruption.beforeLeaving(() => recordLeaving(workers));
  const results = await Promise.allSettled(
    workers.map(async (worker, index) => {
      const { session, resumed, unclean } = sessions[index]!;
      worker.report({ event: "session", session: session.id, worktree: session.worktree.path, resumed });
      try {
        if (unclean) warned.push(...(await restored(worker, unclean)));
        const end = await loop(worker, tally);
        await close(worker, end);
        return end;
      } catch (error) {
        const signal = worker.interruption.signal();
        // What fails after a signal fails because of it, or would have to be met again anyway.
        if (signal !== undefined && error instanceof Failure) {
          // A git that was only about to start when the signal came tells people nothing.
          if (error.problem !== "git/stopped")
            worker.report({ event: "note", text: `after ${signal}: ${error.message}` });
          await keep(worker, TYPES[signal]);
          return { kind: "interrupted" } as const;
        }
        // What was refused before anything was begun has nothing that could be resumed.
        const ending = worker.hasBegun() ? keep(worker, "unknown") : worker.session.end("failed");
        await ending.catch(() => undefined);
        throw error;
      }
    }),
  ).finally(stay);
  const outline = {
    planPath: config.plan ?? null,
    runId: wanted.runId,
    sessions: sessions.map(({ session }) => session.id),
    branch: wanted.integration ?? sessions[0]?.branch ?? null,
    completed: tally.completed,
    blocked: tally.blocked,
    durationMs: Math.round(ports.clock.uptimeMs() - began),
  };
  const failed = results.find((result) => result.status === "rejected");
  if (failed) {
    const broken = { ...outline, ...brokenOff(workers, results), warnings: [...wanted.warnings, ...warned] };
    // Where nothing was begun, the error is all there is to report.
    if (broken.resumeWith !== null || tally.completed.length + tally.blocked.length > 0)
      wanted.request.onBroken?.(broken);
    throw failed.reason;
  }
  // An intent of a claim that was cut off before its commit is closed by nobody else.
  if (config.plan !== undefined) await finishIntents(ports);
  const ends = results.map((result) => (result as PromiseFulfilledResult<LoopEnd>).value);
  const told = summary(ends, wanted);
  const { integration } = wanted;
  const isOver = told.ended === "all_completed" && integration !== undefined;
  const toMerge = isOver && (await hasToMerge(ports, integration).catch(() => true));
  const answer = { ...outline, ...told, toMerge };
  const untold = await notify(ports, answer);
  return { ...answer, warnings: [...wanted.warnings, ...warned, ...(untold === undefined ? [] : [untold])] };
}

async function restored(worker: Worker, unclean: UncleanEnd): Promise<readonly string[]> {
  const { restoreCutShort } = await import("../../snapshots/restore-cut-short.ts");
  const notes = await restoreCutShort(worker.ports, worker.session.worktree, unclean);
  for (const text of notes) worker.report({ event: "note", text });
  return notes;
}

/** How a run ended that an error ended. */
function brokenOff(workers: readonly Worker[], results: readonly PromiseSettledResult<LoopEnd>[]) {
  // Others may have ended in order by then, and their sessions cannot be resumed.
  const begun = workers.find(({ hasBegun }, index) => {
    const result = results[index]!;
    return result.status === "rejected" ? hasBegun() : isOpen(result.value);
  });
  return {
    ended: "failed" as const,
    signal: null,
    waiting: [],
    pausedUntil: null,
    because: null,
    resumeWith: begun ? resumeCommand(begun.session.id) : null,
    toMerge: false,
  };
}

/** Whether the plan's branch has work that its base has not; yes where that cannot be seen, as a merge will say why. */
async function hasToMerge(ports: Ports, branch: string): Promise<boolean> {
  const branches = await ports.branches();
  const mark = (await branches.planBranch(branch))?.mark;
  if (mark === undefined) return true;
  return (await branches.landed(mark.base, branch)) === undefined;
}

async function reportPlan(ports: Ports, key: string, { report }: Worker): Promise<void> {
  const database = await ports.database();
  const plan = await database.read(async (sql) =>
    (await sql.all(listPlans, {})).find(({ plan_path }) => plan_path === key),
  );
  if (plan) report({ event: "plan", plan: key, total: plan.steps_total, completed: plan.steps_completed });
}

async function workersOf(ports: Ports, wanted: WorkersToRun, warned: string[]): Promise<readonly Worker[]> {
  const { config, settings, operand, integration, sessions, request } = wanted;
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
      only: wanted.only,
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

const TYPES: Readonly<Record<StopSignal, InterruptionType>> = {
  SIGINT: "user_interrupt",
  SIGTERM: "termination",
  SIGHUP: "hangup",
};

/** A person who does not wait has interrupted all the same: without this the next command would report a crash. */
async function recordLeaving(workers: readonly Worker[]): Promise<void> {
  const [{ report, session, interruption }] = workers as readonly [Worker, ...Worker[]];
  await Promise.all(
    workers.map((worker) => worker.session.interrupt({ type: TYPES[interruption.signal() ?? "SIGTERM"] })),
  );
  report({
    event: "note",
    text: `left without waiting; the next command ends what still runs. Resume with: ${resumeCommand(session.id)}`,
  });
}

async function close(worker: Worker, end: LoopEnd): Promise<void> {
  if (end.kind === "interrupted") return keep(worker, TYPES[worker.interruption.signal() ?? "SIGTERM"]);
  if (end.kind === "paused") return keep(worker, "usage_limit", end.until);
  if (end.kind === "halted") return keep(worker, "unknown");
  // The session of one that was taken over from is over, and this changes nothing.
  await worker.session.end(end.kind === "stuck" || end.kind === "taken-over" ? "failed" : "completed");
}

/** Whatever is not committed is kept, then everything that is to be known is one transaction. */
async function keep(
  { ports, session, report }: Worker,
  type: InterruptionType,
  pausedUntil?: string,
): Promise<void> {
  const because = whenInterrupted(session.id, type);
  // The files stay where they are; a snapshot that fails must not keep the interruption from being recorded.
  const snapshot = await ports
    .snapshots()
    .then((snapshots) => snapshots.take(session.worktree, because))
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      report({ event: "note", text: `no snapshot could be taken of ${session.worktree.path}: ${why}` });
    });
  await session.interrupt({ type, snapshotRef: snapshot?.ref, pausedUntil });
}

/** Whether the session of a worker that ended so can be resumed. */
const isOpen = ({ kind }: LoopEnd): boolean =>
  kind === "interrupted" || kind === "paused" || kind === "halted";

/** The end that matters most to whoever started the run. */
const ORDER = ["interrupted", "paused", "halted", "taken-over", "stuck", "enough", "all-completed"] as const;

const ENDED = {
  interrupted: "interrupted",
  paused: "paused",
  halted: "halted",
  "taken-over": "taken_over",
  stuck: "stuck",
  enough: "enough",
  "all-completed": "all_completed",
} as const satisfies Record<LoopEnd["kind"], RunAnswer["ended"]>;

function summary(ends: readonly LoopEnd[], { sessions, request }: WorkersToRun) {
  // Where one worker saw the whole plan completed, what another waited for in vain before is done too.
  const isAllDone = ends.some(({ kind }) => kind === "all-completed");
  const telling = isAllDone ? ends.filter(({ kind }) => kind !== "stuck") : ends;
  const end = ORDER.map((kind) => telling.find((one) => one.kind === kind)).find((one) => one !== undefined)!;
  const open = sessions[ends.findIndex(isOpen)];
  return {
    ended: ENDED[end.kind],
    signal: request.interruption?.signal() ?? null,
    waiting: end.kind === "stuck" ? end.waiting : [],
    pausedUntil: end.kind === "paused" ? (end.until ?? null) : null,
    because: "because" in end ? end.because : null,
    resumeWith: open === undefined ? null : resumeCommand(open.session.id),
  };
}
