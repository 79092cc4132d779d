import type { Sql } from "../platform/ports/database.ts";
import type { Worktree } from "../platform/ports/repository.ts";
import { listHeldSteps } from "../plans/sql/list-held-steps.ts";
import type { StepRow } from "../platform/rows.ts";
import { isOwn } from "../steps/caller.ts";

/** The step that a worktree holds, whoever's session it was. */
export const heldHere = async (sql: Sql, worktree: Worktree): Promise<StepRow | undefined> =>
  (await sql.all(listHeldSteps, {})).find((step) => isOwn(step, { worktree }));
