import { statement } from "../../platform/index.ts";
import { stepLinesOf, type StepLineRow } from "./step-line.ts";

/** One step of a page, read again because it changed. */
export const findStepLine = statement<{ plan_path: string; anchor: string }, StepLineRow>(
  stepLinesOf(`select *
            from steps
           where plan_path = :plan_path
             and anchor = :anchor`),
);
