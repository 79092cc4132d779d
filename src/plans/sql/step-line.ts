import type { Instant, Lane } from "../../domain/index.ts";
import { LANE_OF } from "./lane-of.ts";
import type { StepRow } from "../../platform/index.ts";

/** A step without what only its own page shows, and with its checklist as counts. */
export type StepLineRow = Omit<StepRow, "content_hash" | "commit_ref" | "bound_to" | "stands_as"> & {
  readonly lane: Lane;
  /** When the session that holds it was cut off; null while it works, or when no session holds the step. */
  readonly interrupted_at: Instant | null;
  readonly items_total: number;
  readonly items_completed: number;
  readonly items_deferred: number;
};

const count = (condition: string): string => `(select count(*)
            from checklist_items i
           where i.plan_path = s.plan_path
             and i.step_anchor = s.anchor${condition})`;

/** The chosen rows are a query of their own: else the items of every step of the plan would be counted to sort them. */
export const stepLinesOf = (chosen: string): string => `
  select s.*,
         ${LANE_OF.trim()} as lane,
         (select x.interrupted_at
            from sessions x
           where x.id = s.session_id
             and x.status = 'interrupted'
             and s.status in ('claimed', 'in_progress', 'awaiting_verification')) as interrupted_at,
         ${count("")} as items_total,
         ${count(" and i.status = 'completed'")} as items_completed,
         ${count(" and i.status = 'deferred'")} as items_deferred
    from (${chosen}) s
   order by s.step_index
`;
