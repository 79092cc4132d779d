import { countKilledStarts } from "../../store/statements/count-killed-starts.ts";
import { lastFreshClaim } from "../../store/statements/last-fresh-claim.ts";
import { MOST_ATTEMPTS } from "./evidence.ts";
import { block } from "./reject.ts";
import type { StepEnd } from "./step-end.ts";
import type { Held, Worker } from "./worker.ts";

/**
 * Leaves a step to a person when every start of its agent was the end of its runner.
 *
 * Each start is on record before it happens, and nobody but the next runner can say that it had no end. Begun again
 * each time, an agent that kills its runner, or eats all memory, would do so for ever.
 */
export async function refuseDeadly(worker: Worker, held: Held): Promise<StepEnd | undefined> {
  // Each of them had a claim of its own.
  if (held.claim <= MOST_ATTEMPTS) return undefined;
  const step = { plan_path: held.plan, anchor: held.anchor };
  const database = await worker.ports.database();
  const killed = await database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    return (await sql.get(countKilledStarts, { ...step, fresh }))?.killed ?? 0;
  });
  if (killed < MOST_ATTEMPTS) return undefined;
  const note = `its agent was started ${killed} times, and each time Pawl itself was killed before the agent had ended`;
  return block(worker, held, undefined, { reason: "runner_killed", note });
}
