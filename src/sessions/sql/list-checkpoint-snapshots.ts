import { statement } from "../../platform/index.ts";
import type { Params } from "../../platform/ports/index.ts";

/** Which plan each snapshot that a session took is of. */
export const listCheckpointSnapshots = statement<
  Params,
  { readonly ref: string; readonly plan_path: string }
>(`
  select snapshot_ref as ref,
         plan_path
    from checkpoints
   where snapshot_ref is not null
     and plan_path is not null
  union
  select snapshot_ref as ref,
         plan_path
    from sessions
   where snapshot_ref is not null
     and plan_path is not null
`);
