import { Failure, plural } from "../../domain/index.ts";
import type { Ports, Worktree } from "../../platform/ports/index.ts";
import type { LostGrant } from "../../steps/index.ts";
import { listStepLateResults } from "../sql/list-step-late-results.ts";
import type { LateResultRow } from "../../platform/index.ts";

/** What was kept of a claim that a worktree lost, the last of it. */
export async function lateResultOf(
  ports: Ports,
  worktree: Worktree,
  { plan_path, anchor, claim }: LostGrant,
): Promise<LateResultRow | undefined> {
  const database = await ports.database();
  const late = await database.read((sql) => sql.all(listStepLateResults, { plan_path, anchor }));
  return late.findLast((one) => one.claim === claim && one.worktree === worktree.path);
}

const MOST_FILES = 50;
const FEW_FILES = 5;

/** For a worker that would take the files of another worker's step for its own. */
export function leftBehind(
  problem: "desk/left-behind" | "commit/left-behind",
  { plan_path, anchor, claim }: LostGrant,
  { files, heldRef }: { readonly files: readonly string[]; readonly heldRef: string | null },
): Failure {
  const some = files.slice(0, FEW_FILES).join(", ");
  const verb = files.length === 1 ? "belongs" : "belong";
  return new Failure(
    problem,
    `${plural(files.length, "uncommitted file")} here ${verb} to ${anchor} of ${plan_path}, which another worker now holds: ${some}.`,
    { plan_path, anchor, claim, held_ref: heldRef, files: files.slice(0, MOST_FILES) },
  );
}
