import type { Ports } from "../../platform/ports/index.ts";
import { isHeld } from "../../domain/index.ts";
import { findStep } from "../../plans/index.ts";
import { leaseClockOf, storeIdOf } from "../../sessions/index.ts";
import { whileSettled } from "../land/landing.ts";
import { listOpenLandings } from "../sql/list-open-landings.ts";
import { followRemote, hasCommit, knownRemoteTip, remoteTip, type RemoteTip } from "./remote-tip.ts";
import { settlePushed } from "./settle-pushed.ts";

interface PlanBranchAt {
  readonly plan: string;
  readonly branch: string;
}

/** Brings the plan's branch to where the remote has it, and completes steps whose owners were lost right after their push. */
export async function followShared(
  ports: Ports,
  at: PlanBranchAt,
  { isFetched }: { readonly isFetched: boolean },
): Promise<void> {
  const there = await (isFetched ? knownRemoteTip : remoteTip)(ports, at.branch);
  if (there?.tip === undefined) return;
  await whileSettled(ports, at.branch, () => followRemote(ports, at, there));
  await settleElsewhere(ports, at, there);
}

/**
 * A machine may be lost between its push and the record of it. The intent names the commit, and the remote has it: the
 * step is done, and no other machine does it again.
 */
async function settleElsewhere(ports: Ports, { branch }: PlanBranchAt, { tip }: RemoteTip): Promise<void> {
  if (!ports.storeIsShared || tip === undefined) return;
  const { isOwnerGoneNow } = await import("../finish-intents.ts");
  const database = await ports.database();
  const own = storeIdOf(ports, "");
  const lost = await database.read(async (sql) => {
    const moment = leaseClockOf(ports, sql);
    const open = (await sql.all(listOpenLandings, { branch })).filter(
      ({ worktree_id }) => !worktree_id.startsWith(own),
    );
    const found: typeof open = [];
    for (const intent of open) {
      const step = await sql.get(findStep, { plan_path: intent.plan_path, anchor: intent.anchor });
      const isFree = step !== undefined && !isHeld(step.status);
      if (isFree || (step && (await isOwnerGoneNow(ports, sql, step, moment)))) found.push(intent);
    }
    return found;
  });
  // A machine that was lost before its push took the commit with it.
  const here = await (await ports.branches()).commits(lost.map(({ branch_to }) => branch_to ?? ""));
  for (const { plan_path: plan, anchor, claim, worktree, branch_from, branch_to } of lost) {
    if (branch_from === null || branch_to === null || !here.has(branch_to)) continue;
    if (!(await hasCommit(ports, tip, branch_to))) continue;
    const move = { branch, from: branch_from, to: branch_to };
    await settlePushed(ports, { plan, anchor, claim, move, worktree, isOwnerGone: true });
  }
}
