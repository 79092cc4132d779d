import { type CheckpointRow, statement } from "../../platform/index.ts";

/** When each command ran that ended since an instant. */
export const listTimesSince = statement<
  { since: string },
  Pick<CheckpointRow, "plan_path" | "started_at"> & { readonly ended_at: string }
>(`
  select plan_path, started_at, ended_at
    from checkpoints
   where ended_at >= :since
`);
