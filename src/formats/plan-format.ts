import type { Plan } from "../domain/plan.ts";

/** One way to write a plan. */
export interface PlanFormat {
  readonly name: string;
  /** Asked in the order of the registry; the first to say yes reads the plan. */
  readonly recognises: (path: string, text: string) => boolean;
  /** Never throws for what a plan may hold: what is wrong comes back as diagnostics. */
  readonly read: (text: string) => Plan;
}
