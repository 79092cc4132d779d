import type { Lane } from "../../domain/index.ts";
import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";
import { LANE_OF } from "./lane-of.ts";
import { REQUIRED_STEP } from "./open-step.ts";

/**
 * How many top-level steps of each plan stand where, without the optional ones. A step of an interrupted session is
 * stopped, and not blocked.
 */
export const countLanes = statement<
  Params,
  { plan_path: string; lane: Lane; steps: number; blocked: number }
>(`
  select plan_path,
         ${LANE_OF.trim()} as lane,
         count(*) as steps,
         count(case when status in ('blocked', 'on_hold') then 1 end) as blocked
    from steps
   where parent_anchor is null and ${REQUIRED_STEP}
   group by 1, 2
`);
