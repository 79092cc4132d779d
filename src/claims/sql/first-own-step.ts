import { lock, type StepRow } from "../../platform/index.ts";

export type OwnParams = {
  readonly plan_path: string;
  readonly worktree_id: string;
  readonly worktree: string;
};

/** Steps called `o` that a worktree holds. Rows written before worktrees had an id are matched by path. */
export const OWN_STEP = `o.plan_path = :plan_path
     and o.parent_anchor is null
     and o.status in ('claimed', 'in_progress', 'awaiting_verification')
     and (o.worktree_id = :worktree_id or (o.worktree_id is null and o.claimed_by = :worktree))`;

/**
 * The step this worktree holds already: one of the caller's own before one of another session there, and one that can
 * be worked on before one that waits again since a dependency was reopened.
 */
export const firstOwnStep = lock<OwnParams & { readonly session_id: string | null }, StepRow>(`
  select *
    from steps o
   where ${OWN_STEP}
   order by case when o.session_id is null or o.session_id = :session_id then 0 else 1 end,
            case when o.unmet_deps = 0 then 0 else 1 end, o.step_index
   limit 1
`);
