import { isHeld } from "../../domain/index.ts";
import type { SeenOf } from "../rules/index.ts";
import { type EditDecision, findStep, loadGrow } from "../../plans/index.ts";
import type { ActContext } from "./act-context.ts";
import { freeAbandonedStep } from "./free-abandoned-step.ts";

/** Carries out what a person decided about a step that its plan changed; what its worker left is saved first. */
export async function settleEdit(
  { ports, because }: ActContext,
  { facts: { plan, anchor } }: SeenOf<"edit">,
  decision: EditDecision,
): Promise<string> {
  const database = await ports.database();
  const step = await database.read((sql) => sql.get(findStep, { plan_path: plan, anchor }));
  const saved =
    step && isHeld(step.status)
      ? await freeAbandonedStep(
          ports,
          { facts: { plan, anchor, stored: step.status } },
          { event: "reset", because },
        )
      : "";
  const { grow } = await loadGrow();
  await grow(ports, ports.plans.find(plan), new Map([[anchor, decision]]));
  const after = await database.read((sql) => sql.get(findStep, { plan_path: plan, anchor }));
  return `${after === undefined ? "gone from the state" : after.status.replace("_", " ")}${saved}`;
}
