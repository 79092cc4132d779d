import { statement } from "../statement.ts";

/** The commits a step builds on: those of the steps it depends on. */
export const listNeededCommits = statement<
  { plan_path: string; anchor: string },
  { anchor: string; commit_hash: string; commit_ref: string | null }
>(`
  select t.anchor, t.commit_hash, t.commit_ref
    from step_deps d
    join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
   where d.plan_path = :plan_path
     and d.step_anchor = :anchor
     and t.commit_hash is not null
   order by t.step_index
`);
