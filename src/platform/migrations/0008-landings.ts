import type { Migration } from "./migration.ts";

const text = `
  alter table commit_intents add column branch text;
  alter table commit_intents add column branch_from text;
  alter table commit_intents add column branch_to text;
`;

/**
 * Which branch a commit is about to move, from where to where, written before the branch moves.
 *
 * After a crash in between, the next landing knows what was meant: it completes the step, or takes the move back when
 * the claim is over by then.
 */
export const landings: Migration = {
  version: 8,
  name: "landings",
  sqlite: text,
  postgres: text.replaceAll(" text;", ' text collate "C";'),
};
