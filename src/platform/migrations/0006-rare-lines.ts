import type { Migration } from "./migration.ts";

const text = `
  create index events_merges on events(id)
   where event in ('worktree-merging', 'worktree-merged');
  create index events_drops on events(id)
   where event = 'snapshot-dropped';
  create index events_worktrees on events(worktree, id)
   where event in ('worktree-created', 'worktree-saved', 'worktree-removed');
  create index events_grants on events(worktree, id)
   where event in ('claimed', 'reclaimed');
  create index sessions_started on sessions(started_at, id);
  create index sessions_cut_off on sessions(worktree_id)
   where status = 'interrupted' and resumable = 1;
  create index checkpoints_kept on checkpoints(session_id, number)
   where snapshot_ref is not null;
`;

/**
 * What is rare is found without a walk through everything that is not.
 *
 * The last merge, what became of a worktree, the newest sessions: after a million lines of journal each look was a look
 * at all of them, and whoever served a page kept everybody waiting meanwhile. So was the look at what a worktree was
 * given last, which every claim takes. The indexes hold only the rare rows, so that the many lines that agents write
 * cost nothing more.
 */
export const rareLines: Migration = { version: 6, name: "rare-lines", sqlite: text, postgres: text };
