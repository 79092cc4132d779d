import type { Sql } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { lockedStep, savedStep } from "../plans/index.ts";

export interface StepFamily {
  readonly step: StepRow;
  /** The step that a substep belongs to. */
  readonly parent: StepRow | undefined;
}

/** Locks a step, and before it the step that it is a substep of: a claim locks them in this order, too. */
export async function lockFamily(sql: Sql, plan: string, named: string): Promise<StepFamily> {
  const { parent_anchor } = await savedStep(sql, plan, named);
  const parent = parent_anchor === null ? undefined : await lockedStep(sql, plan, parent_anchor);
  return { step: await lockedStep(sql, plan, named), parent };
}
