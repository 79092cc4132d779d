import { Failure } from "../domain/errors.ts";
import type { Database, Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { findPlanSnapshot } from "../store/statements/find-plan-snapshot.ts";
import { findPlan } from "../store/statements/find-plan.ts";
import { listArtifacts } from "../store/statements/list-artifacts.ts";
import { listDependencies } from "../store/statements/list-dependencies.ts";
import { listIntents } from "../store/statements/list-intents.ts";
import { listItems } from "../store/statements/list-items.ts";
import { listLastEvents } from "../store/statements/list-last-events.ts";
import { listLateResults } from "../store/statements/list-late-results.ts";
import { listSteps } from "../store/statements/list-steps.ts";
import type {
  ArtifactRow,
  DependencyRow,
  IntentRow,
  ItemRow,
  LateResultRow,
  PlanRow,
  SnapshotRow,
  StepRow,
} from "../store/statements/rows.ts";

/** The whole state of one plan, as it is written to a file and read back from it. */
export interface SavedState {
  readonly pawl: "plan-state";
  readonly version: 1;
  readonly plan: PlanRow;
  readonly steps: readonly StepRow[];
  readonly dependencies: readonly DependencyRow[];
  readonly items: readonly ItemRow[];
  readonly artifacts: readonly ArtifactRow[];
  readonly lateResults: readonly LateResultRow[];
  /** Absent in files of older versions. */
  readonly commitIntents?: readonly IntentRow[];
  readonly snapshot: SnapshotRow | null;
}

export interface Backup {
  readonly plan: string;
  readonly path: string;
  /** The newest line of the plan's journal that the file knows of. */
  readonly lastEvent: number;
}

/** Writes the state of a plan to a file, before something takes it away. Undefined when the plan has none. */
export async function backUp(ports: Ports, database: Database, key: string): Promise<Backup | undefined> {
  const seen = await database.read(async (sql) => {
    const plan = await sql.get(findPlan, { plan_path: key });
    return plan && { state: await stateOf(sql, plan), lastEvent: await lastEventOf(sql, key), now: sql.now };
  });
  if (!seen) return undefined;
  const name = `${key.replace(/[^A-Za-z0-9._-]+/g, "-")}-${seen.now.replace(/[:.]/g, "")}-${ports.newId().slice(0, 8)}.json`;
  const path = `${ports.stateDir}/saved/${name}`;
  ports.files.makeFolder(`${ports.stateDir}/saved`);
  ports.files.create(path, `${JSON.stringify(seen.state, null, 1)}\n`);
  return { plan: key, path, lastEvent: seen.lastEvent };
}

/** The file was written outside the transaction; it must still tell the whole story inside it. */
export async function refuseChangedSince(sql: Sql, { plan, lastEvent }: Backup): Promise<void> {
  if ((await lastEventOf(sql, plan)) === lastEvent) return;
  throw new Failure("store/busy", `${plan} changed while its state was being saved.`, { plan_path: plan });
}

async function lastEventOf(sql: Sql, key: string): Promise<number> {
  const [newest] = await sql.all(listLastEvents, { plan_path: key, anchor: null, most: 1 });
  return newest?.id ?? 0;
}

async function stateOf(sql: Sql, plan: PlanRow): Promise<SavedState> {
  const { plan_path, plan_hash } = plan;
  return {
    pawl: "plan-state",
    version: 1,
    plan,
    steps: await sql.all(listSteps, { plan_path }),
    dependencies: await sql.all(listDependencies, { plan_path }),
    items: await sql.all(listItems, { plan_path }),
    artifacts: await sql.all(listArtifacts, { plan_path }),
    lateResults: await sql.all(listLateResults, { plan_path }),
    commitIntents: await sql.all(listIntents, { plan_path }),
    snapshot: (await sql.get(findPlanSnapshot, { plan_path, plan_hash })) ?? null,
  };
}
