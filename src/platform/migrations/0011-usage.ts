import type { Migration } from "./migration.ts";

const text = `
  create table usage (
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
  create index usage_step on usage(plan_path, anchor);

  alter table checkpoints add column resets_at text;
`;

/**
 * What each command of an agent used: its tokens, and its price in whole millionths of a dollar, so that sums are exact.
 *
 * A table of its own, because what was spent on a plan stays true when its sessions are cleaned away. Without a price
 * the cost is null, never 0. Beside it, when the limit ends that an agent ran into: after a kill the next runner
 * leaves that agent alone until then.
 */
export const usage: Migration = {
  version: 11,
  name: "usage",
  sqlite: text,
  postgres: text
    .replaceAll(") strict;", ");")
    .replaceAll(/( {4}\w+ +text)\b/g, '$1 collate "C"')
    .replaceAll(/( {4}\w+ +)integer\b/g, "$1bigint")
    .replace("resets_at text", 'resets_at text collate "C"'),
};
