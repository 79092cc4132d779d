import { Failure, isHeld } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import { lastInWorktree, lastSessionOf } from "../sessions/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { savedStep } from "../plans/index.ts";
import type { UseOf, WorktreeUse } from "../worktrees/index.ts";

export interface WorktreeToVerify {
  readonly step: StepRow;
  /** Who last worked on it. */
  readonly last: SessionRow | undefined;
  readonly worktree: Worktree;
}

/** Where a step's work lies, so that it can be verified there; refuses where that is unknown, or other workers use the worktree. */
export async function worktreeToVerify(
  ports: Ports,
  useOf: UseOf,
  {
    plan,
    anchor,
    worktree: named,
  }: {
    /** The plan's key. */
    readonly plan: string;
    readonly anchor: string;
    /** Where a person says that it is. */
    readonly worktree?: string | undefined;
  },
): Promise<WorktreeToVerify> {
  const database = await ports.database();
  const { step, last } = await database.read(async (sql) => ({
    step: await savedStep(sql, plan, anchor),
    last: await sql.get(lastSessionOf, { plan_path: plan, anchor }),
  }));
  refuseUnfit(step);
  const worktree = worktreeOf(ports, anchor, named ?? step.claimed_by ?? last?.worktree);
  refuseOthersWork(useOf(worktree), worktree, step);
  if (named === undefined) await refuseMovedOn(ports, worktree, step);
  return { step, last, worktree };
}

function worktreeOf(ports: Ports, anchor: string, path: string | undefined): Worktree {
  if (path !== undefined) return ports.repository.worktree(path);
  throw new Failure("usage/wrong", `No worker has worked on ${anchor}: name the worktree with --worktree.`, {
    anchor,
  });
}

/** What lies in a worktree that is in use is not this step's work. */
function refuseOthersWork(use: WorktreeUse, { path }: Worktree, { plan_path, anchor }: StepRow): void {
  const { state, session, held } = use;
  const other = held.find((one) => one.anchor !== anchor || one.planPath !== plan_path);
  if (state === "running" || other) {
    const who = state === "running" ? `Session ${session!.id} is running` : `${other!.anchor} is held`;
    throw new Failure("run/worktree-in-use", `${who} in ${path}, where ${anchor} would be verified.`, {
      worktree: path,
    });
  }
}

/** Where the caller did not say where its work is, it may have been put aside since for that of another step. */
async function refuseMovedOn(
  ports: Ports,
  { path }: Worktree,
  { plan_path, anchor, claimed_by, claimed_at }: StepRow,
): Promise<void> {
  const database = await ports.database();
  const last = await database.read((sql) => sql.get(lastInWorktree, { worktree: path }));
  if (last === undefined || (last.plan_path === plan_path && last.anchor === anchor)) return;
  // A session killed between claiming it there and its first command came after the other one.
  if (claimed_by === path && claimed_at !== null && claimed_at >= last.started_at) return;
  throw new Failure(
    "verify/moved-on",
    `${path}, where ${anchor} was worked on, was used for ${last.anchor ?? "something else"} since; what was left of ${anchor} was put aside.`,
    { plan_path, anchor, worktree: path },
  );
}

function refuseUnfit({ plan_path, anchor, status, session_id, claimed_by, parent_anchor }: StepRow): void {
  if (parent_anchor !== null)
    throw new Failure(
      "usage/wrong",
      `${anchor} is a substep; it is verified with its step ${parent_anchor}.`,
      {},
    );
  if (status === "pending" || status === "on_hold" || status === "completed")
    throw new Failure("step/wrong-status", `${anchor} is ${status}: there is nothing to verify.`, {
      plan_path,
      anchor,
      status,
    });
  if (isHeld(status) && session_id === null && claimed_by !== null)
    throw new Failure("step/wrong-status", `A worker is running on ${anchor} and holds it.`, {
      plan_path,
      anchor,
      status,
    });
}
