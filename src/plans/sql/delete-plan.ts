import { statement } from "../../platform/index.ts";

type PlanParams = { plan_path: string };

/** Removes all rows of a plan, children first; the journal stays. Always after the state was saved to a file. */
export const deletePlan = [
  statement<PlanParams>("delete from step_artifacts where plan_path = :plan_path"),
  statement<PlanParams>("delete from checklist_items where plan_path = :plan_path"),
  statement<PlanParams>("delete from step_deps where plan_path = :plan_path"),
  statement<PlanParams>("delete from late_results where plan_path = :plan_path"),
  statement<PlanParams>("delete from commit_intents where plan_path = :plan_path"),
  statement<PlanParams>("delete from steps where plan_path = :plan_path and parent_anchor is not null"),
  statement<PlanParams>("delete from steps where plan_path = :plan_path"),
  statement<PlanParams>("delete from plan_snapshots where plan_path = :plan_path"),
  statement<PlanParams>("delete from plans where plan_path = :plan_path"),
] as const;
