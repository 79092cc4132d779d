import type { Migration } from "./migration.ts";

const text = `
  alter table steps add column bound_to text;
  alter table plans add column committed_hash text;
`;

/**
 * A step may keep its text while its plan changes.
 *
 * `bound_to` names the text of the plan that a step was claimed with, where the plan says something else by now: a
 * person decides about it. `committed_hash` is the committed plan that was read last: only a later commit is news.
 */
export const livingPlans: Migration = {
  version: 12,
  name: "living plans",
  sqlite: text,
  postgres: text.replaceAll(" text;", ' text collate "C";'),
};
