import type { PlanSteps } from "../plan-steps.ts";

/** What each way of seeing a plan is given. */
export interface PlanViewProps {
  readonly plan: PlanSteps;
  /** In lower case; empty when everything is wanted. */
  readonly filter: string;
}

export const fits = (step: { readonly title: string; readonly anchor: string }, filter: string): boolean =>
  filter === "" || step.title.toLowerCase().includes(filter) || step.anchor.toLowerCase().includes(filter);
