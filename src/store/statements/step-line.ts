import type { Lane } from "../../domain/lane.ts";
import { LANE_OF } from "./lane-of.ts";
import type { StepRow } from "./rows.ts";

/** A step without what only its own page shows, and with its checklist as counts. */
export type StepLineRow = Omit<StepRow, "content_hash" | "commit_ref"> & {
  readonly lane: Lane;
  readonly items_total: number;
  readonly items_completed: number;
  readonly items_deferred: number;
};

const count = (condition: string): string => `(select count(*)
            from checklist_items i
           where i.plan_path = steps.plan_path
             and i.step_anchor = steps.anchor${condition})`;

export const STEP_LINE = `
  select steps.*,
         ${LANE_OF.trim()} as lane,
         ${count("")} as items_total,
         ${count(" and i.status = 'completed'")} as items_completed,
         ${count(" and i.status = 'deferred'")} as items_deferred
    from steps`;
