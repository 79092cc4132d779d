import type { Migration } from "./migration.ts";

const HELD = `parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification')`;

const indexes = `
  update steps
     set session_over = 1
   where session_id is not null
     and not exists (select 1 from sessions l where l.id = steps.session_id and l.status = 'in_progress');
  drop index steps_held;
  create index steps_left on steps(plan_path, session_over) where ${HELD} and session_over = 1;
  create index steps_due on steps(plan_path, coalesce(lease_expires_at, '')) where ${HELD};
  create index steps_boot on steps(plan_path, lease_boot_id, coalesce(lease_uptime_ms, 0)) where ${HELD};
  create index steps_host on steps(plan_path, claimed_host, lease_boot_id) where ${HELD} and session_id is null;
  create index steps_session on steps(session_id) where session_id is not null;
  create index steps_bound on steps(plan_path) where bound_to is not null;
`;

/**
 * A claim sees that no owner is gone without a look at every step that others hold.
 *
 * An owner is gone for one of four reasons, and in an index for each the step to which it applies first stands at an end.
 * Whether a session is over stands in its steps (`session_over`): a trigger writes it there when the session ends or is
 * taken up again, so that no statement can forget it.
 */
export const lostOwners: Migration = {
  version: 13,
  name: "lost owners",
  sqlite: `
  alter table steps add column session_over integer;
${indexes}
  create trigger sessions_over after update of status on sessions
   when (new.status = 'in_progress') <> (old.status = 'in_progress')
  begin
    update steps set session_over = case when new.status <> 'in_progress' then 1 end where session_id = new.id;
  end;
`,
  // A session that another process ends meanwhile would be missed by both the update and the trigger.
  postgres: `
  lock table sessions in share row exclusive mode;
  alter table steps add column session_over bigint;
${indexes}
  create function pawl_session_over() returns trigger language plpgsql as $$
  begin
    update steps set session_over = case when new.status <> 'in_progress' then 1 end where session_id = new.id;
    return null;
  end $$;
  create trigger sessions_over after update of status on sessions
   for each row when ((new.status = 'in_progress') <> (old.status = 'in_progress'))
   execute function pawl_session_over();
`,
};
