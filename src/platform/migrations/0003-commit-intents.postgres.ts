export const commitIntentsPostgres = `
  create table commit_intents (
    plan_path   text collate "C" not null,
    anchor      text collate "C" not null,
    claim       bigint not null,
    worktree    text collate "C" not null,
    worktree_id text collate "C" not null,
    parent      text collate "C",
    message     text collate "C" not null,
    created_at  text collate "C" not null,
    commit_hash text collate "C",
    closed_at   text collate "C",
    primary key (plan_path, anchor, claim)
  );
  create index commit_intents_open on commit_intents(plan_path, anchor) where closed_at is null;
`;
