import { type CheckpointRow, statement } from "../../platform/index.ts";

export type SpanRow = Pick<
  CheckpointRow,
  "number" | "anchor" | "command" | "type" | "started_at" | "ended_at" | "outcome"
>;

/** When a session did what, newest first, without what its commands printed. */
export const listSpans = statement<{ session_id: string; most: number }, SpanRow>(`
  select number, anchor, command, type, started_at, ended_at, outcome
    from checkpoints
   where session_id = :session_id
   order by number desc
   limit :most
`);
