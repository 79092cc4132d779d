import type { Ports, Sql } from "../../platform/ports/index.ts";
import {
  freeHeldStep,
  listSteps,
  undoCompletion,
  updatePlanStatus,
  writeBackOrNotice,
} from "../../plans/index.ts";
import { baseCommit, type StepRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import {
  deleteSaved,
  keepBranch,
  reasonToStay,
  saveAndRemove,
  type Saved,
  worktreeUse,
} from "../../worktrees/index.ts";
import type { FoundBuild } from "./find-build.ts";

/**
 * Puts a build aside, so that the next one starts from the base. Answers what was kept, and how to get it back.
 *
 * Worktrees and branches go first, each saved before. A kill in between leaves steps that say they are done and a
 * build that is gone: choosing to start fresh again finishes it.
 */
export async function startFresh(ports: Ports, key: string, build: FoundBuild): Promise<readonly string[]> {
  const branches = await ports.branches();
  const own = (await branches.planBranches())
    .filter(({ mark }) => mark?.plan === key)
    .map(({ name }) => name);
  const because = `start fresh: the build on ${build.branch} was put aside`;
  const saved: Saved[] = [];
  let ignored = 0;
  for (const branch of new Set([...own.toReversed(), build.branch])) {
    const gone = await putAside(ports, branch, because);
    saved.push(...gone.saved);
    ignored += gone.ignoredFiles;
  }
  await beginAgain(ports, key, build, because);
  await writeBackOrNotice(ports, key);
  return [
    ...saved.map(({ what, bringBack }) => `${what} put aside; restore with: ${bringBack}`),
    ...(ignored === 0 ? [] : [`not kept: ${ignored} files that git ignores`]),
  ];
}

async function putAside(
  ports: Ports,
  branch: string,
  because: string,
): Promise<{ readonly saved: readonly Saved[]; readonly ignoredFiles: number }> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  return locks.during(branch, async () => {
    const listed = await worktrees.list();
    const worktree = listed.find((one) => one.branch === branch);
    if (worktree === undefined) {
      const saved = await keepBranch(ports, branch);
      await deleteSaved(ports, branch);
      return { saved, ignoredFiles: 0 };
    }
    const stays = reasonToStay(worktree, listed, await worktreeUse(ports));
    if (stays) throw stays;
    return saveAndRemove(ports, worktree, { deleteBranch: true, because });
  });
}

/** What is in the base stays done; what only the build had is to be done again. */
async function beginAgain(ports: Ports, key: string, build: FoundBuild, because: string): Promise<void> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listSteps, { plan_path: key }));
  const commits = rows.flatMap(({ commit_hash }) => commit_hash ?? []);
  // The base may have moved on since the build was found, and what came to it stays done too.
  const base = (await baseCommit(await ports.branches(), build.base)) ?? build.baseCommit;
  const lost = new Set(await ports.git.unreachable(commits, [base]));
  const isLost = ({ status, commit_hash }: StepRow) =>
    status === "completed" &&
    (commit_hash === null ? build.madeBy === "another tool" : lost.has(commit_hash));
  await database.write(async (sql) => {
    const now = await sql.all(listSteps, { plan_path: key });
    for (const step of now) {
      if (isLost(step)) await undoCompletion(sql, step, because);
      else if (step.status !== "completed" && step.status !== "pending") await letGo(sql, step, because);
    }
    await updatePlanStatus(sql, key);
  });
}

async function letGo(sql: Sql, step: StepRow, because: string): Promise<void> {
  const isParked = step.status === "blocked" || step.status === "on_hold";
  await freeHeldStep(sql, step, isParked ? "retried" : "reset", { reason: null, note: null });
  await journal(sql, {
    event: isParked ? "retried" : "reset",
    plan: step.plan_path,
    anchor: step.anchor,
    claim: step.claim_seq,
    detail: { was: step.status, was_claimed_by: step.claimed_by, reason: because },
  });
}
