import { statement } from "../../platform/index.ts";

/** Before a command starts: where the session is, and what the worktree looks like. */
export const openCheckpoint = statement<{
  session_id: string;
  number: number;
  plan_path: string | null;
  anchor: string | null;
  claim: number | null;
  iteration: number;
  position: number;
  command: string;
  type: string;
  agent: string | null;
  agent_session: string | null;
  spec_id: string | null;
  head_before: string | null;
  tree_before: string | null;
  process: string;
  log: string;
  checked: string | null;
  now: string;
}>(`
  insert into checkpoints (session_id, number, plan_path, anchor, claim, iteration, position, command, type, agent,
                           agent_session, spec_id, head_before, tree_before, process, log, checked, started_at)
  values (:session_id, :number, :plan_path, :anchor, :claim, :iteration, :position, :command, :type, :agent,
          :agent_session, :spec_id, :head_before, :tree_before, :process, :log, :checked, :now)
`);
