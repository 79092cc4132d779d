import { statement } from "../../platform/index.ts";

/**
 * Removes a session that ended, with its checkpoints; the journal, attempts and verdicts stay.
 *
 * The status is compared again: another process may have taken the session up since it was found.
 */
export const deleteSession = [
  statement<{ id: string }>(`
    delete from checkpoints
     where session_id = :id
       and exists (select 1
                     from sessions s
                    where s.id = :id
                      and s.status in ('completed', 'failed', 'abandoned'))
  `),
  statement<{ id: string }>(`
    delete from sessions
     where id = :id
       and status in ('completed', 'failed', 'abandoned')
  `),
] as const;
