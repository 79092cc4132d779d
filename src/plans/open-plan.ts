import { Failure } from "../domain/index.ts";
import { lazy } from "../platform/index.ts";
import type { PlanContent, Ports } from "../platform/ports/index.ts";
import { countTopSteps } from "./sql/count-top-steps.ts";
import { findPlan } from "./sql/find-plan.ts";
import { isAsSaved } from "./plan-state.ts";
import type { ReadPlan } from "./save.ts";
import { openIfThere } from "../journal/index.ts";
import { loadReadPlan } from "./formats/index.ts";

/** A plan whose bytes are here, and are text. */
export interface OpenedPlan {
  readonly key: string;
  readonly content: PlanContent;
  /** Whether it has state, made from these very bytes. */
  readonly isAsSaved: boolean;
  readonly totalSteps: () => Promise<number>;
  /** What it says, worked out when it is first asked for; waits for nothing outside. */
  readonly read: () => Promise<ReadPlan>;
}

/**
 * Opens a plan for who may not need to know what it says, or can work that out while something else runs.
 *
 * Where the bytes are those that its state was made from, the state tells all about it. To parse it, and to load what
 * parses, would take a fresh process 8 ms.
 */
export async function openPlan(ports: Ports, operand: string): Promise<OpenedPlan> {
  const location = ports.plans.locate(operand);
  const content = ports.plans.read(location);
  const { key } = location;
  const saved = await savedSteps(ports, key, content);
  if (saved === undefined) (await loadReadPlan()).refuseNoText(content, key);
  const read = lazy(async () => (await import("./save.ts")).readPlanContent(ports, key, content));
  return {
    key,
    content,
    isAsSaved: saved !== undefined,
    totalSteps: async () => saved ?? (await read()).plan.steps.length,
    read,
  };
}

/** How many steps were saved from these bytes; undefined where others were, or none, or Pawl cannot know. */
async function savedSteps(ports: Ports, key: string, content: PlanContent): Promise<number | undefined> {
  try {
    const database = await openIfThere(ports);
    return await database?.read(async (sql) => {
      const plan = await sql.get(findPlan, { plan_path: key });
      if (!plan || !(await isAsSaved(ports, sql, plan, content))) return undefined;
      return (await sql.get(countTopSteps, { plan_path: key }))?.steps;
    });
  } catch (error) {
    // The verb that needs the database reports what is wrong with it.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
