/** The lane of a row of `steps`, as an expression; `LANES` of the domain names them. */
export const LANE_OF = `
         case
           when status = 'pending' and unmet_deps = 0 then 'ready'
           when status = 'pending' then 'waiting'
           when status in ('claimed', 'in_progress') then 'working'
           when status = 'awaiting_verification' then 'verifying'
           when status in ('blocked', 'on_hold') then 'stopped'
           else 'done'
         end`;
