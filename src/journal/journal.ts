import type { Sql } from "../platform/ports/index.ts";
import { appendEvent } from "./sql/append-event.ts";

export interface JournalEntry {
  readonly event: string;
  readonly plan?: string;
  readonly anchor?: string;
  readonly claim?: number | null;
  readonly worktree?: string | null;
  readonly session?: string | null | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Writes one line of the journal, inside the transaction of the change it tells of; without it there is no commit. */
export async function journal(sql: Sql, entry: JournalEntry): Promise<void> {
  sql.send(appendEvent, {
    now: sql.now,
    plan_path: entry.plan ?? null,
    anchor: entry.anchor ?? null,
    event: entry.event,
    claim: entry.claim ?? null,
    worktree: entry.worktree ?? null,
    session_id: entry.session ?? null,
    detail: entry.detail ? JSON.stringify(entry.detail) : "{}",
  });
}
