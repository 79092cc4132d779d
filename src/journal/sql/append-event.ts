import { statement } from "../../platform/index.ts";

const insertEvent = statement<{
  now: string;
  plan_path: string | null;
  anchor: string | null;
  event: string;
  claim: number | null;
  worktree: string | null;
  session_id: string | null;
  detail: string;
}>(`
  insert into events (at, plan_path, anchor, event, claim, worktree, session_id, detail)
  values (:now, :plan_path, :anchor, :event, :claim, :worktree, :session_id, :detail)
`);

/** One line of the journal, in the same transaction as the change it tells of. */
export const appendEvent = { ...insertEvent, isJournalLine: true } as const;
