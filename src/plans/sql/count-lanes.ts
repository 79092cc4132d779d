import type { Lane } from "../../domain/index.ts";
import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";
import { LANE_OF } from "./lane-of.ts";

/** How many top-level steps of each plan stand where. */
export const countLanes = statement<Params, { plan_path: string; lane: Lane; steps: number }>(`
  select plan_path,
         ${LANE_OF.trim()} as lane,
         count(*) as steps
    from steps
   where parent_anchor is null
   group by 1, 2
`);
