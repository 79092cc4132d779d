import { statement } from "../../platform/index.ts";

/** A session as it was found. */
type Found = { id: string; interrupted_at: string | null };

/**
 * Removes a session that ended or was interrupted, with its checkpoints; the journal, attempts and verdicts stay.
 *
 * Its end is compared again: another process may have resumed the session since it was found, and been interrupted too.
 */
export const deleteSession = [
  statement<Found>(`
    delete from checkpoints
     where session_id = :id
       and exists (select 1
                     from sessions s
                    where s.id = :id
                      and s.status <> 'in_progress'
                      and coalesce(s.interrupted_at, '') = coalesce(cast(:interrupted_at as text), ''))
  `),
  statement<Found>(`
    delete from sessions
     where id = :id
       and status <> 'in_progress'
       and coalesce(interrupted_at, '') = coalesce(cast(:interrupted_at as text), '')
  `),
] as const;
