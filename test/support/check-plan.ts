import type { Database } from "../../src/platform/ports/database.ts";
import { statement } from "../../src/platform/statement.ts";
import { familyOf } from "./check-world.ts";
import { type JournalLine, replayJournal } from "./replay-journal.ts";

type Params = { plan: string };
type Row = { plan_path: string; anchor: string; parent_anchor: string | null; status: string };

const listSteps = statement<Params, Row>(
  "select plan_path, anchor, parent_anchor, status from steps where plan_path = :plan",
);
const listEvents = statement<Params, JournalLine>("select * from events where plan_path = :plan order by id");

/** Whether the journal of one plan can have happened, and tells what the steps are; through the port, on any engine. */
export async function checkPlan(database: Database, plan: string): Promise<readonly string[]> {
  return database.read(async (sql) => {
    const steps = await sql.all(listSteps, { plan });
    const { plans, problems } = replayJournal(await sql.all(listEvents, { plan }), familyOf(steps));
    const told = plans.get(plan);
    const differing = steps
      .filter((step) => (told?.get(step.anchor)?.status ?? "pending") !== step.status)
      .map(
        (step) =>
          `${step.anchor} is ${step.status}, the journal says ${told?.get(step.anchor)?.status ?? "pending"}`,
      );
    return [...problems, ...differing];
  });
}
