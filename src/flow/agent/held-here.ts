import type { Sql } from "../../ports/database.ts";
import type { Worktree } from "../../ports/repository.ts";
import { listHeldSteps } from "../../store/statements/list-held-steps.ts";
import type { StepRow } from "../../store/statements/rows.ts";
import { isOwn } from "../caller.ts";

/** The step that a worktree holds, whoever's session it was. */
export const heldHere = async (sql: Sql, worktree: Worktree): Promise<StepRow | undefined> =>
  (await sql.all(listHeldSteps, {})).find((step) => isOwn(step, { worktree }));
