import { statement } from "../../platform/index.ts";
import { stepLinesOf, type StepLineRow } from "./step-line.ts";

/** The next steps and substeps of a plan after a place in it: a page, however large the plan. */
export const pageSteps = statement<{ plan_path: string; after: number; most: number }, StepLineRow>(
  stepLinesOf(`select *
            from steps
           where plan_path = :plan_path
             and step_index > :after
           order by step_index
           limit :most`),
);
