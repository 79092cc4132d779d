import { lock } from "../statement.ts";
import type { StepRow } from "./rows.ts";

/**
 * The step this worktree holds already: one of the caller's own before one of another session there, and one that can be worked on before one that waits again since a dependency was
 * reopened. Rows written before worktrees had an id are matched by path.
 */
export const firstOwnStep = lock<
  { plan_path: string; worktree_id: string; worktree: string; session_id: string | null },
  StepRow
>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and (worktree_id = :worktree_id or (worktree_id is null and claimed_by = :worktree))
   order by case when session_id is null or session_id = :session_id then 0 else 1 end,
            case when unmet_deps = 0 then 0 else 1 end, step_index
   limit 1
`);
