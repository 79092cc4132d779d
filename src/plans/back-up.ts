import { Failure } from "../domain/index.ts";
import type { Database, Ports, Sql } from "../platform/ports/index.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import { findPlan } from "./sql/find-plan.ts";
import { listArtifacts } from "./sql/list-artifacts.ts";
import { listDependencies } from "./sql/list-dependencies.ts";
import { listIntents } from "./sql/list-intents.ts";
import { listItems } from "./sql/list-items.ts";
import { lockSteps } from "./sql/lock-steps.ts";
import { type JournalEnd, measureJournal } from "../journal/index.ts";
import { listLateResults } from "./sql/list-late-results.ts";
import { listSteps } from "./sql/list-steps.ts";
import type {
  ArtifactRow,
  DependencyRow,
  IntentRow,
  ItemRow,
  LateResultRow,
  PlanRow,
  SnapshotRow,
  StepRow,
} from "../platform/index.ts";

/** The whole state of one plan, as it is written to a file and read back from it. */
export interface PlanBackup {
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
  /** The part of the plan's journal that the file knows of. */
  readonly journal: JournalEnd;
}

/** Writes the state of a plan to a file, before something takes it away. Undefined when the plan has none. */
export async function backUp(ports: Ports, database: Database, key: string): Promise<Backup | undefined> {
  const seen = await database.read(async (sql) => {
    const plan = await sql.get(findPlan, { plan_path: key });
    return plan && { state: await stateOf(sql, plan), journal: await journalOf(sql, key), now: sql.now };
  });
  if (!seen) return undefined;
  const name = `${key.replace(/[^A-Za-z0-9._-]+/g, "-").slice(-120)}-${seen.now.replace(/[:.]/g, "")}-${ports.newId().slice(0, 8)}.json`;
  const path = `${ports.stateDir}/saved/${name}`;
  ports.files.makeFolder(`${ports.stateDir}/saved`);
  ports.files.create(path, `${JSON.stringify(seen.state, null, 1)}\n`);
  return { plan: key, path, journal: seen.journal };
}

/** The file was written outside the transaction; it must still tell the whole story inside it. */
export async function refuseChangedSince(sql: Sql, { plan, journal }: Backup): Promise<void> {
  await sql.all(lockSteps, { plan_path: plan });
  const now = await journalOf(sql, plan);
  if (now.lines === journal.lines && now.last === journal.last) return;
  throw new Failure("store/busy", `${plan} changed while its state was being saved.`, { plan_path: plan });
}

/** Lines may become visible in another order than they are numbered in, so both their number and the last count. */
const journalOf = async (sql: Sql, key: string): Promise<JournalEnd> =>
  (await sql.get(measureJournal, { plan_path: key })) ?? { lines: 0, last: 0 };

async function stateOf(sql: Sql, plan: PlanRow): Promise<PlanBackup> {
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
