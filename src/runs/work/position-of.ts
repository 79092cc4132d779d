import type { Ended, Position } from "../../domain/next-position.ts";
import type { CheckpointRow } from "../../platform/rows.ts";

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
