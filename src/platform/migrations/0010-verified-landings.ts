import type { Migration } from "./migration.ts";

const text = `
  create table landings (
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
  create index landings_waiting on landings(branch, number) where landed_at is null;

  create table tree_verdicts (
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
  create index tree_verdicts_tree on tree_verdicts(tree, checks);
`;

const APPEND_ONLY = `
  create trigger tree_verdicts_keep before delete on tree_verdicts
  begin
    select raise(abort, 'pawl:append-only');
  end;
  create trigger tree_verdicts_stay before update on tree_verdicts
  begin
    select raise(abort, 'pawl:append-only');
  end;
`;

const APPEND_ONLY_POSTGRES = `
  create trigger tree_verdicts_keep before delete or update on tree_verdicts
    for each row execute function pawl_append_only();
`;

/**
 * The train of steps that wait to land, and what checks said about trees.
 *
 * A landing is a step's place in the train of its branch: on which commit its tree was built, and which commit it
 * became. Verdicts about trees are found by tree and check, whichever step or merge they were made for.
 */
export const verifiedLandings: Migration = {
  version: 10,
  name: "verified-landings",
  sqlite: text + APPEND_ONLY,
  postgres:
    text
      .replaceAll(") strict;", ");")
      .replaceAll(/( {4}\w+ +text)\b/g, '$1 collate "C"')
      .replaceAll(/( {4}\w+ +)integer\b/g, "$1bigint") + APPEND_ONLY_POSTGRES,
};
