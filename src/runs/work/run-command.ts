import { type AgentListener, type NamedAgent, PLAIN_PROGRAM, runAgent } from "../../agents/index.ts";
import {
  afterCommand,
  Failure,
  findSpecId,
  type Next,
  scopeOf,
  toInstant,
  usageOfCommand,
  type WorkflowCommand,
} from "../../domain/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import { permissionsOf, settingsReader } from "./agent-grant.ts";
import { notePause } from "../assign/agent-pauses.ts";
import { interruptLimited } from "./interrupt-limited.ts";
import { interruptSilent } from "./interrupt-silent.ts";
import { agentOfCommand } from "./pick-agent.ts";
import { promptFor, promptToContinue } from "./prompt-for.ts";
import { conversationOf } from "./where-to-start.ts";
import type { Heartbeat, RunningCommand, SupervisedEnd } from "../../platform/ports/index.ts";
import {
  type OpenCheckpoint,
  beginCheckpoint,
  endCheckpoint,
  type KnownFiles,
  noteProcess,
  noteSpending,
  type CommandPosition,
  type Spending,
} from "./checkpoint.ts";
import { saidBy, trackDelivery } from "./delivery.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { trackSpending } from "./track-spending.ts";
import { warnOfStashes } from "./warn-of-stashes.ts";
import type { Worker } from "./worker.ts";
import { situationOf } from "./agent-situation.ts";
import { listenTo } from "./listen-to.ts";
import { reportRetries } from "./report-retries.ts";

/** One command to be run under supervision. */
export interface CommandToRun {
  readonly command: Pick<WorkflowCommand, "name" | "type" | "timeoutMs" | "maxTurns">;
  readonly place: CommandPosition;
  readonly held: ClaimedStep | undefined;
  /** Undefined where a program is run and no agent is asked. */
  readonly agent: NamedAgent | undefined;
  readonly argv?: readonly string[] | undefined;
  /** Where it runs: a folder of Pawl's own, or the worktree when left out. */
  readonly cwd?: string | undefined;
  readonly prompt?: string | undefined;
  /** The messages of people that are new in the prompt. */
  readonly messages?: readonly number[] | undefined;
  /** The agent's own conversation to take up again. */
  readonly conversation?: string | undefined;
  readonly heart: Heartbeat | undefined;
  readonly again: boolean;
  /** What a verification checks, so that its result can be used after a kill. */
  readonly checked?: string | undefined;
  readonly known?: KnownFiles | undefined;
}

export interface CommandDone {
  readonly command: string;
  /** Undefined where a program was run. */
  readonly agent: string | undefined;
  readonly end: SupervisedEnd;
  readonly files: readonly string[];
  readonly tree: string;
  readonly specFound: string | undefined;
}

/**
 * Runs one command between two checkpoints.
 *
 * Everything that may end it early (a signal to Pawl, a lost claim, its timeout) ends in the same place: the command
 * and all it started are gone before anything else is written.
 */
export async function runSupervised(worker: Worker, request: CommandToRun): Promise<CommandDone> {
  const { ports, interruption } = worker;
  const { command, place, held, heart, agent } = request;
  const conversation =
    request.conversation ?? (agent?.preset.sessionId === "ours" ? ports.newId() : undefined);
  const logName = (number: number) => `${String(number).padStart(4, "0")}-${plainName(command.name)}`;
  const begun = await beginCheckpoint(worker, {
    command,
    place,
    held,
    agent: agent?.name,
    agentSession: conversation,
    log: logName,
    checked: request.checked,
    known: request.known,
  });
  const spending = await trackSpending(worker, request, begun.number);
  const delivery = trackDelivery(worker, request, begun.number);
  const { onEvent, noted } = listenTo(worker, request, {
    number: begun.number,
    conversation,
    takers: [spending, delivery, { take: reportRetries(worker, request) }],
  });
  const log = { agentSession: conversation, logName: logName(begun.number) };
  const started = await interruptLimited(worker.running.sleep, onEvent, (listener) =>
    start(worker, request, { ...log, onEvent: listener }),
  ).catch((error: unknown) => giveUp(worker, request, begun, error));
  if (heart && !heart.watch(started.record)) void started.stop("lease_lost");
  const deafen = interruption.listen(() => void started.stop("asked"));
  if (interruption.signal() !== undefined) void started.stop("asked");
  const watching = new AbortController();
  void interruptSilent(worker, { agent, held, begun, started, over: watching.signal });
  try {
    await noteProcess(worker, begun.number, started.record);
    worker.report({
      event: "command",
      step: held?.anchor,
      command: command.name,
      again: request.again,
      log: started.logPath,
      iteration: place.iteration,
      lines: started.lastLines,
    });
    const end = await started.ended;
    await Promise.all([noted(), spending.settled()]);
    if (end.verdict.outcome === "finished") await delivery.settled();
    return await settle(worker, request, begun, { end, spending: spending.of(end.report) });
  } catch (error) {
    await started.stop("asked");
    throw error;
  } finally {
    watching.abort();
    deafen();
    heart?.unwatch(started.record);
  }
}

const plainName = (name: string): string => name.replace(/[^\w.-]+/g, "-").slice(0, 60) || "command";

async function start(
  worker: Worker,
  { command, agent, argv, held, heart, prompt, conversation, cwd }: CommandToRun,
  {
    agentSession,
    logName,
    onEvent,
  }: {
    readonly agentSession: string | undefined;
    readonly logName: string;
    readonly onEvent: AgentListener;
  },
): Promise<RunningCommand> {
  const { ports, running, session, settings, config, integration } = worker;
  const worktree = session.worktree.path;
  return runAgent(running.supervisor, ports.clock, {
    choice: agent ?? { preset: PLAIN_PROGRAM, program: argv ?? [], args: [] },
    mode: conversation === undefined ? "start" : "resume",
    blanks: {
      session: agentSession,
      worktree: cwd ?? worktree,
      model: agent?.model,
      max_turns: command.maxTurns === undefined ? undefined : String(command.maxTurns),
      state_dir: ports.stateDir,
    },
    ...(await permissionsOf(ports, settings, {
      agent,
      worktree,
      cwd: cwd ?? worktree,
      ticks: held !== undefined && command.type === "implement_spec",
    })),
    read: settingsReader(ports, cwd ?? worktree),
    cwd: cwd ?? worktree,
    env: running.environment(situationOf(worker, held)),
    session: session.id,
    // Only a worktree that Pawl made for its worker; in any other one a person may be at work.
    folder: isElsewhere(worker, cwd) ? cwd : integration === undefined ? undefined : worktree,
    prompt,
    logFolder: running.logFolder(session.id),
    logName,
    logBudgetBytes: Math.floor(
      ((ports.settings.log_budget_mb ?? LOG_BUDGET_MB) * 1_000_000) / config.workers,
    ),
    timeoutMs: command.timeoutMs,
    graceMs: config.graceMs,
    secrets: running.secrets(),
    leaseLost: () => heart?.isLost() ?? false,
    onEvent,
  });
}

/** Whether a command runs in a folder of Pawl's own, and the worktree stays as it is. */
const isElsewhere = ({ session }: Worker, cwd: string | undefined): cwd is string =>
  cwd !== undefined && cwd !== session.worktree.path;

/** For all workers of a run together, unless the settings say otherwise. */
const LOG_BUDGET_MB = 128;

/** It never ran; the checkpoint says so, or the next one who looks would search for its processes. */
async function giveUp(
  worker: Worker,
  { held }: CommandToRun,
  { number, before }: OpenCheckpoint,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Failure)) throw error;
  await endCheckpoint(worker, held, number, {
    end: {
      exitCode: undefined,
      verdict: { outcome: "failed", exitCode: undefined, because: "exit" },
      report: { sessionId: undefined },
      lastLines: [error.message],
    },
    files: [],
    tree: before.tree,
    specFound: undefined,
    snapshotRef: undefined,
  });
  throw error;
}

async function settle(
  worker: Worker,
  request: CommandToRun,
  begun: OpenCheckpoint,
  { end, spending }: { readonly end: SupervisedEnd; readonly spending: Spending | undefined },
): Promise<CommandDone> {
  const { ports, session } = worker;
  const { command, held, heart, cwd } = request;
  const { number, before } = begun;
  const { outcome } = end.verdict;
  const commits = await ports.commits();
  const hasWorked = !isElsewhere(worker, cwd);
  let unfit: Failure | undefined;
  const look = () =>
    commits.tree(session.worktree).catch((error: unknown) => {
      unfit = asUnfit(error);
      return before.tree;
    });
  const tree = hasWorked ? await look() : before.tree;
  const files = await commits.changed(session.worktree, before.tree, tree);
  const found = command.type === "code_review" ? findSpecId(end.report.answer, files) : undefined;
  const specFound = typeof found === "object" ? found.specId : found;
  const isCut = worker.interruption.signal() !== undefined && end.stopped === "asked";
  const done = { command: command.name, agent: request.agent?.name, end, files, tree, specFound };
  const pause =
    request.agent && notePause(worker.pauses, request.agent.name, end.verdict, ports.clock.wallMs());
  // A command that was cut off has no end: it is run again.
  if (!isCut) {
    // What belongs to no step and ran elsewhere has left nothing in the worktree, which may be a person's own.
    const mayHaveLeft = held !== undefined || hasWorked;
    const kept = mayHaveLeft
      ? keepWork(worker, outcome === "finished" && !unfit ? files : undefined)
      : undefined;
    const snapshotRef = await kept;
    await endCheckpoint(worker, held, number, {
      ...done,
      snapshotRef,
      spending,
      said: saidBy(request, end),
      resetsAt: pause && pause.untilMs < Infinity ? toInstant(pause.untilMs) : undefined,
    });
  } else if (spending) await noteSpending(worker, held, number, spending);
  worker.report({
    event: "command-ended",
    step: held?.anchor,
    command: command.name,
    outcome,
    durationMs: end.durationMs,
    files: unfit === undefined ? files : undefined,
    usage: spending && usageOfCommand(spending.spent),
  });
  if (held && hasWorked) await warnOfStashes(worker, held, end);
  if (end.leftRunning.length > 0 && !heart?.isLost())
    throw new Failure("run/not-stopped", notStopped(command.name, end), { left: end.leftRunning });
  // An agent that failed is judged by that; what finished goes back with what git said.
  if (unfit !== undefined && outcome === "finished") throw unfit;
  return done;
}

function asUnfit(error: unknown): Failure {
  if (error instanceof Failure && scopeOf(error) === "work") return error;
  throw error;
}

const notStopped = (name: string, { leftRunning }: SupervisedEnd): string =>
  `Something that ${name} started could not be stopped: process ${leftRunning.map(({ pid }) => pid).join(", ")}.`;

/** Uncommitted work is kept whenever it may have to wait; a finished command that changed nothing leaves none. */
async function keepWork(worker: Worker, files: readonly string[] | undefined): Promise<string | undefined> {
  const isLast = worker.workflow.commands.length <= 1 && worker.workflow.perStep;
  if (files !== undefined && (files.length === 0 || isLast)) return undefined;
  const { ports, session } = worker;
  const because = afterCommand(session.id);
  return (await (await ports.snapshots()).take(session.worktree, because))?.ref;
}

/** A command of the workflow that is due, and what is known about it. */
interface Due {
  readonly next: Extract<Next, { kind: "run" }>;
  /** The checkpoint of the command that was cut off here. */
  readonly last: CheckpointRow | undefined;
  /** Whether that conversation is continued also where it had come to an end. */
  readonly isContinued?: boolean | undefined;
  /** Who does it; by the workflow and the run when left out. */
  readonly agent?: NamedAgent | undefined;
  readonly held?: ClaimedStep | undefined;
  readonly heart?: Heartbeat | undefined;
  readonly known?: KnownFiles | undefined;
}

/** Runs a command of the worker's workflow, in the agent's own conversation where it was cut off in one. */
export async function runWorkflowCommand(
  worker: Worker,
  { next, last, isContinued, held, heart, known, ...due }: Due,
): Promise<{ readonly done: CommandDone; readonly isContinued: boolean }> {
  const { iteration, position, specId, again } = next;
  const command = worker.workflow.commands[position]!;
  const agent = due.agent ?? agentOfCommand(worker, command);
  const place = { iteration, position, specId };
  const conversation = again ? conversationOf(last, agent, isContinued) : undefined;
  const done = await runSupervised(worker, {
    command,
    place,
    held,
    agent,
    argv: "argv" in command.work ? command.work.argv : undefined,
    ...(conversation === undefined || last === undefined
      ? await promptFor(worker, command, held, place)
      : await promptToContinue(worker, held, place, { last, isSentBack: isContinued === true })),
    conversation,
    heart,
    again,
    known,
  });
  return { done, isContinued: conversation !== undefined };
}
