export const fencingPostgres = `
  alter table plans
    add column format text collate "C" not null default 'tugplan',
    add check (status in ('active', 'done'));

  alter table steps
    add column last_event            text collate "C" not null default 'saved',
    add column claim_seq             bigint not null default 0,
    add column worktree_id           text collate "C",
    add column last_worktree_id      text collate "C",
    add column session_id            text collate "C",
    add column claimed_host          text collate "C",
    add column lease_boot_id         text collate "C",
    add column lease_uptime_ms       bigint,
    add column unmet_deps            bigint not null default 0 check (unmet_deps >= 0),
    add column verification_attempts bigint not null default 0,
    add column block_reason          text collate "C",
    add column block_note            text collate "C",
    add column reopen_reason         text collate "C",
    add column content_hash          text collate "C",
    add column commit_ref            text collate "C",
    add check (status in
      ('pending', 'claimed', 'in_progress', 'awaiting_verification', 'completed', 'blocked', 'on_hold')),
    add check (status not in ('claimed', 'in_progress') or claimed_by is not null);

  alter table checklist_items
    add column reason text collate "C",
    add unique (plan_path, step_anchor, kind, ordinal),
    add check (kind in ('task', 'test', 'checkpoint')),
    add check (ordinal >= 0),
    add check (status in ('open', 'in_progress', 'completed', 'deferred')),
    add check (status <> 'deferred' or reason is not null);

  alter table step_artifacts
    add column content text collate "C",
    add column claim   bigint,
    add check (kind in ('architect_strategy', 'reviewer_verdict', 'auditor_summary'));

  drop index idx_steps_status;
  drop index idx_steps_parent;
  drop index idx_steps_lease;
  drop index idx_checklist_step;
  drop index idx_artifacts_step;
  create index steps_ready on steps(plan_path, step_index)
   where parent_anchor is null and status = 'pending' and unmet_deps = 0;
  create index steps_held on steps(plan_path, step_index)
   where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification');
  create index steps_open on steps(plan_path, step_index)
   where parent_anchor is null and status <> 'completed';
  create index steps_parent on steps(plan_path, parent_anchor) where parent_anchor is not null;
  create index step_deps_target on step_deps(plan_path, depends_on);
  create index step_artifacts_step on step_artifacts(plan_path, step_anchor);

  create table plan_snapshots (
    plan_path text collate "C" not null,
    plan_hash text collate "C" not null,
    format    text collate "C" not null,
    content   text collate "C" not null,
    taken_at  text collate "C" not null,
    primary key (plan_path, plan_hash)
  );

  create table sessions (
    id                 text collate "C" not null primary key,
    plan_path          text collate "C",
    worktree           text collate "C" not null,
    worktree_id        text collate "C" not null,
    pid                bigint not null,
    process_started_at text collate "C" not null,
    boot_id            text collate "C" not null,
    host_id            text collate "C" not null,
    status             text collate "C" not null
      check (status in ('in_progress', 'completed', 'failed', 'interrupted', 'abandoned')),
    started_at         text collate "C" not null,
    ended_at           text collate "C",
    interrupted_at     text collate "C",
    interruption_type  text collate "C" check (interruption_type in
      ('user_interrupt', 'termination', 'hangup', 'process_kill', 'usage_limit', 'unknown')),
    resumable          bigint not null default 0 check (resumable in (0, 1))
  );
  create index sessions_running on sessions(host_id) where status = 'in_progress';

  create table events (
    id         bigint generated always as identity primary key,
    at         text collate "C" not null,
    plan_path  text collate "C",
    anchor     text collate "C",
    event      text collate "C" not null,
    claim      bigint,
    worktree   text collate "C",
    session_id text collate "C",
    detail     text collate "C" not null default '{}'
  );
  create index events_step on events(plan_path, anchor);

  create table requests (
    request_id  text collate "C" not null primary key,
    verb        text collate "C" not null,
    subject     text collate "C" not null,
    answer      text collate "C" not null,
    answered_at text collate "C" not null
  );
  create index requests_age on requests(answered_at);

  create table late_results (
    id          bigint generated always as identity primary key,
    plan_path   text collate "C" not null,
    anchor      text collate "C" not null,
    claim       bigint,
    worktree    text collate "C" not null,
    commit_hash text collate "C",
    held_ref    text collate "C",
    recorded_at text collate "C" not null
  );

  create table step_transitions (
    from_status text collate "C" not null,
    event       text collate "C" not null,
    to_status   text collate "C" not null,
    primary key (from_status, event, to_status)
  );

  create function pawl_guard_step() returns trigger language plpgsql as $$
  begin
    if not exists (select 1 from step_transitions
                    where from_status = old.status and event = new.last_event and to_status = new.status) then
      raise exception 'pawl:transition';
    end if;
    if new.last_event = 'reopened' and coalesce(new.reopen_reason, '') = '' then
      raise exception 'pawl:reason';
    end if;
    return new;
  end $$;
  create trigger steps_move before update of status on steps
    for each row execute function pawl_guard_step();

  create function pawl_guard_number() returns trigger language plpgsql as $$
  begin
    if new.claim_seq < old.claim_seq then
      raise exception 'pawl:number';
    end if;
    return new;
  end $$;
  create trigger steps_number before update of claim_seq on steps
    for each row execute function pawl_guard_number();

  create function pawl_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'pawl:append-only';
  end $$;
  create trigger events_keep before delete or update on events
    for each row execute function pawl_append_only();
`;
