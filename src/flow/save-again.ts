import { flatten, type PlanStep } from "../domain/plan.ts";
import { isHeld, type StepStatus } from "../domain/step-machine.ts";
import { contentOf } from "../formats/step-text.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { deleteDependencies, deleteItems, deleteStep } from "../store/statements/delete-step.ts";
import { insertStep } from "../store/statements/insert-step.ts";
import { listStepItems } from "../store/statements/list-step-items.ts";
import { listSteps } from "../store/statements/list-steps.ts";
import { replacePlan } from "../store/statements/replace-plan.ts";
import { replaceStep } from "../store/statements/replace-step.ts";
import type { StepRow } from "../store/statements/rows.ts";
import { backUp, refuseChangedSince } from "./back-up.ts";
import { adoptProgress } from "./adopt-progress.ts";
import { followAfter } from "./follow.ts";
import { free } from "./free.ts";
import { journal } from "./journal.ts";
import { stepOf } from "./plan-state.ts";
import { settle } from "./settle.ts";
import { undoCompletion } from "./reopen.ts";
import {
  countsOf,
  insertEdges,
  insertItems,
  keepSnapshot,
  readPlan,
  type ReadPlan,
  refuseInvalid,
  save,
  type SaveAnswer,
  stepParams,
} from "./save.ts";

export interface SaveAgainRequest {
  readonly plan: string;
  /** Another format than the one it was saved in. */
  readonly format?: string | undefined;
  /** Starts from nothing instead of keeping what can be kept. */
  readonly discardProgress?: boolean;
}

export interface DroppedStep {
  readonly anchor: string;
  readonly was: StepStatus;
  readonly because: "changed" | "removed" | "discarded";
  readonly commit: string | null;
  readonly claimedBy: string | null;
}

export interface SaveAgainAnswer extends SaveAnswer {
  readonly reinitialized: boolean;
  readonly keptSteps: readonly string[];
  readonly droppedSteps: readonly DroppedStep[];
  /** Where the state from before was saved; `pawl state restore` reads it. */
  readonly savedTo: string | null;
}

/**
 * Reads an edited plan again and keeps the progress of every step whose words are the same.
 *
 * What cannot be kept is listed, and the whole state from before lies in a file before the first row changes.
 */
export async function saveAgain(ports: Ports, request: SaveAgainRequest): Promise<SaveAgainAnswer> {
  const read = await readPlan(ports, request.plan, request.format);
  refuseInvalid(read);
  const database = await ports.database({ create: true });
  const backup = await backUp(ports, database, read.key);
  if (!backup) {
    return {
      ...(await save(ports, request)),
      reinitialized: false,
      keptSteps: [],
      droppedSteps: [],
      savedTo: null,
    };
  }
  const answer = await database.write(async (sql): Promise<SaveAgainAnswer> => {
    await refuseChangedSince(sql, backup);
    const { kept, dropped } = await rewrite(sql, ports, read, request.discardProgress ?? false);
    await journal(sql, {
      event: "saved-again",
      plan: read.key,
      worktree: ports.repository.topLevel ?? null,
      detail: {
        plan_hash: read.hash,
        kept: kept.length,
        dropped,
        saved_to: backup.path,
        host: ports.machine.hostId,
      },
    });
    return {
      ...countsOf(read.plan),
      planPath: read.key,
      planHash: read.hash,
      alreadyInitialized: true,
      planChanged: false,
      diagnostics: read.plan.diagnostics,
      reinitialized: true,
      keptSteps: kept,
      droppedSteps: dropped,
      savedTo: backup.path,
    };
  });
  await followAfter(ports, read.key);
  return answer;
}

async function rewrite(sql: Sql, ports: Ports, read: ReadPlan, discard: boolean) {
  const plan_path = read.key;
  const before = new Map((await sql.all(listSteps, { plan_path })).map((row) => [row.anchor, row]));
  const kept = discard ? new Set<string>() : await stepsToKeep(sql, ports, read, before);
  const dropped: DroppedStep[] = [];
  const anchors = new Set(flatten(read.plan).map(({ step }) => step.anchor));

  // Edges go first: a step that others depend on cannot be removed, and all of them are written anew.
  await sql.run(deleteDependencies, { plan_path });
  for (const row of before.values()) {
    if (kept.has(row.anchor)) continue;
    await drop(sql, row, discard ? "discarded" : anchors.has(row.anchor) ? "changed" : "removed", dropped);
  }
  for (const [index, { step, parent }] of flatten(read.plan).entries()) {
    await sql.run(
      before.has(step.anchor) ? replaceStep : insertStep,
      stepParams(ports, plan_path, step, parent, index),
    );
    if (kept.has(step.anchor)) continue;
    await sql.run(deleteItems, { plan_path, anchor: step.anchor });
    await insertItems(sql, plan_path, step);
  }
  await removeGone(sql, before, anchors);
  await sql.run(replacePlan, {
    plan_path,
    plan_hash: read.hash,
    format: read.plan.format,
    phase_title: read.plan.title ?? null,
    now: sql.now,
  });
  await keepSnapshot(sql, read);
  await insertEdges(sql, read);
  if (!discard) await adoptProgress(sql, plan_path, read.plan, (anchor) => !before.has(anchor));
  await settle(sql, plan_path);
  return { kept: [...kept], dropped };
}

/** Steps that say the same as before. A completed step is only the same if its substeps are. */
async function stepsToKeep(
  sql: Sql,
  ports: Ports,
  read: ReadPlan,
  before: ReadonlyMap<string, StepRow>,
): Promise<Set<string>> {
  const same = new Set<string>();
  for (const { step, parent } of flatten(read.plan)) {
    const row = before.get(step.anchor);
    if (row && (await isSame(sql, ports, row, step, parent))) same.add(step.anchor);
  }
  for (const { anchor, substeps } of read.plan.steps) {
    const finished = before.get(anchor)?.status === "completed";
    if (finished && !substeps.every((substep) => same.has(substep.anchor))) same.delete(anchor);
  }
  return same;
}

async function isSame(
  sql: Sql,
  ports: Ports,
  row: StepRow,
  step: PlanStep,
  parent: string | undefined,
): Promise<boolean> {
  if (row.parent_anchor !== (parent ?? null)) return false;
  if (row.content_hash !== null) return row.content_hash === ports.sha256(contentOf(step));
  // Rows of version 1 know only titles and items.
  const items = await sql.all(listStepItems, { plan_path: row.plan_path, anchor: row.anchor });
  const words = (list: readonly { kind: string; text: string }[]) =>
    list
      .map(({ kind, text }) => `${kind}\n${text}`)
      .sort()
      .join("\n");
  return row.title === step.title && words(items) === words(step.items);
}

/** Takes the progress of a step away by the same moves a person would have to make. */
async function drop(
  sql: Sql,
  row: StepRow,
  because: DroppedStep["because"],
  dropped: DroppedStep[],
): Promise<void> {
  if (row.status === "pending" && row.claim_seq === 0) return;
  const current = await stepOf(sql, row.plan_path, row.anchor);
  if (current.status === "completed")
    await undoCompletion(sql, current, `the plan was read again: ${because}`);
  else if (isHeld(current.status)) await free(sql, current, "reset");
  else if (current.status !== "pending") await free(sql, current, "retried");
  if (row.status === "pending") return;
  dropped.push({
    anchor: row.anchor,
    was: row.status,
    because,
    commit: row.commit_hash,
    claimedBy: isHeld(row.status) ? row.claimed_by : null,
  });
}

/** Substeps before their steps, because they point at them. */
async function removeGone(
  sql: Sql,
  before: ReadonlyMap<string, StepRow>,
  anchors: ReadonlySet<string>,
): Promise<void> {
  const gone = [...before.values()].filter((row) => !anchors.has(row.anchor));
  gone.sort((a, b) => Number(a.parent_anchor === null) - Number(b.parent_anchor === null));
  for (const { plan_path, anchor } of gone) {
    for (const statement of deleteStep) await sql.run(statement, { plan_path, anchor });
  }
}
