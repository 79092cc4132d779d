export const tugstatePostgres = `
  create table schema_version (
    version bigint not null
  );
  insert into schema_version (version) values (1);

  create table plans (
    plan_path   text collate "C" primary key,
    plan_hash   text collate "C" not null,
    phase_title text collate "C",
    status      text collate "C" not null default 'active',
    created_at  text collate "C" not null,
    updated_at  text collate "C" not null
  );

  create table steps (
    plan_path        text collate "C" not null references plans(plan_path),
    anchor           text collate "C" not null,
    parent_anchor    text collate "C",
    step_index       bigint not null,
    title            text collate "C" not null,
    status           text collate "C" not null default 'pending',
    claimed_by       text collate "C",
    claimed_at       text collate "C",
    lease_expires_at text collate "C",
    heartbeat_at     text collate "C",
    started_at       text collate "C",
    completed_at     text collate "C",
    commit_hash      text collate "C",
    complete_reason  text collate "C",
    primary key (plan_path, anchor),
    foreign key (plan_path, parent_anchor) references steps(plan_path, anchor)
  );

  create table step_deps (
    plan_path   text collate "C" not null,
    step_anchor text collate "C" not null,
    depends_on  text collate "C" not null,
    primary key (plan_path, step_anchor, depends_on),
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor),
    foreign key (plan_path, depends_on) references steps(plan_path, anchor)
  );

  create table checklist_items (
    id          bigint generated always as identity primary key,
    plan_path   text collate "C" not null,
    step_anchor text collate "C" not null,
    kind        text collate "C" not null,
    ordinal     bigint not null,
    text        text collate "C" not null,
    status      text collate "C" not null default 'open',
    updated_at  text collate "C",
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor)
  );

  create table step_artifacts (
    id          bigint generated always as identity primary key,
    plan_path   text collate "C" not null,
    step_anchor text collate "C" not null,
    kind        text collate "C" not null,
    summary     text collate "C" not null,
    recorded_at text collate "C" not null,
    foreign key (plan_path, step_anchor) references steps(plan_path, anchor)
  );

  create index idx_steps_status on steps(plan_path, status) where parent_anchor is null;
  create index idx_steps_parent on steps(plan_path, parent_anchor) where parent_anchor is not null;
  create index idx_steps_lease on steps(plan_path, status, lease_expires_at);
  create index idx_checklist_step on checklist_items(plan_path, step_anchor);
  create index idx_artifacts_step on step_artifacts(plan_path, step_anchor);
`;
