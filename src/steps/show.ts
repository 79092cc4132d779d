import { isHeld, type LeaseClock } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { asEntered, findSession, leaseClockOf, sumPlanUsage } from "../sessions/index.ts";
import {
  databaseFor,
  listArtifacts,
  listDependencies,
  listItems,
  listLateResults,
  listPlans,
  listSteps,
  savedPlan,
} from "../plans/index.ts";
import type { PlanRow, SessionRow, StepRow } from "../platform/index.ts";
import { planView, type PlanView } from "./plan-view.ts";
import { verificationsIn } from "./step-verification.ts";

/** One plan with all its progress. */
export async function show(ports: Ports, request: { readonly plan: string }): Promise<PlanView> {
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(asEntered(ports), key);
  return database.read(async (sql) => viewOf(sql, await savedPlan(sql, key), leaseClockOf(ports, sql)));
}

/** Every plan that has state. */
export async function showAll(ports: Ports): Promise<readonly PlanView[]> {
  const database = await asEntered(ports).database();
  return database.read(async (sql) => {
    const views: PlanView[] = [];
    for (const plan of await sql.all(listPlans, {}))
      views.push(await viewOf(sql, plan, leaseClockOf(ports, sql)));
    return views;
  });
}

export async function viewOf(sql: Sql, plan: PlanRow, moment: LeaseClock): Promise<PlanView> {
  const { plan_path } = plan;
  const steps = await sql.all(listSteps, { plan_path });
  return planView(
    {
      plan,
      steps,
      sessions: await holdersOf(sql, steps),
      dependencies: await sql.all(listDependencies, { plan_path }),
      items: await sql.all(listItems, { plan_path }),
      artifacts: await sql.all(listArtifacts, { plan_path }),
      lateResults: await sql.all(listLateResults, { plan_path }),
      verifications: await verificationsIn(sql, plan_path),
      usage: await sql.all(sumPlanUsage, { plan_path }),
    },
    moment,
  );
}

/** One look for each session, however many steps there are. */
async function holdersOf(sql: Sql, steps: readonly StepRow[]): Promise<readonly SessionRow[]> {
  const ids = new Set(
    steps.flatMap(({ status, session_id: id }) => (isHeld(status) && id !== null ? [id] : [])),
  );
  const found = await Promise.all([...ids].map((id) => sql.get(findSession, { id })));
  return found.filter((session) => session !== undefined);
}
