import type { VerdictRow } from "../../platform/index.ts";
import { type ClaimedStep, lastFreshClaim } from "../../steps/index.ts";
import { type Evidence, listVerdicts } from "../../verification/index.ts";
import type { Worker } from "../work/worker.ts";

/** Verdicts on a step since it was last begun: one that was put back or reopened is judged anew. */
export async function verdictsOn(
  { ports }: Worker,
  { plan, anchor }: ClaimedStep,
): Promise<readonly VerdictRow[]> {
  const step = { plan_path: plan, anchor };
  const database = await ports.database();
  return database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    return (await sql.all(listVerdicts, step)).filter(({ claim }) => (claim ?? 0) >= fresh);
  });
}

/** How often a step was sent back for one reason, named as in the evidence. */
export const sentBackFor = async (worker: Worker, held: ClaimedStep, checked: string): Promise<number> =>
  (await verdictsOn(worker, held)).filter((verdict) => isAbout(verdict, checked)).length;

/** Whether the evidence of a verdict names a check. */
export const isAbout = (verdict: VerdictRow | undefined, checked: string): boolean =>
  verdict !== undefined &&
  (JSON.parse(verdict.evidence) as readonly Evidence[]).some((one) => one.checked === checked);
