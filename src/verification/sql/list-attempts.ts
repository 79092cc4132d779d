import { statement } from "../../platform/index.ts";

export interface AttemptRow {
  readonly number: number;
  readonly claim: number | null;
  readonly session_id: string | null;
  readonly tree: string | null;
  readonly started_at: string;
}

/** Every verification of a step that was begun, oldest first. */
export const listAttempts = statement<{ plan_path: string; anchor: string }, AttemptRow>(`
  select number, claim, session_id, tree, started_at
    from attempts
   where plan_path = :plan_path
     and anchor = :anchor
   order by number
`);
