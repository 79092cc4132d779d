export const runsPostgres = `
  alter table sessions add column run_id text collate "C";
  alter table sessions add column kind text collate "C";
  alter table sessions add column workflow text collate "C";
  alter table sessions add column agent text collate "C";
  alter table sessions add column branch text collate "C";
  alter table sessions add column base text collate "C";
  alter table sessions add column iteration bigint;
  alter table sessions add column position bigint;
  alter table sessions add column spec_id text collate "C";
  alter table sessions add column focus text collate "C";
  alter table sessions add column configuration text collate "C";
  alter table sessions add column paused_until text collate "C";
  alter table sessions add column log_folder text collate "C";
  alter table sessions add column snapshot_ref text collate "C";
  create index sessions_run on sessions(run_id) where run_id is not null;

  create table checkpoints (
    session_id     text collate "C" not null references sessions(id),
    number         bigint not null check (number >= 1),
    plan_path      text collate "C",
    anchor         text collate "C",
    claim          bigint,
    iteration      bigint not null,
    position       bigint not null,
    command        text collate "C" not null,
    type           text collate "C" not null,
    agent          text collate "C",
    agent_session  text collate "C",
    spec_id        text collate "C",
    head_before    text collate "C",
    tree_before    text collate "C",
    process        text collate "C",
    log            text collate "C",
    started_at     text collate "C" not null,
    exit_code      bigint,
    outcome        text collate "C",
    output_tail    text collate "C",
    files_modified text collate "C",
    snapshot_ref   text collate "C",
    spec_found     text collate "C",
    tree_after     text collate "C",
    ended_at       text collate "C",
    primary key (session_id, number),
    check ((ended_at is null) = (outcome is null))
  );
  create index checkpoints_step on checkpoints(plan_path, anchor);
  create index checkpoints_open on checkpoints(session_id) where ended_at is null;

  create table attempts (
    plan_path  text collate "C" not null,
    anchor     text collate "C" not null,
    number     bigint not null check (number >= 1),
    claim      bigint,
    session_id text collate "C",
    tree       text collate "C",
    started_at text collate "C" not null,
    primary key (plan_path, anchor, number)
  );

  create table verdicts (
    plan_path   text collate "C" not null,
    anchor      text collate "C" not null,
    attempt     bigint not null,
    claim       bigint,
    session_id  text collate "C",
    outcome     text collate "C" not null check (outcome in ('passed', 'failed', 'timed_out')),
    because     text collate "C" not null,
    evidence    text collate "C" not null,
    tree        text collate "C",
    recorded_at text collate "C" not null,
    primary key (plan_path, anchor, attempt),
    foreign key (plan_path, anchor, attempt) references attempts(plan_path, anchor, number)
  );

  create trigger attempts_keep before delete or update on attempts
    for each row execute function pawl_append_only();
  create trigger verdicts_keep before delete or update on verdicts
    for each row execute function pawl_append_only();
`;
