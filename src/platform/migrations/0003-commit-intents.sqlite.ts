export const commitIntentsSqlite = `
  create table commit_intents (
    plan_path   text not null,
    anchor      text not null,
    claim       integer not null,
    worktree    text not null,
    worktree_id text not null,
    parent      text,
    message     text not null,
    created_at  text not null,
    commit_hash text,
    closed_at   text,
    primary key (plan_path, anchor, claim)
  ) strict;
  create index commit_intents_open on commit_intents(plan_path, anchor) where closed_at is null;
`;
