import type { CutOff } from "../../domain/index.ts";
import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";

/**
 * Sessions in whose worktree, or for whose plan, one was cut off that could be resumed, newest first. Which of them are
 * superseded is decided from these alone, so that the sessions of years are not read for it.
 */
export const listContestedSessions = statement<Params, CutOff>(`
  select id, run_id, kind, status, resumable, worktree_id, plan_path, host_id, started_at, interrupted_at
    from sessions
   where worktree_id in (select worktree_id
                           from sessions
                          where status = 'interrupted'
                            and resumable = 1)
      or plan_path in (select plan_path
                         from sessions
                        where status = 'interrupted'
                          and resumable = 1)
   order by started_at desc, id desc
`);
