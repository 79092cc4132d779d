export const tugstateSqlite = `
  create table schema_version (
    version integer not null
  );
  insert into schema_version (version) values (1);

  create table plans (
    plan_path   text primary key,
    plan_hash   text not null,
    phase_title text,
    status      text not null default 'active',
    created_at  text not null,
    updated_at  text not null
  );

  create table steps (
    plan_path        text not null references plans(plan_path),
    anchor           text not null,
    parent_anchor    text,
    step_index       integer not null,
    title            text not null,
    status           text not null default 'pending',
    claimed_by       text,
    claimed_at       text,
    lease_expires_at text,
    heartbeat_at     text,
    started_at       text,
    completed_at     text,
    commit_hash      text,
    complete_reason  text,
    primary key (plan_path, anchor),
    foreign key (plan_path, parent_anchor) references steps(plan_path, anchor)
  );

  create table step_deps (
    plan_path   text not null,
    step_anchor text not null,
    depends_on  text not null,
    primary key (plan_path, step_anchor, depends_on),
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor),
    foreign key (plan_path, depends_on) references steps(plan_path, anchor)
  );

  create table checklist_items (
    id          integer primary key autoincrement,
    plan_path   text not null,
    step_anchor text not null,
    kind        text not null,
    ordinal     integer not null,
    text        text not null,
    status      text not null default 'open',
    updated_at  text,
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor)
  );

  create table step_artifacts (
    id          integer primary key autoincrement,
    plan_path   text not null,
    step_anchor text not null,
    kind        text not null,
    summary     text not null,
    recorded_at text not null,
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor)
  );

  create index idx_steps_status on steps(plan_path, status) where parent_anchor is null;
  create index idx_steps_parent on steps(plan_path, parent_anchor) where parent_anchor is not null;
  create index idx_steps_lease on steps(plan_path, status, lease_expires_at);
  create index idx_checklist_step on checklist_items(plan_path, step_anchor);
  create index idx_artifacts_step on step_artifacts(plan_path, step_anchor);
`;
