import { statement } from "../../platform/index.ts";

/** The commit of a step that another one builds on, and the remote branch that held it when it was completed. */
export type NeededCommit = {
  readonly anchor: string;
  readonly commit_hash: string;
  readonly commit_ref: string | null;
  /** The claim it was made under, which its trailers name too. */
  readonly claim_seq: number;
};

/**
 * The commits a step builds on: those of the steps it depends on, directly or through others.
 *
 * A commit need not contain those of its own dependencies: a person may have made it anywhere, and a step may have been
 * completed without one.
 */
export const listNeededCommits = statement<{ plan_path: string; anchor: string }, NeededCommit>(`
  with recursive needed(anchor) as (
    select d.depends_on
      from step_deps d
     where d.plan_path = :plan_path
       and d.step_anchor = :anchor
     union
    select d.depends_on
      from needed n
      join step_deps d on d.plan_path = :plan_path and d.step_anchor = n.anchor
  )
  select t.anchor, t.commit_hash, t.commit_ref, t.claim_seq
    from needed n
    join steps t on t.plan_path = :plan_path and t.anchor = n.anchor
   where t.status = 'completed'
     and t.commit_hash is not null
   order by t.step_index
`);
