import type { Sql, Worktree } from "../platform/ports/index.ts";
import { listHeldSteps } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";
import { isOwn } from "../steps/index.ts";

/** The step that a worktree holds, whichever session took it. */
export const heldHere = async (sql: Sql, worktree: Worktree): Promise<StepRow | undefined> =>
  (await sql.all(listHeldSteps, {})).find((step) => isOwn(step, { worktree }));
