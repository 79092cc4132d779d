import { pick, type StepRow } from "../../platform/index.ts";

/** Where and when it is asked whether an owner is gone. */
export type LossParams = {
  readonly plan_path: string;
  readonly host_id: string;
  readonly boot_id: string;
  readonly uptime_ms: number;
  readonly now: string;
};

/**
 * Held steps whose owner is gone, called `s`; one that its plan says something else about waits for a person.
 *
 * A supervised owner on this machine is gone when its session is no longer marked as running, never by age: its
 * lifeline was tested just before. Any other owner is gone when its lease is over: by uptime for a claim of this
 * boot, at once for an earlier boot of this machine, by the database's clock for other machines.
 * `leaseIsOver` in the domain says the same for people; a test holds the two together.
 */
export const OWNER_IS_GONE = `s.plan_path = :plan_path
     and s.parent_anchor is null
     and s.status in ('claimed', 'in_progress', 'awaiting_verification')
     and s.unmet_deps = 0
     and s.bound_to is null
     and ((s.session_id is not null
           and not exists (select 1 from sessions l where l.id = s.session_id and l.status = 'in_progress'))
          or ((s.session_id is null or coalesce(s.claimed_host, '') <> :host_id)
              and ((s.lease_boot_id = :boot_id and coalesce(s.lease_uptime_ms, 0) <= :uptime_ms)
               or (s.lease_boot_id <> :boot_id and s.claimed_host = :host_id)
               or ((s.lease_boot_id is null or (s.lease_boot_id <> :boot_id and coalesce(s.claimed_host, '') <> :host_id))
                   and coalesce(s.lease_expires_at, '') <= :now))))`;

/** The first step whose owner is gone. */
export const firstReclaimableStep = pick<LossParams, StepRow>(`
  select s.*
    from steps s
   where ${OWNER_IS_GONE}
   order by s.step_index
   limit 1
`);
