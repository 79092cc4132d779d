import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listPlans, save } from "../plans/index.ts";
import { openIfThere } from "../journal/index.ts";

/**
 * The plan that an agent is to work on, with state. One that has none yet gets it; an invalid one is refused.
 *
 * Without a name it is the only plan that is not done: with two, whichever Pawl took would be a guess.
 */
export async function choosePlan(ports: Ports, named: string | undefined): Promise<string> {
  const database = await openIfThere(ports);
  const plans = database ? await database.read((sql) => sql.all(listPlans, {})) : [];
  if (named !== undefined) {
    const { key } = ports.plans.locate(named);
    if (!plans.some(({ plan_path }) => plan_path === key)) await save(ports, { plan: named });
    return key;
  }
  const active = plans.filter(({ status }) => status === "active");
  const choice = active.length > 0 ? active : plans;
  const [only] = choice;
  if (only && choice.length === 1) return only.plan_path;
  const known = choice.length > 0 ? choice.map(({ plan_path }) => plan_path) : ports.plans.search();
  throw new Failure(
    "desk/which-plan",
    known.length === 0 ? "There is no plan here." : `There are ${known.length} plans here.`,
    { plans: known.slice(0, MOST_NAMES) },
  );
}

const MOST_NAMES = 20;
