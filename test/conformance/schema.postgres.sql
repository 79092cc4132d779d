-- tables and columns
attempts.plan_path text collate C not null
attempts.anchor text collate C not null
attempts.number bigint not null
attempts.claim bigint
attempts.session_id text collate C
attempts.tree text collate C
attempts.started_at text collate C not null
checklist_items.id bigint not null generated always as identity
checklist_items.plan_path text collate C not null
checklist_items.step_anchor text collate C not null
checklist_items.kind text collate C not null
checklist_items.ordinal bigint not null
checklist_items.text text collate C not null
checklist_items.status text collate C not null default 'open'::text
checklist_items.updated_at text collate C
checklist_items.reason text collate C
checkpoints.session_id text collate C not null
checkpoints.number bigint not null
checkpoints.plan_path text collate C
checkpoints.anchor text collate C
checkpoints.claim bigint
checkpoints.iteration bigint not null
checkpoints.position bigint not null
checkpoints.command text collate C not null
checkpoints.type text collate C not null
checkpoints.agent text collate C
checkpoints.agent_session text collate C
checkpoints.spec_id text collate C
checkpoints.head_before text collate C
checkpoints.tree_before text collate C
checkpoints.process text collate C
checkpoints.log text collate C
checkpoints.started_at text collate C not null
checkpoints.exit_code bigint
checkpoints.outcome text collate C
checkpoints.output_tail text collate C
checkpoints.files_modified text collate C
checkpoints.snapshot_ref text collate C
checkpoints.spec_found text collate C
checkpoints.tree_after text collate C
checkpoints.ended_at text collate C
checkpoints.checked text collate C
checkpoints.resets_at text collate C
commit_intents.plan_path text collate C not null
commit_intents.anchor text collate C not null
commit_intents.claim bigint not null
commit_intents.worktree text collate C not null
commit_intents.worktree_id text collate C not null
commit_intents.parent text collate C
commit_intents.message text collate C not null
commit_intents.created_at text collate C not null
commit_intents.commit_hash text collate C
commit_intents.closed_at text collate C
commit_intents.branch text collate C
commit_intents.branch_from text collate C
commit_intents.branch_to text collate C
commit_intents.unverified text collate C
events.id bigint not null generated always as identity
events.at text collate C not null
events.plan_path text collate C
events.anchor text collate C
events.event text collate C not null
events.claim bigint
events.worktree text collate C
events.session_id text collate C
events.detail text collate C not null default '{}'::text
landings.plan_path text collate C not null
landings.anchor text collate C not null
landings.claim bigint not null
landings.number bigint not null
landings.branch text collate C not null
landings.clone text collate C not null
landings.session_id text collate C
landings.base text collate C
landings.base_tree text collate C
landings.tree text collate C
landings.joined_at text collate C not null
landings.landed_commit text collate C
landings.landed_at text collate C
late_results.id bigint not null generated always as identity
late_results.plan_path text collate C not null
late_results.anchor text collate C not null
late_results.claim bigint
late_results.worktree text collate C not null
late_results.commit_hash text collate C
late_results.held_ref text collate C
late_results.recorded_at text collate C not null
plan_snapshots.plan_path text collate C not null
plan_snapshots.plan_hash text collate C not null
plan_snapshots.format text collate C not null
plan_snapshots.content text collate C not null
plan_snapshots.taken_at text collate C not null
plans.plan_path text collate C not null
plans.plan_hash text collate C not null
plans.phase_title text collate C
plans.status text collate C not null default 'active'::text
plans.created_at text collate C not null
plans.updated_at text collate C not null
plans.format text collate C not null default 'tugplan'::text
plans.committed_hash text collate C
requests.request_id text collate C not null
requests.verb text collate C not null
requests.subject text collate C not null
requests.answer text collate C not null
requests.answered_at text collate C not null
schema_version.version bigint not null
sessions.id text collate C not null
sessions.plan_path text collate C
sessions.worktree text collate C not null
sessions.worktree_id text collate C not null
sessions.pid bigint not null
sessions.process_started_at text collate C not null
sessions.boot_id text collate C not null
sessions.host_id text collate C not null
sessions.status text collate C not null
sessions.started_at text collate C not null
sessions.ended_at text collate C
sessions.interrupted_at text collate C
sessions.interruption_type text collate C
sessions.resumable bigint not null default 0
sessions.run_id text collate C
sessions.kind text collate C
sessions.workflow text collate C
sessions.agent text collate C
sessions.branch text collate C
sessions.base text collate C
sessions.iteration bigint
sessions.position bigint
sessions.spec_id text collate C
sessions.focus text collate C
sessions.configuration text collate C
sessions.paused_until text collate C
sessions.log_folder text collate C
sessions.snapshot_ref text collate C
step_artifacts.id bigint not null generated always as identity
step_artifacts.plan_path text collate C not null
step_artifacts.step_anchor text collate C not null
step_artifacts.kind text collate C not null
step_artifacts.summary text collate C not null
step_artifacts.recorded_at text collate C not null
step_artifacts.content text collate C
step_artifacts.claim bigint
step_deps.plan_path text collate C not null
step_deps.step_anchor text collate C not null
step_deps.depends_on text collate C not null
step_transitions.from_status text collate C not null
step_transitions.event text collate C not null
step_transitions.to_status text collate C not null
steps.plan_path text collate C not null
steps.anchor text collate C not null
steps.parent_anchor text collate C
steps.step_index bigint not null
steps.title text collate C not null
steps.status text collate C not null default 'pending'::text
steps.claimed_by text collate C
steps.claimed_at text collate C
steps.lease_expires_at text collate C
steps.heartbeat_at text collate C
steps.started_at text collate C
steps.completed_at text collate C
steps.commit_hash text collate C
steps.complete_reason text collate C
steps.last_event text collate C not null default 'saved'::text
steps.claim_seq bigint not null default 0
steps.worktree_id text collate C
steps.last_worktree_id text collate C
steps.session_id text collate C
steps.claimed_host text collate C
steps.lease_boot_id text collate C
steps.lease_uptime_ms bigint
steps.unmet_deps bigint not null default 0
steps.verification_attempts bigint not null default 0
steps.block_reason text collate C
steps.block_note text collate C
steps.reopen_reason text collate C
steps.content_hash text collate C
steps.commit_ref text collate C
steps.bound_to text collate C
steps.session_over bigint
steps.stands_as text collate C
tree_verdicts.tree text collate C not null
tree_verdicts.checks text collate C not null
tree_verdicts.place text collate C not null
tree_verdicts.worktree_id text collate C
tree_verdicts.kind text collate C not null
tree_verdicts.plan_path text collate C
tree_verdicts.anchor text collate C
tree_verdicts.claim bigint
tree_verdicts.session_id text collate C
tree_verdicts.outcome text collate C not null
tree_verdicts.because text collate C not null
tree_verdicts.evidence text collate C not null
tree_verdicts.recorded_at text collate C not null
usage.session_id text collate C not null
usage.number bigint not null
usage.plan_path text collate C
usage.anchor text collate C
usage.claim bigint
usage.attempt bigint
usage.agent text collate C
usage.input_tokens bigint not null
usage.output_tokens bigint not null
usage.cost_micros bigint
usage.recorded_at text collate C not null
verdicts.plan_path text collate C not null
verdicts.anchor text collate C not null
verdicts.attempt bigint not null
verdicts.claim bigint
verdicts.session_id text collate C
verdicts.outcome text collate C not null
verdicts.because text collate C not null
verdicts.evidence text collate C not null
verdicts.tree text collate C
verdicts.recorded_at text collate C not null

-- constraints
attempts.attempts_number_check CHECK ((number >= 1))
attempts.attempts_pkey PRIMARY KEY (plan_path, anchor, number)
checklist_items.checklist_items_check CHECK (((status <> 'deferred'::text) OR (reason IS NOT NULL)))
checklist_items.checklist_items_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'test'::text, 'checkpoint'::text])))
checklist_items.checklist_items_ordinal_check CHECK ((ordinal >= 0))
checklist_items.checklist_items_pkey PRIMARY KEY (id)
checklist_items.checklist_items_plan_path_step_anchor_fkey FOREIGN KEY (plan_path, step_anchor) REFERENCES steps(plan_path, anchor)
checklist_items.checklist_items_plan_path_step_anchor_kind_ordinal_key UNIQUE (plan_path, step_anchor, kind, ordinal)
checklist_items.checklist_items_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_progress'::text, 'completed'::text, 'deferred'::text])))
checkpoints.checkpoints_check CHECK (((ended_at IS NULL) = (outcome IS NULL)))
checkpoints.checkpoints_number_check CHECK ((number >= 1))
checkpoints.checkpoints_pkey PRIMARY KEY (session_id, number)
checkpoints.checkpoints_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id)
commit_intents.commit_intents_pkey PRIMARY KEY (plan_path, anchor, claim)
events.events_pkey PRIMARY KEY (id)
landings.landings_pkey PRIMARY KEY (plan_path, anchor, claim)
late_results.late_results_pkey PRIMARY KEY (id)
plan_snapshots.plan_snapshots_pkey PRIMARY KEY (plan_path, plan_hash)
plans.plans_pkey PRIMARY KEY (plan_path)
plans.plans_status_check CHECK ((status = ANY (ARRAY['active'::text, 'done'::text])))
requests.requests_pkey PRIMARY KEY (request_id)
sessions.sessions_interruption_type_check CHECK ((interruption_type = ANY (ARRAY['user_interrupt'::text, 'termination'::text, 'hangup'::text, 'process_kill'::text, 'usage_limit'::text, 'unknown'::text])))
sessions.sessions_pkey PRIMARY KEY (id)
sessions.sessions_resumable_check CHECK ((resumable = ANY (ARRAY[(0)::bigint, (1)::bigint])))
sessions.sessions_status_check CHECK ((status = ANY (ARRAY['in_progress'::text, 'completed'::text, 'failed'::text, 'interrupted'::text, 'abandoned'::text])))
step_artifacts.step_artifacts_kind_check CHECK ((kind = ANY (ARRAY['architect_strategy'::text, 'reviewer_verdict'::text, 'auditor_summary'::text])))
step_artifacts.step_artifacts_pkey PRIMARY KEY (id)
step_artifacts.step_artifacts_plan_path_step_anchor_fkey FOREIGN KEY (plan_path, step_anchor) REFERENCES steps(plan_path, anchor)
step_deps.step_deps_pkey PRIMARY KEY (plan_path, step_anchor, depends_on)
step_deps.step_deps_plan_path_depends_on_fkey FOREIGN KEY (plan_path, depends_on) REFERENCES steps(plan_path, anchor)
step_deps.step_deps_plan_path_step_anchor_fkey FOREIGN KEY (plan_path, step_anchor) REFERENCES steps(plan_path, anchor)
step_transitions.step_transitions_pkey PRIMARY KEY (from_status, event, to_status)
steps.steps_check CHECK (((status <> ALL (ARRAY['claimed'::text, 'in_progress'::text])) OR (claimed_by IS NOT NULL)))
steps.steps_pkey PRIMARY KEY (plan_path, anchor)
steps.steps_plan_path_fkey FOREIGN KEY (plan_path) REFERENCES plans(plan_path)
steps.steps_plan_path_parent_anchor_fkey FOREIGN KEY (plan_path, parent_anchor) REFERENCES steps(plan_path, anchor)
steps.steps_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'claimed'::text, 'in_progress'::text, 'awaiting_verification'::text, 'completed'::text, 'blocked'::text, 'on_hold'::text])))
steps.steps_unmet_deps_check CHECK ((unmet_deps >= 0))
tree_verdicts.tree_verdicts_outcome_check CHECK ((outcome = ANY (ARRAY['passed'::text, 'failed'::text, 'timed_out'::text])))
tree_verdicts.tree_verdicts_place_check CHECK ((place = ANY (ARRAY['clean'::text, 'in-place'::text])))
usage.usage_cost_micros_check CHECK ((cost_micros >= 0))
usage.usage_input_tokens_check CHECK ((input_tokens >= 0))
usage.usage_output_tokens_check CHECK ((output_tokens >= 0))
usage.usage_pkey PRIMARY KEY (session_id, number)
verdicts.verdicts_outcome_check CHECK ((outcome = ANY (ARRAY['passed'::text, 'failed'::text, 'timed_out'::text])))
verdicts.verdicts_pkey PRIMARY KEY (plan_path, anchor, attempt)
verdicts.verdicts_plan_path_anchor_attempt_fkey FOREIGN KEY (plan_path, anchor, attempt) REFERENCES attempts(plan_path, anchor, number)

-- indexes
CREATE UNIQUE INDEX attempts_pkey ON attempts USING btree (plan_path, anchor, number)
CREATE UNIQUE INDEX checklist_items_pkey ON checklist_items USING btree (id)
CREATE UNIQUE INDEX checklist_items_plan_path_step_anchor_kind_ordinal_key ON checklist_items USING btree (plan_path, step_anchor, kind, ordinal)
CREATE INDEX checkpoints_kept ON checkpoints USING btree (session_id, number) WHERE (snapshot_ref IS NOT NULL)
CREATE INDEX checkpoints_open ON checkpoints USING btree (session_id) WHERE (ended_at IS NULL)
CREATE UNIQUE INDEX checkpoints_pkey ON checkpoints USING btree (session_id, number)
CREATE INDEX checkpoints_step ON checkpoints USING btree (plan_path, anchor)
CREATE INDEX commit_intents_open ON commit_intents USING btree (plan_path, anchor, claim) WHERE (closed_at IS NULL)
CREATE UNIQUE INDEX commit_intents_pkey ON commit_intents USING btree (plan_path, anchor, claim)
CREATE INDEX events_drops ON events USING btree (id) WHERE (event = 'snapshot-dropped'::text)
CREATE INDEX events_grants ON events USING btree (worktree, id) WHERE (event = ANY (ARRAY['claimed'::text, 'reclaimed'::text]))
CREATE INDEX events_interruptions ON events USING btree (session_id, at) WHERE (event = 'session-interrupted'::text)
CREATE INDEX events_merges ON events USING btree (id) WHERE (event = ANY (ARRAY['worktree-merging'::text, 'worktree-merged'::text]))
CREATE UNIQUE INDEX events_pkey ON events USING btree (id)
CREATE INDEX events_step ON events USING btree (plan_path, anchor)
CREATE INDEX events_worktrees ON events USING btree (worktree, id) WHERE (event = ANY (ARRAY['worktree-created'::text, 'worktree-saved'::text, 'worktree-removed'::text]))
CREATE UNIQUE INDEX landings_pkey ON landings USING btree (plan_path, anchor, claim)
CREATE INDEX landings_waiting ON landings USING btree (branch, number) WHERE (landed_at IS NULL)
CREATE UNIQUE INDEX late_results_pkey ON late_results USING btree (id)
CREATE UNIQUE INDEX plan_snapshots_pkey ON plan_snapshots USING btree (plan_path, plan_hash)
CREATE UNIQUE INDEX plans_pkey ON plans USING btree (plan_path)
CREATE INDEX requests_age ON requests USING btree (answered_at)
CREATE UNIQUE INDEX requests_pkey ON requests USING btree (request_id)
CREATE INDEX sessions_cut_off ON sessions USING btree (worktree_id) WHERE ((status = 'interrupted'::text) AND (resumable = 1))
CREATE UNIQUE INDEX sessions_pkey ON sessions USING btree (id)
CREATE INDEX sessions_run ON sessions USING btree (run_id) WHERE (run_id IS NOT NULL)
CREATE INDEX sessions_running ON sessions USING btree (host_id) WHERE (status = 'in_progress'::text)
CREATE INDEX sessions_started ON sessions USING btree (started_at, id)
CREATE UNIQUE INDEX step_artifacts_pkey ON step_artifacts USING btree (id)
CREATE INDEX step_artifacts_step ON step_artifacts USING btree (plan_path, step_anchor)
CREATE UNIQUE INDEX step_deps_pkey ON step_deps USING btree (plan_path, step_anchor, depends_on)
CREATE INDEX step_deps_target ON step_deps USING btree (plan_path, depends_on)
CREATE UNIQUE INDEX step_transitions_pkey ON step_transitions USING btree (from_status, event, to_status)
CREATE INDEX steps_boot ON steps USING btree (plan_path, lease_boot_id, COALESCE(lease_uptime_ms, (0)::bigint)) WHERE ((parent_anchor IS NULL) AND (status = ANY (ARRAY['claimed'::text, 'in_progress'::text, 'awaiting_verification'::text])))
CREATE INDEX steps_bound ON steps USING btree (plan_path) WHERE (bound_to IS NOT NULL)
CREATE INDEX steps_due ON steps USING btree (plan_path, COALESCE(lease_expires_at, ''::text)) WHERE ((parent_anchor IS NULL) AND (status = ANY (ARRAY['claimed'::text, 'in_progress'::text, 'awaiting_verification'::text])))
CREATE INDEX steps_host ON steps USING btree (plan_path, claimed_host, lease_boot_id) WHERE ((parent_anchor IS NULL) AND (status = ANY (ARRAY['claimed'::text, 'in_progress'::text, 'awaiting_verification'::text])) AND (session_id IS NULL))
CREATE INDEX steps_left ON steps USING btree (plan_path, session_over) WHERE ((parent_anchor IS NULL) AND (status = ANY (ARRAY['claimed'::text, 'in_progress'::text, 'awaiting_verification'::text])) AND (session_over = 1))
CREATE INDEX steps_open ON steps USING btree (plan_path, step_index) WHERE ((parent_anchor IS NULL) AND (status <> 'completed'::text))
CREATE INDEX steps_owner ON steps USING btree (plan_path, worktree_id) WHERE ((parent_anchor IS NULL) AND (status = ANY (ARRAY['claimed'::text, 'in_progress'::text, 'awaiting_verification'::text])))
CREATE INDEX steps_parent ON steps USING btree (plan_path, parent_anchor) WHERE (parent_anchor IS NOT NULL)
CREATE UNIQUE INDEX steps_pkey ON steps USING btree (plan_path, anchor)
CREATE INDEX steps_ready ON steps USING btree (plan_path, step_index) WHERE ((parent_anchor IS NULL) AND (status = 'pending'::text) AND (unmet_deps = 0))
CREATE INDEX steps_session ON steps USING btree (session_id) WHERE (session_id IS NOT NULL)
CREATE INDEX tree_verdicts_tree ON tree_verdicts USING btree (tree, checks)
CREATE UNIQUE INDEX usage_pkey ON usage USING btree (session_id, number)
CREATE INDEX usage_step ON usage USING btree (plan_path, anchor)
CREATE UNIQUE INDEX verdicts_pkey ON verdicts USING btree (plan_path, anchor, attempt)

-- triggers
CREATE TRIGGER attempts_keep BEFORE DELETE OR UPDATE ON attempts FOR EACH ROW EXECUTE FUNCTION pawl_append_only()
CREATE TRIGGER events_keep BEFORE DELETE OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION pawl_append_only()
CREATE TRIGGER sessions_over AFTER UPDATE OF status ON sessions FOR EACH ROW WHEN (((new.status = 'in_progress'::text) <> (old.status = 'in_progress'::text))) EXECUTE FUNCTION pawl_session_over()
CREATE TRIGGER steps_move BEFORE UPDATE OF status ON steps FOR EACH ROW EXECUTE FUNCTION pawl_guard_step()
CREATE TRIGGER steps_number BEFORE UPDATE OF claim_seq ON steps FOR EACH ROW EXECUTE FUNCTION pawl_guard_number()
CREATE TRIGGER steps_session BEFORE UPDATE OF session_id ON steps FOR EACH ROW EXECUTE FUNCTION pawl_step_session()
CREATE TRIGGER tree_verdicts_keep BEFORE DELETE OR UPDATE ON tree_verdicts FOR EACH ROW EXECUTE FUNCTION pawl_append_only()
CREATE TRIGGER verdicts_keep BEFORE DELETE OR UPDATE ON verdicts FOR EACH ROW EXECUTE FUNCTION pawl_append_only()

-- functions
CREATE OR REPLACE FUNCTION pawl_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'pawl:append-only';
  end $function$

CREATE OR REPLACE FUNCTION pawl_guard_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if new.claim_seq < old.claim_seq then
      raise exception 'pawl:number';
    end if;
    return new;
  end $function$

CREATE OR REPLACE FUNCTION pawl_guard_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if not exists (select 1 from step_transitions
                    where from_status = old.status and event = new.last_event and to_status = new.status) then
      raise exception 'pawl:transition';
    end if;
    if new.last_event = 'reopened' and coalesce(new.reopen_reason, '') = '' then
      raise exception 'pawl:reason';
    end if;
    return new;
  end $function$

CREATE OR REPLACE FUNCTION pawl_session_over()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    update steps set session_over = case when new.status <> 'in_progress' then 1 end where session_id = new.id;
    return null;
  end $function$

CREATE OR REPLACE FUNCTION pawl_step_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    new.session_over := null;
    if new.session_id is not null then
      perform 1 from sessions l where l.id = new.session_id and l.status = 'in_progress' for share;
      if not found then new.session_over := 1; end if;
    end if;
    return new;
  end $function$


-- sequences
checklist_items_id_seq bigint
events_id_seq bigint
late_results_id_seq bigint
step_artifacts_id_seq bigint
