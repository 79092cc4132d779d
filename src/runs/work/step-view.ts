import { savedPlan, stepSnapshot } from "../../plans/index.ts";
import { Failure, flatten, isOpenItem, type PlanStep } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { type ClaimedStep, complete, type StepView, tickableItems, viewOf } from "../../steps/index.ts";
import { leaseClockOf } from "../../sessions/index.ts";
import { workerCaller, type Worker } from "./worker.ts";
import { loadReadPlan } from "../../plans/formats/index.ts";

/** A step as people see it, with its substeps. */
export async function viewOfStep(
  ports: Ports,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<StepView> {
  const database = await ports.database();
  const view = await database.read(async (sql) =>
    viewOf(sql, await savedPlan(sql, plan), leaseClockOf(ports, sql)),
  );
  const step = view.steps.find((one) => one.anchor === anchor);
  if (step) return step;
  throw new Failure("step/unknown", `${plan} has no step ${anchor}.`, { plan_path: plan, anchor });
}

/** Substeps whose items are all ticked are done: no caller has to say it twice. One without items was ticked itself. */
export async function finishSubsteps(worker: Worker, held: ClaimedStep): Promise<void> {
  const { ports } = worker;
  const { substeps } = await viewOfStep(ports, held);
  for (const substep of substeps) {
    const { anchor, status } = substep;
    if (status === "completed" || tickableItems(substep).some(isOpenItem)) continue;
    try {
      await complete(ports, {
        plan: worker.operand ?? held.plan,
        step: anchor,
        caller: workerCaller(worker, held),
      });
    } catch (error) {
      // One that waits for another substep, or is held back, is reported by the strict completion of the step.
      if (!(error instanceof Failure) || !TOLD_LATER.has(error.problem)) throw error;
    }
  }
}

const TOLD_LATER: ReadonlySet<string> = new Set(["step/dependencies-open", "step/wrong-status"]);

/** A step as its author wrote it, out of the plan as it was saved; undefined where that was not kept. */
export async function writtenStep(
  ports: Ports,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<PlanStep | undefined> {
  const database = await ports.database();
  const saved = await database.read((sql) => stepSnapshot(sql, { plan, anchor }));
  if (saved === undefined) return undefined;
  const { parseKept } = await loadReadPlan();
  const steps = flatten(parseKept(saved.content, saved.format));
  return steps.find(({ step }) => step.anchor === anchor)?.step;
}
