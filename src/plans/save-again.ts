import { flatten, isHeld, type PlanStep, type StepStatus } from "../domain/index.ts";
import { contentOf, identityOf } from "./formats/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { deleteDependencies, deleteItems, deleteStep } from "./sql/delete-step.ts";
import { insertStep } from "./sql/insert-step.ts";
import { listStepItems } from "./sql/list-step-items.ts";
import { listSteps } from "./sql/list-steps.ts";
import { replacePlan } from "./sql/replace-plan.ts";
import { replaceStep } from "./sql/replace-step.ts";
import type { StepRow } from "../platform/index.ts";
import { backUp, refuseChangedSince } from "./back-up.ts";
import { adoptProgress } from "./adopt-progress.ts";
import { committedHashOf } from "./growth/committed-plan.ts";
import { carryOver, findMoved, isCarried, stepsBefore, type StepsBefore } from "./carry-over.ts";
import { writeBackOrNotice } from "./write-back.ts";
import { freeHeldStep } from "./transitions/free-held-step.ts";
import { journal } from "../journal/index.ts";
import { savedStep } from "./plan-state.ts";
import { updatePlanStatus } from "./update-plan-status.ts";
import { undoCompletion } from "./transitions/undo-completion.ts";
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
  const committedHash = await committedHashOf(ports, read);
  const answer = await database.write(async (sql): Promise<SaveAgainAnswer> => {
    await refuseChangedSince(sql, backup);
    const discard = request.discardProgress ?? false;
    const { kept, dropped } = await rewrite(sql, ports, read, { discard, committedHash });
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
  await writeBackOrNotice(ports, read.key);
  return answer;
}

interface Rewriting {
  readonly discard: boolean;
  readonly committedHash: string | null;
}

async function rewrite(sql: Sql, ports: Ports, read: ReadPlan, { discard, committedHash }: Rewriting) {
  const plan_path = read.key;
  const rows = await sql.all(listSteps, { plan_path });
  const before = new Map(rows.map((row) => [row.anchor, row]));
  const said = await stepsBefore(sql, rows);
  const kept = discard ? new Set<string>() : await stepsToKeep(sql, ports, read, { before, said });
  const moved = discard ? new Map<string, StepRow>() : findMoved(read, before, said, kept);
  const carried = new Set([...moved.values()].filter(isCarried).map(({ anchor }) => anchor));
  const dropped: DroppedStep[] = [];
  const anchors = new Set(flatten(read.plan).map(({ step }) => step.anchor));

  // Edges go first: a step that others depend on cannot be removed, and all of them are written anew.
  await sql.run(deleteDependencies, { plan_path });
  for (const row of before.values()) {
    if (kept.has(row.anchor)) continue;
    const because = discard ? "discarded" : anchors.has(row.anchor) ? "changed" : "removed";
    await dropProgress(sql, row, because);
    if (row.status !== "pending") dropped.push(droppedOf(row, because));
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
    committed_hash: committedHash,
    now: sql.now,
  });
  await keepSnapshot(sql, read);
  await insertEdges(sql, read);
  // Substeps first: a step is only done when they are.
  for (const { step } of flatten(read.plan).toSorted((a, b) => Number(!a.parent) - Number(!b.parent))) {
    const was = moved.get(step.anchor);
    if (was) await carryOver(sql, plan_path, step.anchor, was);
  }
  const names = new Set([
    ...kept,
    ...[...moved].filter(([, row]) => isCarried(row)).map(([anchor]) => anchor),
  ]);
  const isNew = (anchor: string) => !before.has(anchor) && !names.has(anchor);
  if (!discard) await adoptProgress(sql, plan_path, read.plan, isNew);
  await updatePlanStatus(sql, plan_path);
  return {
    kept: flatten(read.plan)
      .map(({ step }) => step.anchor)
      .filter((anchor) => names.has(anchor)),
    dropped: dropped.filter(({ anchor }) => !carried.has(anchor)),
  };
}

interface Before {
  readonly before: ReadonlyMap<string, StepRow>;
  readonly said: StepsBefore;
}

/** Steps that say the same as before under the same name. A completed step is only the same if its substeps are. */
async function stepsToKeep(
  sql: Sql,
  ports: Ports,
  read: ReadPlan,
  { before, said }: Before,
): Promise<Set<string>> {
  const same = new Set<string>();
  for (const { step, parent } of flatten(read.plan)) {
    const row = before.get(step.anchor);
    if (!row || row.parent_anchor !== (parent ?? null)) continue;
    const was = said.get(step.anchor);
    const isKept = was ? identityOf(was) === identityOf(step) : await saysTheSame(sql, ports, row, step);
    if (isKept) same.add(step.anchor);
  }
  for (const { anchor, substeps } of read.plan.steps) {
    const finished = before.get(anchor)?.status === "completed";
    if (finished && !substeps.every((substep) => same.has(substep.anchor))) same.delete(anchor);
  }
  return same;
}

/** By the row alone, where the text from before is not kept or does not fit the rows. */
async function saysTheSame(sql: Sql, ports: Ports, row: StepRow, step: PlanStep): Promise<boolean> {
  if (row.content_hash !== null)
    return [identityOf(step), contentOf(step)].some((text) => row.content_hash === ports.sha256(text));
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
export async function dropProgress(sql: Sql, row: StepRow, because: DroppedStep["because"]): Promise<void> {
  if (row.status === "pending") return;
  const current = await savedStep(sql, row.plan_path, row.anchor);
  if (current.status === "completed")
    await undoCompletion(sql, current, `the plan was read again: ${because}`);
  else if (isHeld(current.status)) await freeHeldStep(sql, current, "reset");
  else if (current.status !== "pending") await freeHeldStep(sql, current, "retried");
}

const droppedOf = (row: StepRow, because: DroppedStep["because"]): DroppedStep => ({
  anchor: row.anchor,
  was: row.status,
  because,
  commit: row.commit_hash,
  claimedBy: isHeld(row.status) ? row.claimed_by : null,
});

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
