import { statement, type StepRow } from "../../platform/index.ts";

/** The steps of all plans that were completed since an instant, oldest first. */
export const listCompletedSince = statement<
  { since: string },
  Pick<StepRow, "plan_path" | "anchor" | "title" | "commit_hash" | "started_at" | "completed_at">
>(`
  select plan_path, anchor, title, commit_hash, started_at, completed_at
    from steps
   where status = 'completed'
     and parent_anchor is null
     and completed_at >= :since
   order by completed_at, plan_path, step_index
`);
