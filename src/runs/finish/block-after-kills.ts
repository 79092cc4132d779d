import type { Heartbeat } from "../../platform/ports/index.ts";
import { countKilledStarts } from "../../sessions/index.ts";
import { type ClaimedStep, lastFreshClaim } from "../../steps/index.ts";
import { savedStep } from "../../plans/index.ts";
import { MOST_CUT_OFF } from "../../verification/index.ts";
import { blockStep } from "./block-step.ts";
import { lost, type StepEnd } from "./step-end.ts";
import type { Worker } from "../work/worker.ts";

/**
 * Leaves a step to a person when kills have cut it off too often.
 *
 * A kill says nothing about the work, so it is no failed attempt. But an agent or a check that kills its runner, or eats
 * all memory, would be started for ever. Each start is on record before it happens, and the next runner sees which of
 * them had no end.
 */
export async function blockAfterKills(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat | undefined,
): Promise<StepEnd | undefined> {
  const step = { plan_path: held.plan, anchor: held.anchor };
  const database = await worker.ports.database();
  const { times, owner } = await database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    const times = (await sql.get(countKilledStarts, { ...step, fresh }))?.killed ?? 0;
    return { times, owner: await savedStep(sql, held.plan, held.anchor) };
  });
  // The process that took the step killed its agent, and the heartbeat may not know that yet: nothing is started again.
  if (owner.claim_seq !== held.claim)
    return lost({ because: `claim ${held.claim} is over: a person or another worker took the step` });
  if (times < MOST_CUT_OFF) return undefined;
  const note = `it was cut off ${times} times: its agent, its check or Pawl was killed each time. No attempt is counted, but the next start would probably end the same way`;
  return blockStep(worker, held, heart, { reason: "cut_off", note });
}
