import { isHeld } from "../../domain/index.ts";
import { journal } from "../../journal/index.ts";
import { completeByProof, findStep, updatePlanStatus, writeBackOrNotice } from "../../plans/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { OpenLanding } from "../land/landing.ts";
import { clearLanding } from "../sql/clear-landing.ts";
import { closeIntent } from "../sql/close-intent.ts";
import { recordLanded } from "../train/record-landed.ts";

/**
 * Settles a landing that the remote has although its claim is over.
 *
 * What was pushed stays. Where the step has no other owner by now, it is completed with what landed; where it has one,
 * that owner's work lands on top of it, and the journal says that this came late. `evenIfHeld`: the owner of that claim is
 * known to be gone.
 */
export async function settlePushed(
  ports: Ports,
  landing: OpenLanding,
  { evenIfHeld = false }: { readonly evenIfHeld?: boolean } = {},
): Promise<void> {
  const { plan: plan_path, anchor, claim, move } = landing;
  const database = await ports.database();
  await database.write(async (sql) => {
    const step = await sql.get(findStep, { plan_path, anchor });
    const isHeldByOther = step && isHeld(step.status) && !(evenIfHeld && step.claim_seq === claim);
    const isFree = step !== undefined && !isHeldByOther && step.status !== "completed";
    const isDone = isFree && (await completeByProof(sql, step, { commit: move.to, reason: null, claim }));
    if (isDone) {
      await sql.run(recordLanded, { plan_path, anchor, claim, commit_hash: move.to, now: sql.now });
      await sql.run(closeIntent, { plan_path, anchor, claim, commit_hash: move.to, now: sql.now });
      await updatePlanStatus(sql, plan_path);
    }
    await sql.run(clearLanding, { plan_path, anchor, claim });
    await journal(sql, {
      event: isDone ? "landed-by-remote" : "landed-late",
      plan: plan_path,
      anchor,
      claim,
      detail: { branch: move.branch, commit: move.to },
    });
  });
  await writeBackOrNotice(ports, plan_path);
}
