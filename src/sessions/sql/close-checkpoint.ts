import { statement } from "../../platform/index.ts";

/** After a command: how it ended and what it left. A checkpoint is closed once. */
export const closeCheckpoint = statement<{
  session_id: string;
  number: number;
  exit_code: number | null;
  outcome: string;
  output_tail: string;
  files_modified: string;
  agent_session: string | null;
  snapshot_ref: string | null;
  spec_found: string | null;
  tree_after: string | null;
  resets_at: string | null;
  now: string;
}>(`
  update checkpoints
     set exit_code = :exit_code,
         outcome = :outcome,
         output_tail = :output_tail,
         files_modified = :files_modified,
         agent_session = coalesce(:agent_session, agent_session),
         snapshot_ref = :snapshot_ref,
         spec_found = :spec_found,
         tree_after = :tree_after,
         resets_at = :resets_at,
         ended_at = :now
   where session_id = :session_id
     and number = :number
     and ended_at is null
`);
