import { BRANCH_PREFIX, Failure, planSlug } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { saveAndRemove, worktreeUse } from "../../worktrees/index.ts";
import { addOwnWorktree } from "../prepare/own-worktree.ts";
import type { WorkerWorktree } from "../prepare/worker-worktree.ts";

/** A worktree for planning only: what a planner leaves in it besides the plan is no step's work. */
export async function planningWorktree(ports: Ports, key: string): Promise<WorkerWorktree> {
  const worktrees = await ports.worktrees();
  const listed = await worktrees.list();
  const name = `${planSlug(key)
    .slice(0, 60)
    .replace(/(?<![.-])[.-]+$/, "")}-plan-${ports.sha256(key).slice(0, 8)}`;
  const branch = `${BRANCH_PREFIX}${name}`;
  const present = listed.find((one) => one.branch === branch && !one.isMissing);
  if (present) {
    const use = (await worktreeUse(ports))(present);
    if (use.state === "running")
      throw new Failure("run/worktree-in-use", `Session ${use.session!.id} is planning ${key} already.`, {
        session_id: use.session!.id,
        worktree_path: present.path,
      });
    await removePlanningWorktree(ports, branch);
  }
  const { made: _, ...added } = await addOwnWorktree(ports, name, listed);
  return added;
}

/** Taken down like any other worktree: what is in it is kept. */
export async function removePlanningWorktree(ports: Ports, branch: string): Promise<void> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  await locks.during(branch, async () => {
    const listed = (await worktrees.list()).find((one) => one.branch === branch);
    if (listed) await saveAndRemove(ports, listed, { deleteBranch: true, because: "the plan is written" });
  });
}
