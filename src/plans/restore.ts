import { cycleText, Failure, findCycles, isHeld } from "../domain/index.ts";
import type { Params, Ports, Sql, Value } from "../platform/ports/index.ts";
import { recountUnmetDeps } from "./sql/recount-unmet-deps.ts";
import { continueNumbers } from "./sql/continue-numbers.ts";
import { deletePlan } from "./sql/delete-plan.ts";
import { listSteps } from "./sql/list-steps.ts";
import { COPIED, type CopiedTable, writeRow } from "./sql/copy-table.ts";
import type { StepRow } from "../platform/index.ts";
import { backUp, type Backup, refuseChangedSince, type PlanBackup } from "./back-up.ts";
import { writeBackOrNotice } from "./write-back.ts";
import { journal } from "../journal/index.ts";
import { refuseInUse } from "./prune.ts";
import { updatePlanStatus } from "./update-plan-status.ts";

export interface RestoreAnswer {
  readonly planPath: string;
  readonly restored: boolean;
  readonly stepCount: number;
  /** Where the state that was replaced is now, if there was any. */
  readonly savedTo: string | null;
}

const MAX_BACKUP_BYTES = 256 * 1024 * 1024;

/** Brings back the state of a plan that Pawl saved to a file. What is there now is saved first. */
export async function restore(ports: Ports, request: { readonly path: string }): Promise<RestoreAnswer> {
  const saved = readBackup(ports, request.path);
  const key = saved.plan.plan_path;
  const database = await ports.database({ create: true });
  const backup = await backUp(ports, database, key);
  const work = database.write(async (sql) => {
    if (backup) await clear(sql, backup);
    await insertAll(sql, saved);
    await journal(sql, {
      event: "restored",
      plan: key,
      worktree: ports.repository.topLevel ?? null,
      detail: { from: request.path, saved_to: backup?.path ?? null, host: ports.machine.hostId },
    });
    return { planPath: key, restored: true, stepCount: saved.steps.length, savedTo: backup?.path ?? null };
  });
  const answer = await work.catch((error: unknown) => {
    // The tables refuse what Pawl never wrote: the file was edited, not the database damaged.
    if (error instanceof Failure && error.problem === "store/query-failed")
      throw unusable(request.path, "the database refuses what it says");
    throw error;
  });
  await writeBackOrNotice(ports, key);
  return answer;
}

async function clear(sql: Sql, backup: Backup): Promise<void> {
  await refuseChangedSince(sql, backup);
  refuseInUse(backup.plan, await sql.all(listSteps, { plan_path: backup.plan }));
  for (const statement of deletePlan) await sql.run(statement, { plan_path: backup.plan });
}

const unusable = (path: string, why: string): Failure =>
  new Failure("backup/unusable", `${path} is not a saved state: ${why}.`, { path });

function readBackup(ports: Ports, path: string): PlanBackup {
  let saved: PlanBackup;
  try {
    saved = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(ports.files.read(path, MAX_BACKUP_BYTES)),
    ) as PlanBackup;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unusable(path, "it cannot be read as JSON");
  }
  if (saved?.pawl !== "plan-state" || saved.version !== 1) throw unusable(path, "it does not say so");
  const lists = [saved.steps, saved.dependencies, saved.items, saved.artifacts, saved.lateResults];
  if (typeof saved.plan?.plan_path !== "string" || !lists.every(Array.isArray))
    throw unusable(path, "parts of it are missing");
  const { plan_path } = saved.plan;
  if (!isPlanPath(plan_path)) throw unusable(path, "the plan it names is not in a repository");
  const odd = saved.steps.find((step) => !isStep(step));
  if (odd !== undefined) throw unusable(path, "a step of it has a number that Pawl never gives");
  const [cycle] = findCycles(
    saved.steps.map(({ anchor, parent_anchor }) => ({ anchor, parent: parent_anchor ?? undefined })),
    saved.dependencies.map(({ step_anchor, depends_on }) => ({ from: step_anchor, to: depends_on })),
  );
  if (cycle !== undefined) throw unusable(path, `its steps wait for each other, ${cycleText(cycle)}`);
  return saved;
}

/** As `locate` makes them: relative, with slashes, never up and out. */
const isPlanPath = (path: string): boolean =>
  path !== "" && !path.startsWith("/") && !path.split("/").some((part) => ["", ".", ".."].includes(part));

/** Far from where numbers stop being exact: a number must still be able to grow. */
const MOST_CLAIMS = 2 ** 40;

const isStep = (step: StepRow): boolean =>
  step !== null &&
  Number.isSafeInteger(step.step_index) &&
  step.claim_seq >= 0 &&
  step.claim_seq <= MOST_CLAIMS;

async function insertAll(sql: Sql, saved: PlanBackup): Promise<void> {
  const { plan_path } = saved.plan;
  const insert = async (table: CopiedTable, rows: readonly object[]) => {
    const statement = writeRow(table);
    for (const row of rows) await sql.run(statement, params(COPIED[table], { ...row, plan_path }));
  };
  await insert("plans", [saved.plan]);
  await insert(
    "steps",
    saved.steps
      .map(withoutOwner)
      .sort((a, b) => Number(a.parent_anchor !== null) - Number(b.parent_anchor !== null)),
  );
  await sql.run(continueNumbers, { plan_path });
  await insert("step_deps", saved.dependencies);
  await insert("checklist_items", saved.items);
  await insert("step_artifacts", saved.artifacts);
  await insert("late_results", saved.lateResults);
  await insert("commit_intents", Array.isArray(saved.commitIntents) ? saved.commitIntents : []);
  if (saved.snapshot) await insert("plan_snapshots", [saved.snapshot]);
  // Counted, not believed: the file may have been edited.
  await sql.run(recountUnmetDeps, { plan_path });
  await updatePlanStatus(sql, plan_path);
}

/** The holder of a step at the time of the save does not hold it now. */
function withoutOwner(step: StepRow): StepRow {
  if (!isHeld(step.status)) return step;
  return {
    ...step,
    status: "pending",
    last_event: "lost",
    claim_seq: step.claim_seq + 1,
    claimed_by: null,
    worktree_id: null,
    session_id: null,
    session_over: null,
    claimed_host: null,
    claimed_at: null,
    lease_expires_at: null,
    lease_boot_id: null,
    lease_uptime_ms: null,
    heartbeat_at: null,
    started_at: null,
  };
}

/** Only known columns, only plain values: the file may have been edited. */
function params(columns: readonly string[], row: Readonly<Record<string, unknown>>): Params {
  const value = (column: string): Value => {
    const found = row[column];
    return typeof found === "string" || typeof found === "number" ? found : null;
  };
  return Object.fromEntries(columns.map((column) => [column, value(column)]));
}
