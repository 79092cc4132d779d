import type { Database } from "../../src/platform/ports/database.ts";
import { statement } from "../../src/platform/statement.ts";
import type { StepRow } from "../../src/platform/rows.ts";
import { plainWorld, type PlainWorld, testClock, type TestClock } from "../support/plain-world.ts";

/**
 * What a suite needs of a store: a database with Pawl's schema in it and nothing else.
 *
 * Every suite in this folder takes such a function, so that another engine runs the same sentences.
 */
export type OpenStore = (clock: TestClock) => Promise<Database>;

export interface ConformanceWorld extends PlainWorld {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

export async function openWorld(open: OpenStore): Promise<ConformanceWorld> {
  const clock = testClock();
  const database = await open(clock);
  const world = await plainWorld(database, clock);
  return {
    ...world,
    database,
    async close() {
      await database.close();
      world.remove();
    },
  };
}

/** SQL that no verb has: for looking at rows, and for doing what must not be possible. */
export const raw = <Row = never>(text: string) =>
  statement<Record<string, string | number | null>, Row>(text);

export const stepRow = (database: Database, plan: string, anchor: string): Promise<StepRow> =>
  database.read(async (sql) => {
    const row = await sql.get(
      raw<StepRow>("select * from steps where plan_path = :plan and anchor = :anchor"),
      { plan, anchor },
    );
    if (!row) throw new Error(`there is no ${anchor} in ${plan}`);
    return row;
  });

export const itemStatuses = (database: Database, plan: string, anchor: string): Promise<readonly string[]> =>
  database.read(async (sql) =>
    (
      await sql.all(
        raw<{ status: string }>(
          "select status from checklist_items where plan_path = :plan and step_anchor = :anchor order by id",
        ),
        { plan, anchor },
      )
    ).map((row) => row.status),
  );

/** The code of the refusal, `ok` when there was none. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
