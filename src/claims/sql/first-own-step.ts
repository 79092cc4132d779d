import { lock, type StepRow } from "../../platform/index.ts";

export type OwnParams = {
  readonly plan_path: string;
  readonly worktree_id: string;
  readonly worktree: string;
};

const HELD = `o.plan_path = :plan_path
     and o.parent_anchor is null
     and o.status in ('claimed', 'in_progress', 'awaiting_verification')`;

const BY_ID = `${HELD} and o.worktree_id = :worktree_id`;

/** Rows written before worktrees had an id are matched by path. */
const BY_PATH = `${HELD} and o.worktree_id is null and o.claimed_by = :worktree`;

/** Whether a worktree holds a step that can be worked on. In two questions, so that both engines find each by its index. */
export const HOLDS_ONE = `(exists (select 1 from steps o where ${BY_ID} and o.unmet_deps = 0)
      or exists (select 1 from steps o where ${BY_PATH} and o.unmet_deps = 0))`;

/**
 * The step this worktree holds already: one of the caller's own before one of another session there, and one that can
 * be worked on before one that waits again since a dependency was reopened. What makes it the worktree's is asked of
 * the row itself once more: a rival may have had the row that was waited for.
 */
export const firstOwnStep = lock<OwnParams & { readonly session_id: string | null }, StepRow>(`
  select *
    from steps o
   where o.anchor in (select o.anchor from steps o where ${BY_ID}
                      union all
                      select o.anchor from steps o where ${BY_PATH})
     and ${HELD}
     and (o.worktree_id = :worktree_id or (o.worktree_id is null and o.claimed_by = :worktree))
   order by case when o.session_id is null or o.session_id = :session_id then 0 else 1 end,
            case when o.unmet_deps = 0 then 0 else 1 end, o.step_index
   limit 1
`);
