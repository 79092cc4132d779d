const ISO = (column: string): string => `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${column}), ${column})`;

export const fencingSqlite = `
  create table new_plans (
    plan_path   text not null primary key,
    plan_hash   text not null,
    format      text not null default 'tugplan',
    phase_title text,
    status      text not null default 'active' check (status in ('active', 'done')),
    created_at  text not null,
    updated_at  text not null
  ) strict;
  insert into new_plans (plan_path, plan_hash, phase_title, status, created_at, updated_at)
  select plan_path, plan_hash, phase_title,
         case when status in ('active', 'done') then status else 'active' end,
         ${ISO("created_at")}, ${ISO("updated_at")}
    from plans
   where plan_path is not null;

  create table new_steps (
    plan_path        text not null references plans(plan_path),
    anchor           text not null,
    parent_anchor    text,
    step_index       integer not null,
    title            text not null,
    status           text not null default 'pending'
      check (status in ('pending', 'claimed', 'in_progress', 'awaiting_verification', 'completed', 'blocked', 'on_hold')),
    claimed_by       text,
    claimed_at       text,
    lease_expires_at text,
    heartbeat_at     text,
    started_at       text,
    completed_at     text,
    commit_hash      text,
    complete_reason  text,
    last_event            text not null default 'saved',
    claim_seq             integer not null default 0,
    worktree_id           text,
    last_worktree_id      text,
    session_id            text,
    claimed_host          text,
    lease_boot_id         text,
    lease_uptime_ms       integer,
    unmet_deps            integer not null default 0 check (unmet_deps >= 0),
    verification_attempts integer not null default 0,
    block_reason          text,
    block_note            text,
    reopen_reason         text,
    content_hash          text,
    commit_ref            text,
    primary key (plan_path, anchor),
    foreign key (plan_path, parent_anchor) references steps(plan_path, anchor),
    check (status not in ('claimed', 'in_progress') or claimed_by is not null)
  ) strict;
  insert into new_steps (plan_path, anchor, parent_anchor, step_index, title, status, claimed_by, claimed_at,
                         lease_expires_at, heartbeat_at, started_at, completed_at, commit_hash, complete_reason,
                         claim_seq)
  select s.plan_path, s.anchor,
         case when exists (select 1 from steps p where p.plan_path = s.plan_path and p.anchor = s.parent_anchor)
              then s.parent_anchor end,
         s.step_index, s.title,
         case when s.status in ('claimed', 'in_progress') and s.claimed_by is not null then s.status
              when s.status = 'completed' then s.status
              else 'pending' end,
         s.claimed_by, ${ISO("s.claimed_at")}, ${ISO("s.lease_expires_at")}, ${ISO("s.heartbeat_at")},
         ${ISO("s.started_at")}, ${ISO("s.completed_at")}, s.commit_hash, s.complete_reason,
         case when s.claimed_by is not null then 1 else 0 end
    from steps s
   where exists (select 1 from new_plans p where p.plan_path = s.plan_path);

  create table new_step_deps (
    plan_path   text not null,
    step_anchor text not null,
    depends_on  text not null,
    primary key (plan_path, step_anchor, depends_on),
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor),
    foreign key (plan_path, depends_on) references steps(plan_path, anchor)
  ) strict;
  insert into new_step_deps
  select d.plan_path, d.step_anchor, d.depends_on
    from step_deps d
   where exists (select 1 from new_steps s where s.plan_path = d.plan_path and s.anchor = d.step_anchor)
     and exists (select 1 from new_steps s where s.plan_path = d.plan_path and s.anchor = d.depends_on);

  create table new_checklist_items (
    id          integer primary key autoincrement,
    plan_path   text not null,
    step_anchor text not null,
    kind        text not null check (kind in ('task', 'test', 'checkpoint')),
    ordinal     integer not null check (ordinal >= 0),
    text        text not null,
    status      text not null default 'open' check (status in ('open', 'in_progress', 'completed', 'deferred')),
    updated_at  text,
    reason      text,
    unique (plan_path, step_anchor, kind, ordinal),
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor),
    check (status <> 'deferred' or reason is not null)
  ) strict;
  insert or ignore into new_checklist_items (id, plan_path, step_anchor, kind, ordinal, text, status, updated_at)
  select i.id, i.plan_path, i.step_anchor, i.kind, i.ordinal, i.text,
         case when i.status in ('open', 'in_progress', 'completed') then i.status else 'open' end,
         ${ISO("i.updated_at")}
    from checklist_items i
   where exists (select 1 from new_steps s where s.plan_path = i.plan_path and s.anchor = i.step_anchor)
   order by i.id;

  create table new_step_artifacts (
    id          integer primary key autoincrement,
    plan_path   text not null,
    step_anchor text not null,
    kind        text not null check (kind in ('architect_strategy', 'reviewer_verdict', 'auditor_summary')),
    summary     text not null,
    recorded_at text not null,
    content     text,
    claim       integer,
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor)
  ) strict;
  insert or ignore into new_step_artifacts (id, plan_path, step_anchor, kind, summary, recorded_at)
  select a.id, a.plan_path, a.step_anchor, a.kind, a.summary, ${ISO("a.recorded_at")}
    from step_artifacts a
   where exists (select 1 from new_steps s where s.plan_path = a.plan_path and s.anchor = a.step_anchor)
   order by a.id;

  drop table step_artifacts;
  drop table checklist_items;
  drop table step_deps;
  drop table steps;
  drop table plans;
  alter table new_plans rename to plans;
  alter table new_steps rename to steps;
  alter table new_step_deps rename to step_deps;
  alter table new_checklist_items rename to checklist_items;
  alter table new_step_artifacts rename to step_artifacts;

  update steps
     set unmet_deps = (select count(*)
                         from step_deps d
                         join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
                        where d.plan_path = steps.plan_path
                          and d.step_anchor = steps.anchor
                          and t.status <> 'completed');

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
    plan_path text not null,
    plan_hash text not null,
    format    text not null,
    content   text not null,
    taken_at  text not null,
    primary key (plan_path, plan_hash)
  ) strict;

  create table sessions (
    id                 text not null primary key,
    plan_path          text,
    worktree           text not null,
    worktree_id        text not null,
    pid                integer not null,
    process_started_at text not null,
    boot_id            text not null,
    host_id            text not null,
    status             text not null
      check (status in ('in_progress', 'completed', 'failed', 'interrupted', 'abandoned')),
    started_at         text not null,
    ended_at           text,
    interrupted_at     text,
    interruption_type  text check (interruption_type in
      ('user_interrupt', 'termination', 'hangup', 'process_kill', 'usage_limit', 'unknown')),
    resumable          integer not null default 0 check (resumable in (0, 1))
  ) strict;
  create index sessions_running on sessions(host_id) where status = 'in_progress';

  create table events (
    id         integer primary key,
    at         text not null,
    plan_path  text,
    anchor     text,
    event      text not null,
    claim      integer,
    worktree   text,
    session_id text,
    detail     text not null default '{}'
  ) strict;
  create index events_step on events(plan_path, anchor);

  create table requests (
    request_id  text not null primary key,
    verb        text not null,
    subject     text not null,
    answer      text not null,
    answered_at text not null
  ) strict;
  create index requests_age on requests(answered_at);

  create table late_results (
    id          integer primary key,
    plan_path   text not null,
    anchor      text not null,
    claim       integer,
    worktree    text not null,
    commit_hash text,
    held_ref    text,
    recorded_at text not null
  ) strict;

  create table step_transitions (
    from_status text not null,
    event       text not null,
    to_status   text not null,
    primary key (from_status, event, to_status)
  ) strict;

  create trigger steps_move before update of status on steps
    when not exists (select 1 from step_transitions
                      where from_status = old.status and event = new.last_event and to_status = new.status)
  begin
    select raise(abort, 'pawl:transition');
  end;
  create trigger steps_reopen before update of status on steps
    when new.last_event = 'reopened' and coalesce(new.reopen_reason, '') = ''
  begin
    select raise(abort, 'pawl:reason');
  end;
  create trigger steps_number before update of claim_seq on steps
    when new.claim_seq < old.claim_seq
  begin
    select raise(abort, 'pawl:number');
  end;
  create trigger events_keep before delete on events
  begin
    select raise(abort, 'pawl:append-only');
  end;
  create trigger events_stay before update on events
  begin
    select raise(abort, 'pawl:append-only');
  end;
`;
