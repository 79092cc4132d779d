import { OPTIONAL } from "../../domain/index.ts";
import { statement, type StepRow } from "../../platform/index.ts";

/** On hold because its plan can be done without it: offered, and never in the way. */
const offered = (row: string) =>
  `${row}status = 'on_hold' and coalesce(${row}block_reason, '') = '${OPTIONAL}'`;

/** Whether a row of `steps` counts: its plan is not done without it. */
export const requiredStep = (row: string): string => `not (${offered(row)})`;

export const REQUIRED_STEP = requiredStep("");

/** Whether a row of `steps`, under an alias such as `s.`, is still to be done; as a condition. */
export const openStep = (row: string): string => `${row}status <> 'completed' and ${requiredStep(row)}`;

export const OPEN_STEP = openStep("");

/** Optional steps that no one has asked for. */
export const listOfferedSteps = statement<{ plan_path: string; most: number }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and ${offered("")}
   order by step_index
   limit :most
`);
