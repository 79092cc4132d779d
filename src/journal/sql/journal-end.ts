import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";

/** The number of the newest line of the journal. */
export const journalEnd = statement<Params, { readonly last: number }>(`
  select coalesce(max(id), 0) as last
    from events
`);
