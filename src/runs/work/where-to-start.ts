import { type Next, nextPosition } from "../../domain/next-position.ts";
import { lastCheckpoint } from "../../sessions/sql/last-checkpoint.ts";
import { lastFreshClaim } from "../../steps/sql/last-fresh-claim.ts";
import type { CheckpointRow } from "../../platform/rows.ts";
import { positionOf } from "./position-of.ts";
import type { ClaimedStep } from "../../steps/claimed-step.ts";
import type { Worker } from "./worker.ts";

/** Where to begin, and the checkpoint of the command that was cut off there. */
export interface Start {
  readonly next: Next;
  readonly last?: CheckpointRow;
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
