import type { Migration } from "./migration.ts";

const text = `
  create index steps_owner on steps(plan_path, worktree_id)
   where parent_anchor is null and status in ('claimed', 'in_progress', 'awaiting_verification');
`;

/** Whether a worktree holds a step already is asked by every claim; it must not cost a look at all that others hold. */
export const owners: Migration = { version: 4, name: "owners", sqlite: text, postgres: text };
