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

/** What its steps say is read only where there are commits to hold against it. */
export async function planToWeigh(
  ports: Ports,
  database: Database,
  operand: string,
  { hasCommits }: { readonly hasCommits: boolean },
): Promise<PlanToWeigh> {
  const { key } = ports.plans.locate(operand);
  const saved = await database.read(async (sql) => {
    if ((await sql.get(findPlan, { plan_path: key })) === undefined) return undefined;
    return hasCommits ? sql.all(listSteps, { plan_path: key }) : [];
  });
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
