import { statement } from "../../platform/index.ts";
import type { Params } from "../../platform/ports/index.ts";

/** Which plan each late result that is kept under a ref is of. */
export const listHeldRefs = statement<Params, { readonly ref: string; readonly plan_path: string }>(`
  select held_ref as ref,
         plan_path
    from late_results
   where held_ref is not null
`);
