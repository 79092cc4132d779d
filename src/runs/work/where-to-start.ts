import {
  type Ended,
  type ExitOutcome,
  type Next,
  nextPosition,
  PAUSES,
  type Position,
} from "../../domain/index.ts";
import type { NamedAgent } from "../../agents/index.ts";
import { lastCheckpoint, listCheckpoints } from "../../sessions/index.ts";
import { type ClaimedStep, lastFreshClaim } from "../../steps/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import type { Worker } from "./worker.ts";

/** Where to begin, and the checkpoint of the command that was cut off there. */
export interface Start {
  readonly next: Next;
  readonly last?: CheckpointRow | undefined;
}

/** Where an earlier session got to with this step in this worktree; else the beginning. */
export async function whereToStart(worker: Worker, held: ClaimedStep): Promise<Start> {
  const { ports, workflow, session } = worker;
  const database = await ports.database();
  const { last, fresh } = await database.read(async (sql) => {
    const step = { plan_path: held.plan, anchor: held.anchor };
    return {
      last: await sql.get(lastCheckpoint, { ...step, worktree_id: session.worktree.id }),
      fresh: (await sql.get(lastFreshClaim, step))?.claim ?? 0,
    };
  });
  const bounds = { workflow, maxIterations: 1 };
  const begun = { next: nextPosition(undefined, bounds) };
  // A step that was put back or reopened since is done from its beginning.
  if (last === undefined || (last.claim ?? 0) < fresh) return begun;
  const next = nextPosition(positionOf(last), bounds);
  if (next.kind !== "mismatch") return { next, last };
  worker.report({ event: "note", text: `${held.anchor} starts anew: ${next.because}` });
  return begun;
}

/** What a checkpoint says about where to go on. */
export const positionOf = (row: CheckpointRow): Position => ({
  iteration: row.iteration,
  position: row.position,
  type: row.type,
  ended: endedAs(row.outcome),
  specId: row.spec_found ?? row.spec_id ?? undefined,
});

/** A command that hit a limit, was killed or ran out of time is as good as one that failed: it is run again. */
const endedAs = (outcome: string | null): Ended =>
  outcome === null ? "open" : outcome === "finished" ? "finished" : "failed";

/**
 * The agent's own conversation that a command was cut off in, to be taken up again.
 *
 * Only where the agent did not come to its own end: it was killed, or could not go on for reasons of its own. A command
 * that failed is begun anew, with what went wrong in its prompt; a conversation that is full is never gone on with.
 */
export function conversationOf(
  last: CheckpointRow | undefined,
  agent: NamedAgent | undefined,
  isContinued = false,
): string | undefined {
  if (last === undefined || agent?.preset.resume === undefined || last.agent !== agent.name) return undefined;
  const { outcome } = last;
  const isCut =
    isContinued ||
    outcome === null ||
    outcome === "killed" ||
    outcome === "silent" ||
    PAUSES.has(outcome as ExitOutcome);
  return isCut ? (last.agent_session ?? undefined) : undefined;
}

/** The checkpoint of the agent's last command for this step, or of one command of the workflow, whose conversation has all that it knows of the work. */
export async function lastWork(
  { ports, session }: Worker,
  { plan: plan_path, anchor }: ClaimedStep,
  position?: number,
): Promise<CheckpointRow | undefined> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const isOfCommand = (row: CheckpointRow) =>
    position === undefined ? row.position >= 0 : row.position === position;
  return rows.findLast((row) => row.plan_path === plan_path && row.anchor === anchor && isOfCommand(row));
}
