CREATE INDEX checkpoints_kept on checkpoints(session_id, number)
  where snapshot_ref is not null;

CREATE INDEX checkpoints_open on checkpoints(session_id) where ended_at is null;

CREATE INDEX checkpoints_step on checkpoints(plan_path, anchor);

CREATE INDEX commit_intents_open on commit_intents(plan_path, anchor, claim) where closed_at is null;

CREATE INDEX events_drops on events(id)
  where event = 'snapshot-dropped';

CREATE INDEX events_grants on events(worktree, id)
  where event in ('claimed', 'reclaimed');

CREATE INDEX events_interruptions on events(session_id, at) where event = 'session-interrupted';

CREATE INDEX events_merges on events(id)
  where event in ('worktree-merging', 'worktree-merged');

CREATE INDEX events_step on events(plan_path, anchor);

CREATE INDEX events_worktrees on events(worktree, id)
  where event in ('worktree-created', 'worktree-saved', 'worktree-removed');

CREATE INDEX landings_waiting on landings(branch, number) where landed_at is null;

CREATE INDEX requests_age on requests(answered_at);

CREATE INDEX sessions_cut_off on sessions(worktree_id)
  where status = 'interrupted' and resumable = 1;

CREATE INDEX sessions_run on sessions(run_id) where run_id is not null;

CREATE INDEX sessions_running on sessions(host_id) where status = 'in_progress';

CREATE INDEX sessions_started on sessions(started_at, id);

CREATE INDEX step_artifacts_step on step_artifacts(plan_path, step_anchor);

CREATE INDEX step_deps_target on step_deps(plan_path, depends_on);

CREATE INDEX steps_boot on steps(plan_path, lease_boot_id, coalesce(lease_uptime_ms, 0)) where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification');

CREATE INDEX steps_bound on steps(plan_path) where bound_to is not null;

CREATE INDEX steps_due on steps(plan_path, coalesce(lease_expires_at, '')) where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification');

CREATE INDEX steps_host on steps(plan_path, claimed_host, lease_boot_id) where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification') and session_id is null;

CREATE INDEX steps_left on steps(plan_path, session_over) where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification') and session_over = 1;

CREATE INDEX steps_open on steps(plan_path, step_index)
  where parent_anchor is null and status <> 'completed';

CREATE INDEX steps_owner on steps(plan_path, worktree_id)
  where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification');

CREATE INDEX steps_parent on steps(plan_path, parent_anchor) where parent_anchor is not null;

CREATE INDEX steps_ready on steps(plan_path, step_index)
  where parent_anchor is null and status = 'pending' and unmet_deps = 0;

CREATE INDEX steps_session on steps(session_id) where session_id is not null;

CREATE INDEX tree_verdicts_tree on tree_verdicts(tree, checks);

CREATE INDEX usage_step on usage(plan_path, anchor);

CREATE TABLE attempts (
  plan_path  text not null,
  anchor     text not null,
  number     integer not null check (number >= 1),
  claim      integer,
  session_id text,
  tree       text,
  started_at text not null,
  primary key (plan_path, anchor, number)
) strict;

CREATE TABLE "checklist_items" (
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

CREATE TABLE checkpoints (
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
ended_at       text, checked text, resets_at text,
  primary key (session_id, number),
  check ((ended_at is null) = (outcome is null))
) strict;

CREATE TABLE commit_intents (
  plan_path   text not null,
  anchor      text not null,
  claim       integer not null,
  worktree    text not null,
  worktree_id text not null,
  parent      text,
  message     text not null,
  created_at  text not null,
  commit_hash text,
  closed_at   text, branch text, branch_from text, branch_to text, unverified text,
  primary key (plan_path, anchor, claim)
) strict;

CREATE TABLE events (
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

CREATE TABLE landings (
  plan_path     text not null,
  anchor        text not null,
  claim         integer not null,
  number        integer not null,
  branch        text not null,
  clone         text not null,
  session_id    text,
  base          text,
  base_tree     text,
  tree          text,
  joined_at     text not null,
  landed_commit text,
  landed_at     text,
  primary key (plan_path, anchor, claim)
) strict;

CREATE TABLE late_results (
  id          integer primary key,
  plan_path   text not null,
  anchor      text not null,
  claim       integer,
  worktree    text not null,
  commit_hash text,
  held_ref    text,
  recorded_at text not null
) strict;

CREATE TABLE plan_snapshots (
  plan_path text not null,
  plan_hash text not null,
  format    text not null,
  content   text not null,
  taken_at  text not null,
  primary key (plan_path, plan_hash)
) strict;

CREATE TABLE "plans" (
  plan_path   text not null primary key,
  plan_hash   text not null,
  format      text not null default 'tugplan',
  phase_title text,
  status      text not null default 'active' check (status in ('active', 'done')),
  created_at  text not null,
  updated_at  text not null
  , committed_hash text) strict;

CREATE TABLE requests (
  request_id  text not null primary key,
  verb        text not null,
  subject     text not null,
  answer      text not null,
  answered_at text not null
) strict;

CREATE TABLE schema_version (
  version integer not null
);

CREATE TABLE sessions (
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
  , run_id text, kind text, workflow text, agent text, branch text, base text, iteration integer, position integer, spec_id text, focus text, configuration text, paused_until text, log_folder text, snapshot_ref text) strict;

CREATE TABLE "step_artifacts" (
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

CREATE TABLE "step_deps" (
  plan_path   text not null,
  step_anchor text not null,
  depends_on  text not null,
  primary key (plan_path, step_anchor, depends_on),
  foreign key (plan_path, step_anchor) references steps(plan_path, anchor),
  foreign key (plan_path, depends_on) references steps(plan_path, anchor)
) strict;

CREATE TABLE step_transitions (
  from_status text not null,
  event       text not null,
  to_status   text not null,
  primary key (from_status, event, to_status)
) strict;

CREATE TABLE "steps" (
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
  commit_ref            text, bound_to text, session_over integer, stands_as text,
  primary key (plan_path, anchor),
  foreign key (plan_path, parent_anchor) references steps(plan_path, anchor),
  check (status not in ('claimed', 'in_progress') or claimed_by is not null)
) strict;

CREATE TABLE tree_verdicts (
  tree        text not null,
  checks      text not null,
  place       text not null check (place in ('clean', 'in-place')),
  worktree_id text,
  kind        text not null,
  plan_path   text,
  anchor      text,
  claim       integer,
  session_id  text,
  outcome     text not null check (outcome in ('passed', 'failed', 'timed_out')),
  because     text not null,
  evidence    text not null,
  recorded_at text not null
) strict;

CREATE TABLE usage (
  session_id    text not null,
  number        integer not null,
  plan_path     text,
  anchor        text,
  claim         integer,
  attempt       integer,
  agent         text,
  input_tokens  integer not null check (input_tokens >= 0),
  output_tokens integer not null check (output_tokens >= 0),
  cost_micros   integer check (cost_micros >= 0),
  recorded_at   text not null,
  primary key (session_id, number)
) strict;

CREATE TABLE verdicts (
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

CREATE TRIGGER attempts_keep before delete on attempts
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER attempts_stay before update on attempts
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER events_keep before delete on events
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER events_stay before update on events
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER sessions_over after update of status on sessions
  when (new.status = 'in_progress') <> (old.status = 'in_progress')
  begin
  update steps set session_over = case when new.status <> 'in_progress' then 1 end where session_id = new.id;
end;

CREATE TRIGGER steps_move before update of status on steps
  when not exists (select 1 from step_transitions
  where from_status = old.status and event = new.last_event and to_status = new.status)
  begin
  select raise(abort, 'pawl:transition');
end;

CREATE TRIGGER steps_number before update of claim_seq on steps
  when new.claim_seq < old.claim_seq
  begin
  select raise(abort, 'pawl:number');
end;

CREATE TRIGGER steps_reopen before update of status on steps
  when new.last_event = 'reopened' and coalesce(new.reopen_reason, '') = ''
  begin
  select raise(abort, 'pawl:reason');
end;

CREATE TRIGGER steps_session after update of session_id on steps
  begin
  update steps
  set session_over = case when new.session_id is not null and not exists
  (select 1 from sessions l where l.id = new.session_id and l.status = 'in_progress') then 1 end
  where plan_path = new.plan_path and anchor = new.anchor
  and (session_over is not null or new.session_id is not null);
end;

CREATE TRIGGER tree_verdicts_keep before delete on tree_verdicts
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER tree_verdicts_stay before update on tree_verdicts
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER verdicts_keep before delete on verdicts
  begin
  select raise(abort, 'pawl:append-only');
end;

CREATE TRIGGER verdicts_stay before update on verdicts
  begin
  select raise(abort, 'pawl:append-only');
end;
