/**
 * The lane of a row of `steps`, as an expression; `LANES` of the domain names them.
 *
 * A step whose session was cut off is still held, but no agent works on it: it waits for a person.
 */
export const LANE_OF = `
         case
           when status = 'pending' and unmet_deps = 0 then 'ready'
           when status = 'pending' then 'waiting'
           when status in ('claimed', 'in_progress', 'awaiting_verification')
            and exists (select 1
                          from sessions x
                         where x.id = session_id
                           and x.status = 'interrupted') then 'stopped'
           when status in ('claimed', 'in_progress') then 'working'
           when status = 'awaiting_verification' then 'verifying'
           when status in ('blocked', 'on_hold') then 'stopped'
           else 'done'
         end`;
