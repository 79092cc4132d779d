import { agentOf, AGENTS, type NamedAgent, runAgent } from "../../agents/index.ts";
import {
  afterCommand,
  Failure,
  findSpecId,
  fromInstant,
  type Next,
  scopeOf,
  type WorkflowCommand,
} from "../../domain/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import { promptFor } from "./prompt-for.ts";
import { conversationOf } from "./where-to-start.ts";
import type { Heartbeat, RunningCommand, SupervisedEnd } from "../../platform/ports/index.ts";
import {
  type OpenCheckpoint,
  beginCheckpoint,
  endCheckpoint,
  type KnownFiles,
  noteConversation,
  noteProcess,
  type CommandPosition,
} from "./checkpoint.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "./worker.ts";

/** One command to be run under supervision. */
export interface CommandToRun {
  readonly command: Pick<WorkflowCommand, "name" | "type" | "timeoutMs" | "maxTurns">;
  readonly place: CommandPosition;
  readonly held: ClaimedStep | undefined;
  /** Undefined where a program is run and nobody is asked. */
  readonly agent: NamedAgent | undefined;
  readonly argv?: readonly string[] | undefined;
  /** Where it runs: a folder of Pawl's own, or the worktree when left out. */
  readonly cwd?: string | undefined;
  readonly prompt?: string | undefined;
  /** The agent's own conversation to take up again. */
  readonly conversation?: string | undefined;
  readonly heart: Heartbeat | undefined;
  readonly again: boolean;
  /** What a verification checks, so that its result can be used after a kill. */
  readonly checked?: string | undefined;
  readonly known?: KnownFiles | undefined;
}

export interface CommandDone {
  readonly end: SupervisedEnd;
  readonly files: readonly string[];
  readonly tree: string;
  readonly specFound: string | undefined;
}

/** The agent that a command asks, with what the person brought for it. */
export function chooseAgent(
  { settings, config }: Pick<Worker, "settings" | "config">,
  name: string | undefined,
): NamedAgent {
  const wanted = name ?? config.agent;
  if (wanted !== "command" || config.argv === undefined) return agentOf(settings, wanted);
  return { ...settings.agents["command"]!, program: config.argv };
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
  let noted: Promise<void> | undefined;
  const note = (id: string) => {
    if (id === conversation) return;
    // Without it the conversation is begun anew after a crash, which is no reason to end the agent.
    noted ??= noteConversation(worker, begun.number, id).catch(() => undefined);
  };
  const started = await start(worker, request, {
    agentSession: conversation,
    logName: logName(begun.number),
    note,
  }).catch((error: unknown) => giveUp(worker, request, begun, error));
  if (heart && !heart.watch(started.record)) void started.stop("lease_lost");
  const deafen = interruption.listen(() => void started.stop("asked"));
  if (interruption.signal() !== undefined) void started.stop("asked");
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
    await noted;
    return await settle(worker, request, begun, end);
  } catch (error) {
    await started.stop("asked");
    throw error;
  } finally {
    deafen();
    heart?.unwatch(started.record);
  }
}

const plainName = (name: string): string => name.replace(/[^\w.-]+/g, "-").slice(0, 60) || "command";

function start(
  worker: Worker,
  { command, agent, argv, held, heart, prompt, conversation, cwd }: CommandToRun,
  {
    agentSession,
    logName,
    note,
  }: {
    readonly agentSession: string | undefined;
    readonly logName: string;
    readonly note: (conversation: string) => void;
  },
): Promise<RunningCommand> {
  const { ports, running, session, config, integration } = worker;
  const worktree = session.worktree.path;
  return runAgent(running.supervisor, ports.clock, {
    choice: agent ?? { preset: AGENTS.command, program: argv ?? [], args: [] },
    mode: conversation === undefined ? "start" : "resume",
    blanks: {
      session: agentSession,
      worktree: cwd ?? worktree,
      model: agent?.model,
      max_turns: command.maxTurns === undefined ? undefined : String(command.maxTurns),
      state_dir: ports.stateDir,
    },
    cwd: cwd ?? worktree,
    env: running.environment({
      plan: held?.plan,
      step: held?.anchor,
      session: session.id,
      worktree,
      claim: held?.claim,
    }),
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
    onEvent(event) {
      if (event.kind === "session") note(event.id);
    },
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
  { command, held, heart, cwd }: CommandToRun,
  { number, before }: OpenCheckpoint,
  end: SupervisedEnd,
): Promise<CommandDone> {
  const { ports, session } = worker;
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
  const done = { end, files, tree, specFound };
  // A command that was cut off has no end: it is run again.
  if (!isCut) {
    // What belongs to no step and ran elsewhere has left nothing in the worktree, which may be a person's own.
    const mayHaveLeft = held !== undefined || hasWorked;
    const kept = mayHaveLeft
      ? keepWork(worker, outcome === "finished" && !unfit ? files : undefined)
      : undefined;
    const snapshotRef = await kept;
    await endCheckpoint(worker, held, number, { ...done, snapshotRef });
  }
  worker.report({
    event: "command-ended",
    step: held?.anchor,
    command: command.name,
    outcome,
    durationMs: end.durationMs,
    files,
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

/** What an agent puts aside is in no commit, and looks as if it had never been. */
async function warnOfStashes(
  { ports, session, branch, warn }: Worker,
  { anchor }: ClaimedStep,
  { startedAt }: SupervisedEnd,
): Promise<void> {
  if (branch === undefined) return;
  // Git counts whole seconds.
  const sinceMs = Math.floor(fromInstant(startedAt) / 1000) * 1000;
  const all = await (await ports.commits()).stashes(session.worktree, branch);
  for (const { commit } of all.filter(({ madeMs }) => madeMs >= sinceMs))
    warn(
      anchor,
      `stashed: work was put aside and is not in the commit; back with: git stash apply ${commit}`,
    );
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
  readonly held?: ClaimedStep | undefined;
  readonly heart?: Heartbeat | undefined;
  readonly known?: KnownFiles | undefined;
}

/** Runs a command of the worker's workflow, in the agent's own conversation where it was cut off in one. */
export async function runWorkflowCommand(
  worker: Worker,
  { next, last, isContinued, held, heart, known }: Due,
): Promise<{ readonly done: CommandDone; readonly isContinued: boolean }> {
  const { iteration, position, specId, again } = next;
  const command = worker.workflow.commands[position]!;
  const agent = agentOfCommand(worker, command);
  const place = { iteration, position, specId };
  const conversation = again ? conversationOf(last, agent, isContinued) : undefined;
  const done = await runSupervised(worker, {
    command,
    place,
    held,
    agent,
    argv: "argv" in command.work ? command.work.argv : undefined,
    prompt: await promptFor(worker, command, held, place),
    conversation,
    heart,
    again,
    known,
  });
  return { done, isContinued: conversation !== undefined };
}

/** Undefined where the command is a program. */
export const agentOfCommand = (worker: Worker, { work, agent }: WorkflowCommand): NamedAgent | undefined =>
  "argv" in work ? undefined : chooseAgent(worker, agent);
