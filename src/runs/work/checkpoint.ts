import {
  Failure,
  type Instant,
  safeBlock,
  scopeOf,
  type Spent,
  type WorkflowCommand,
} from "../../domain/index.ts";
import type { ProcessRecord, Sql, SupervisedEnd } from "../../platform/ports/index.ts";
import {
  closeCheckpoint,
  findSession,
  markConversation,
  markProcess,
  moveSession,
  noteUsage,
  openCheckpoint,
} from "../../sessions/index.ts";
import { journal } from "../../journal/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { type Worker, workerEntry } from "./worker.ts";

/** Where in the workflow a command stands. Verifications stand nowhere: their position is -1. */
export interface CommandPosition {
  readonly iteration: number;
  readonly position: number;
  readonly specId: string | undefined;
}

export interface OpenCheckpoint {
  readonly number: number;
  readonly before: { readonly head: string | undefined; readonly tree: string };
}

export interface CheckpointStart {
  readonly command: Pick<WorkflowCommand, "name" | "type">;
  readonly place: CommandPosition;
  readonly held: ClaimedStep | undefined;
  readonly agent: string | undefined;
  readonly agentSession: string | undefined;
  readonly log: (number: number) => string;
  /** What a verification checks. */
  readonly checked?: string | undefined;
  readonly known?: KnownFiles | undefined;
}

/** What lies in a worktree, where the caller has just looked: its tree, while this commit is checked out. */
export interface KnownFiles {
  readonly head: string;
  readonly tree: string;
}

/**
 * Written before a command starts.
 *
 * The process is not known yet, and a runner may die right after it has started one. So the checkpoint says at once
 * by what mark everything of this session can be found.
 */
export async function beginCheckpoint(worker: Worker, beginning: CheckpointStart): Promise<OpenCheckpoint> {
  const { ports, session } = worker;
  const { command, place, held, agent, agentSession, log, checked, known } = beginning;
  const commits = await ports.commits();
  const head = commits.head(session.worktree);
  const isKnown = known !== undefined && known.head === (await head);
  const tree = isKnown ? known.tree : await treeOrHead(commits.tree(session.worktree), head);
  const number = worker.nextCheckpoint();
  const database = await ports.database();
  await database.write(async (sql) => {
    await refuseEnded(sql, session);
    await sql.run(openCheckpoint, {
      session_id: session.id,
      number,
      plan_path: held?.plan ?? null,
      anchor: held?.anchor ?? null,
      claim: held?.claim ?? null,
      iteration: place.iteration,
      position: place.position,
      command: command.name,
      type: command.type,
      agent: agent ?? null,
      agent_session: agentSession ?? null,
      spec_id: place.specId ?? null,
      head_before: (await head) ?? null,
      tree_before: tree,
      process: JSON.stringify(unknownProcess(worker)),
      log: log(number),
      checked: checked ?? null,
      now: sql.now,
    });
    if (place.position >= 0) {
      const { iteration, position, specId } = place;
      await sql.run(moveSession, { id: session.id, iteration, position, spec_id: specId ?? null });
    }
    await journal(sql, {
      event: "command-started",
      ...workerEntry(worker, held),
      detail: { number, command: command.name, iteration: place.iteration },
    });
  });
  return { number, before: { head: await head, tree } };
}

/** Files that git cannot take are what the agent is asked to correct: they must not keep it from being asked. */
async function treeOrHead(tree: Promise<string>, head: Promise<string | undefined>): Promise<string> {
  try {
    return await tree;
  } catch (error) {
    const commit = await head;
    if (!(error instanceof Failure) || scopeOf(error) !== "work" || commit === undefined) throw error;
    return commit;
  }
}

/** Finds by the session's mark alone whatever is not older than this runner. */
function unknownProcess({ ports, session, integration }: Worker): ProcessRecord {
  const { startedAt } = ports.processes.self();
  const folder = integration === undefined ? undefined : session.worktree.path;
  return { pid: -1, startedAt, group: -1, session: session.id, ...ports.machine, streams: [], folder };
}

export async function noteProcess(
  { ports, session }: Worker,
  number: number,
  record: ProcessRecord,
): Promise<void> {
  const at = { session_id: session.id, number, process: JSON.stringify(record) };
  await (
    await ports.database()
  ).write(async (sql) => {
    await refuseEnded(sql, session);
    await sql.run(markProcess, at);
  });
}

/** A runner that was stopped may wake in a session that a person has ended meanwhile: no agent works from there. */
async function refuseEnded(sql: Sql, { id }: Worker["session"]): Promise<void> {
  const row = await sql.get(findSession, { id });
  if (row?.status === "in_progress") return;
  throw new Failure("session/over", `Session ${id} is over (${row?.status ?? "unknown"}).`, {
    session_id: id,
  });
}

/** Written while the command runs, as soon as the agent has reported it: a runner that dies takes its memory along. */
export async function noteConversation(
  { ports, session }: Worker,
  number: number,
  agent_session: string,
): Promise<void> {
  const at = { session_id: session.id, number, agent_session };
  await (await ports.database()).write((sql) => sql.run(markConversation, at));
}

export interface CheckpointEnd {
  readonly end: Pick<SupervisedEnd, "verdict" | "exitCode" | "lastLines"> & {
    readonly report: Pick<SupervisedEnd["report"], "sessionId" | "refusals">;
  };
  readonly files: readonly string[];
  readonly tree: string;
  readonly specFound: string | undefined;
  readonly snapshotRef: string | undefined;
  readonly spending?: Spending | undefined;
  /** When the limit ends that it ran into. */
  readonly resetsAt?: Instant | undefined;
  /** What an agent said last, for people and for the steps that come after. */
  readonly said?: (Pick<WorkflowCommand, "name" | "type"> & { readonly text: string }) | undefined;
}

/** What a command has used, and who used it where in the workflow. */
export interface Spending {
  readonly spent: Spent;
  readonly agent: string | undefined;
  readonly position: number;
}

/** Written now and then while the command runs, and where it is cut off: a runner that dies takes its memory along. */
export async function noteSpending(
  worker: Worker,
  held: ClaimedStep | undefined,
  number: number,
  spending: Spending,
): Promise<void> {
  const database = await worker.ports.database();
  await database.write((sql) => writeSpending(sql, worker, held, number, spending));
}

function writeSpending(
  sql: Sql,
  { session }: Worker,
  held: ClaimedStep | undefined,
  number: number,
  { spent, agent, position }: Spending,
): Promise<number> {
  return sql.run(noteUsage, {
    session_id: session.id,
    number,
    plan_path: held?.plan ?? null,
    anchor: held?.anchor ?? null,
    claim: held?.claim ?? null,
    position,
    agent: agent ?? null,
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    cost_micros: spent.costMicros,
    now: sql.now,
  });
}

/** Longer output is in the log. */
const MOST_TAIL = 8 * 1024;
const MOST_FILES = 500;

/** Written after a command has ended, with what it left. */
export async function endCheckpoint(
  worker: Worker,
  held: ClaimedStep | undefined,
  number: number,
  { end, files, tree, specFound, snapshotRef, spending, resetsAt, said }: CheckpointEnd,
): Promise<void> {
  const { ports, session } = worker;
  const { outcome } = end.verdict;
  const database = await ports.database();
  await database.write(async (sql) => {
    await sql.run(closeCheckpoint, {
      session_id: session.id,
      number,
      exit_code: end.exitCode ?? null,
      outcome,
      output_tail: end.lastLines.join("\n").slice(-MOST_TAIL),
      files_modified: JSON.stringify(files.slice(0, MOST_FILES)),
      agent_session: end.report.sessionId ?? null,
      snapshot_ref: snapshotRef ?? null,
      spec_found: specFound ?? null,
      tree_after: tree,
      resets_at: resetsAt ?? null,
      now: sql.now,
    });
    if (spending) await writeSpending(sql, worker, held, number, spending);
    const { refusals = [] } = end.report;
    const refused = refusals.length === 0 ? {} : { refused: refusals };
    const closing =
      said && said.text.trim() !== ""
        ? { command: said.name, type: said.type, said: safeBlock(said.text) }
        : {};
    const detail = {
      number,
      outcome,
      exit_code: end.exitCode ?? null,
      files: files.length,
      ...closing,
      ...refused,
    };
    await journal(sql, { event: "command-ended", ...workerEntry(worker, held), detail });
  });
}
