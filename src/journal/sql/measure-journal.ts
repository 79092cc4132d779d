import { statement } from "../../platform/index.ts";

export interface JournalEnd {
  readonly lines: number;
  readonly last: number;
}

/** How far the journal of a plan goes. */
export const measureJournal = statement<{ plan_path: string }, JournalEnd>(`
  select count(*) as lines,
         coalesce(max(id), 0) as last
    from events
   where plan_path = :plan_path
`);
