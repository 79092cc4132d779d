export const runsSqlite = `
  alter table sessions add column run_id text;
  alter table sessions add column kind text;
  alter table sessions add column workflow text;
  alter table sessions add column agent text;
  alter table sessions add column branch text;
  alter table sessions add column base text;
  alter table sessions add column iteration integer;
  alter table sessions add column position integer;
  alter table sessions add column spec_id text;
  alter table sessions add column focus text;
  alter table sessions add column configuration text;
  alter table sessions add column paused_until text;
  alter table sessions add column log_folder text;
  alter table sessions add column snapshot_ref text;
  create index sessions_run on sessions(run_id) where run_id is not null;

  create table checkpoints (
    session_id     text not null references sessions(id),
    number         integer not null check (number >= 1),
    plan_path      text,
    anchor         text,
    claim          integer,
    iteration      integer not null,
    position       integer not null,
    command        text not null,
    type           text not null,
    agent          text,
    agent_session  text,
    spec_id        text,
    head_before    text,
    tree_before    text,
    process        text,
    log            text,
    started_at     text not null,
    exit_code      integer,
    outcome        text,
    output_tail    text,
    files_modified text,
    snapshot_ref   text,
    spec_found     text,
    tree_after     text,
    ended_at       text,
    primary key (session_id, number),
    check ((ended_at is null) = (outcome is null))
  ) strict;
  create index checkpoints_step on checkpoints(plan_path, anchor);
  create index checkpoints_open on checkpoints(session_id) where ended_at is null;

  create table attempts (
    plan_path  text not null,
    anchor     text not null,
    number     integer not null check (number >= 1),
    claim      integer,
    session_id text,
    tree       text,
    started_at text not null,
    primary key (plan_path, anchor, number)
  ) strict;

  create table verdicts (
    plan_path   text not null,
    anchor      text not null,
    attempt     integer not null,
    claim       integer,
    session_id  text,
    outcome     text not null check (outcome in ('passed', 'failed', 'timed_out')),
    because     text not null,
    evidence    text not null,
    tree        text,
    recorded_at text not null,
    primary key (plan_path, anchor, attempt),
    foreign key (plan_path, anchor, attempt) references attempts(plan_path, anchor, number)
  ) strict;

  create trigger attempts_keep before delete on attempts
  begin
    select raise(abort, 'pawl:append-only');
  end;
  create trigger attempts_stay before update on attempts
  begin
    select raise(abort, 'pawl:append-only');
  end;
  create trigger verdicts_keep before delete on verdicts
  begin
    select raise(abort, 'pawl:append-only');
  end;
  create trigger verdicts_stay before update on verdicts
  begin
    select raise(abort, 'pawl:append-only');
  end;
`;
