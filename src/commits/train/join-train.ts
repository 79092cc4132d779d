import { statement } from "../../platform/index.ts";

/** A step joins the train of its branch at the end; one that comes back with other work joins it again. */
export const joinTrain = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  branch: string;
  clone: string;
  session_id: string;
  now: string;
}>(`
  insert into landings (plan_path, anchor, claim, number, branch, clone, session_id, joined_at)
  select :plan_path, :anchor, cast(:claim as bigint),
         (select coalesce(max(number), 0) + 1 from landings where branch = :branch),
         :branch, :clone, :session_id, :now
   where 1 = 1
      on conflict (plan_path, anchor, claim) do update
     set number = excluded.number,
         branch = excluded.branch,
         session_id = excluded.session_id,
         joined_at = excluded.joined_at,
         base = null,
         base_tree = null,
         tree = null
`);
