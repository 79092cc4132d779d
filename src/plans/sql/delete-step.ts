import { statement } from "../../platform/index.ts";

type StepParams = { plan_path: string; anchor: string };

/** Removes one step that the plan no longer has. Its edges were removed with all edges of the plan before. */
export const deleteStep = [
  statement<StepParams>("delete from step_artifacts where plan_path = :plan_path and step_anchor = :anchor"),
  statement<StepParams>("delete from checklist_items where plan_path = :plan_path and step_anchor = :anchor"),
  statement<StepParams>("delete from commit_intents where plan_path = :plan_path and anchor = :anchor"),
  statement<StepParams>("delete from steps where plan_path = :plan_path and anchor = :anchor"),
] as const;

export const deleteDependencies = statement<{ plan_path: string }>(
  "delete from step_deps where plan_path = :plan_path",
);

export const deleteItems = statement<StepParams>(
  "delete from checklist_items where plan_path = :plan_path and step_anchor = :anchor",
);
