import { BRANCH_PREFIX, isHeld } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import { listHeldSteps } from "../../plans/index.ts";
import { ownerIsGone } from "../../claims/index.ts";
import { leaseClockOf } from "../../sessions/index.ts";
import type { ObservedSession } from "./observe-sessions.ts";

/** The worktrees that Pawl made, with who needs them. */
export async function observeWorktrees(
  ports: Ports,
  sessions: readonly ObservedSession[],
): Promise<readonly SeenOf<"worktree">[]> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const [listed, known] = await Promise.all([worktrees.list(), branches.planBranches()]);
  const busy = await busyPaths(ports, sessions);
  const awaited = new Set(sessions.filter(isAwaiting).map(({ row }) => row.worktree));
  return listed
    .filter(({ isMain, isBare, branch }) => !isMain && !isBare && branch?.startsWith(BRANCH_PREFIX))
    .map(({ path, branch, isMissing }) => {
      const plan = known.find(({ name }) => name === branch)?.mark?.plan;
      return {
        kind: "worktree",
        now: {
          folder: isMissing ? "missing" : "there",
          plan: plan === undefined ? "none" : ports.plans.existsAnywhere(plan) ? "there" : "gone",
          use: busy.has(path) ? "busy" : awaited.has(path) ? "awaited" : "free",
        },
        facts: { path, branch, plan },
      };
    });
}

const isAwaiting = ({ now }: ObservedSession): boolean =>
  now.state !== "running" && now.resumable === "yes" && now.superseded === "no";

async function busyPaths(ports: Ports, sessions: readonly ObservedSession[]): Promise<ReadonlySet<string>> {
  const paths = new Set(sessions.filter(({ now }) => now.state === "running").map(({ row }) => row.worktree));
  const database = await ports.database();
  await database.read(async (sql) => {
    const moment = leaseClockOf(ports, sql);
    for (const step of await sql.all(listHeldSteps, {}))
      if (step.claimed_by !== null && isHeld(step.status) && !(await ownerIsGone(sql, step, moment)))
        paths.add(step.claimed_by);
  });
  return paths;
}
