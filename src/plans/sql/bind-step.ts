import { statement } from "../../platform/index.ts";

/** A step keeps its text while its plan says something else: its place alone follows the plan. */
export const bindStep = statement<{
  plan_path: string;
  anchor: string;
  step_index: number;
  bound_to: string;
  stands_as: string | null;
}>(`
  update steps
     set step_index = :step_index,
         bound_to = coalesce(bound_to, :bound_to),
         stands_as = :stands_as
   where plan_path = :plan_path and anchor = :anchor
`);
