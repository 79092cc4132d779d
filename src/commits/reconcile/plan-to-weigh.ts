import { flatten } from "../../domain/index.ts";
import type { Database, Ports } from "../../platform/ports/index.ts";
import {
  findPlan,
  listSteps,
  readPlan,
  type ReadPlan,
  refuseUnsavable,
  stepParams,
} from "../../plans/index.ts";
import type { StepContents } from "../bound-work.ts";

/** A plan that commits are held against. */
export interface PlanToWeigh {
  /** The file, where the plan has no state yet: it gets it together with what git proves, or a crash would leave it open. */
  readonly unsaved: ReadPlan | undefined;
  readonly contents: StepContents;
}

export async function planToWeigh(ports: Ports, database: Database, operand: string): Promise<PlanToWeigh> {
  const { key } = ports.plans.locate(operand);
  const saved = await database.read(async (sql) =>
    (await sql.get(findPlan, { plan_path: key })) ? sql.all(listSteps, { plan_path: key }) : undefined,
  );
  if (saved)
    return {
      unsaved: undefined,
      contents: new Map(saved.map(({ anchor, content_hash }) => [anchor, content_hash])),
    };
  const unsaved = await readPlan(ports, operand);
  refuseUnsavable(unsaved);
  const contents = flatten(unsaved.plan).map(
    ({ step, parent }, index) =>
      [step.anchor, stepParams(ports, key, step, parent, index).content_hash] as const,
  );
  return { unsaved, contents: new Map(contents) };
}
