import { Failure } from "../../domain/errors.ts";
import { isOpenItem } from "../../domain/plan.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { complete } from "../../steps/complete.ts";
import { momentOf } from "../../sessions/moment.ts";
import { savedPlan } from "../../plans/plan-state.ts";
import type { StepView } from "../../steps/plan-view.ts";
import { viewOf } from "../../steps/show.ts";
import type { ClaimedStep } from "../../steps/claimed-step.ts";
import { workerCaller, type Worker } from "./worker.ts";

/** A step as people see it, with its substeps. */
export async function viewOfStep(
  ports: Ports,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<StepView> {
  const database = await ports.database();
  const view = await database.read(async (sql) =>
    viewOf(sql, await savedPlan(sql, plan), momentOf(ports, sql)),
  );
  const step = view.steps.find((one) => one.anchor === anchor);
  if (step) return step;
  throw new Failure("step/unknown", `${plan} has no step ${anchor}.`, { plan_path: plan, anchor });
}

/** Substeps in which nothing is open are done: an agent ticks items, and nobody has to say it twice. */
export async function finishSubsteps(worker: Worker, held: ClaimedStep): Promise<void> {
  const { ports } = worker;
  const { substeps } = await viewOfStep(ports, held);
  for (const { anchor, items, status } of substeps) {
    if (status === "completed" || items.some(isOpenItem)) continue;
    try {
      await complete(ports, {
        plan: worker.operand ?? held.plan,
        step: anchor,
        caller: workerCaller(worker, held),
      });
    } catch (error) {
      // One that waits for another substep, or is held back, is told of by the strict completion of the step.
      if (!(error instanceof Failure) || !TOLD_LATER.has(error.problem)) throw error;
    }
  }
}

const TOLD_LATER: ReadonlySet<string> = new Set(["step/dependencies-open", "step/wrong-status"]);
