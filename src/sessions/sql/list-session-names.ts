import { statement } from "../../platform/index.ts";

/** What the sessions are called that a person may mean by a name: all of it, the beginning of it, or their run's. */
export const listSessionNames = statement<
  { name: string },
  { readonly id: string; readonly run_id: string | null }
>(`
  select id, run_id
    from sessions
   where id = :name
      or run_id = :name
      or substr(id, 1, length(:name)) = :name
      or substr(id, 1, length(:name) + 2) = 's-' || :name
   order by started_at desc, id desc
`);
