import { pick, type StepRow } from "../../platform/index.ts";

/** Where and when it is asked whether an owner is gone. */
export type LossParams = {
  readonly plan_path: string;
  readonly host_id: string;
  readonly boot_id: string;
  readonly uptime_ms: number;
  readonly now: string;
};

const OF_A_WORKER = `s.parent_anchor is null
     and s.status in ('claimed', 'in_progress', 'awaiting_verification')`;

const HELD = `s.plan_path = :plan_path and ${OF_A_WORKER}`;

/**
 * Whether any owner could be gone, from the ends of four indexes: a claim must not cost a look at all that others hold.
 *
 * Where it says no, none is gone. Where it says yes, `OWNER_IS_GONE` looks at all of them.
 */
const MAY_BE_GONE = `(exists (select 1 from steps s where ${HELD} and s.session_over = 1)
      or (select min(coalesce(s.lease_uptime_ms, 0)) from steps s where ${HELD} and s.lease_boot_id = :boot_id) <= :uptime_ms
      or (select min(s.lease_boot_id) from steps s where ${HELD} and s.claimed_host = :host_id and s.session_id is null) <> :boot_id
      or (select max(s.lease_boot_id) from steps s where ${HELD} and s.claimed_host = :host_id and s.session_id is null) <> :boot_id
      or (select min(coalesce(s.lease_expires_at, '')) from steps s where ${HELD}) <= :now)`;

/** A process of an earlier version can take a step without clearing its mark. So the mark only finds the step. */
const NO_LONGER_RUNS = `not exists (select 1 from sessions l where l.id = s.session_id and l.status = 'in_progress')`;

/**
 * Held steps whose owner is gone, called `s`; one that its plan says something else about waits for a person.
 *
 * A supervised owner on this machine is gone when its session is no longer marked as running, never by age: its
 * lifeline was tested just before. Any other owner is gone when its lease is over: by uptime for a claim of this
 * boot, at once for an earlier boot of this machine, by the database's clock for other machines.
 * `leaseIsOver` in the domain says the same for people; a test holds the two together.
 *
 * The first question stands where both engines answer it before they look at a row.
 */
export const OWNER_IS_GONE = `s.plan_path = case when ${MAY_BE_GONE} then :plan_path end
     and ${OF_A_WORKER}
     and s.unmet_deps = 0
     and s.bound_to is null
     and ((s.session_over = 1 and ${NO_LONGER_RUNS})
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
