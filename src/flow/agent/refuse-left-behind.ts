import { bareAnchor } from "../../domain/plan.ts";
import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";
import type { Worktree } from "../../ports/repository.ts";
import { findLostGrant, type LostGrant } from "../../store/statements/find-lost-grant.ts";
import { lateResultOf } from "../late-result.ts";
import { keepLate } from "./keep-late.ts";

const MOST_FILES = 50;

/**
 * Refuses the next step while files of a step that went to somebody else are in the worktree.
 *
 * They would become part of its commit, and with it the work of two owners. Only a person can say what becomes of them:
 * they are kept as a late result, and stay where they are. Whoever gets the lost step itself back simply goes on.
 */
export async function refuseLeftBehind(
  ports: Ports,
  {
    worktree,
    plan,
    step,
  }: { readonly worktree: Worktree; readonly plan: string; readonly step?: string | undefined },
): Promise<void> {
  const files = await (await ports.commits()).uncommitted(worktree, undefined);
  if (files.length === 0) return;
  const database = await ports.database();
  // Whatever is uncommitted belongs to what was held last: nothing was claimed here afterwards.
  const lost = await database.read((sql) =>
    sql.get(findLostGrant, { worktree: worktree.path, besides_plan: null, besides_anchor: null }),
  );
  if (!lost) return;
  const { plan_path, anchor, claim } = lost;
  if (step !== undefined && bareAnchor(step) === anchor && plan === plan_path) return;
  const ref = (await lateResultOf(ports, worktree, lost))?.held_ref ?? (await keepNow(ports, worktree, lost));
  const some = files.slice(0, 5).join(", ");
  throw new Failure(
    "desk/left-behind",
    `${files.length} uncommitted ${files.length === 1 ? "file" : "files"} here belong to ${anchor} of ${plan_path}, which went to somebody else: ${some}.`,
    { plan_path, anchor, claim, held_ref: ref, files: files.slice(0, MOST_FILES) },
  );
}

async function keepNow(
  ports: Ports,
  worktree: Worktree,
  { plan_path, anchor, claim }: LostGrant,
): Promise<string | null> {
  const refusal = await keepLate(ports, {
    held: { plan: plan_path, anchor, title: anchor, claim },
    caller: { worktree, claim },
  });
  const { held_ref: ref } = refusal.details;
  return typeof ref === "string" ? ref : null;
}
