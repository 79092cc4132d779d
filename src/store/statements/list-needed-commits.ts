import { statement } from "../statement.ts";

/** The commit of a step that another one builds on, and the remote branch that held it when it was completed. */
export type NeededCommit = {
  readonly anchor: string;
  readonly commit_hash: string;
  readonly commit_ref: string | null;
};

/** The commits a step builds on: those of the steps it depends on. */
export const listNeededCommits = statement<{ plan_path: string; anchor: string }, NeededCommit>(`
  select t.anchor, t.commit_hash, t.commit_ref
    from step_deps d
    join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
   where d.plan_path = :plan_path
     and d.step_anchor = :anchor
     and t.commit_hash is not null
   order by t.step_index
`);
