import { flatten, type PlanStep } from "../domain/index.ts";
import { contentOf, identityOf, parseKept } from "./formats/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { adoptAttempts } from "./sql/adopt-attempts.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import { findPlan } from "./sql/find-plan.ts";
import type { StepRow } from "../platform/index.ts";
import { freeHeldStep } from "./transitions/free-held-step.ts";
import { journal } from "../journal/index.ts";
import { savedStep } from "./plan-state.ts";
import { completeByProof } from "./transitions/complete-by-proof.ts";
import type { ReadPlan } from "./save.ts";

/** What each step said when the plan was last read, by its name in the store; none for a step that cannot be recognised. */
export type StepsBefore = ReadonlyMap<string, PlanStep>;

/**
 * Reads the kept text of a plan again.
 *
 * The store knows its steps by names that an older Pawl may have made by their order. So they are matched in that
 * order, and only where the titles agree; where steps keep an earlier text, each by its name in its own.
 */
export async function stepsBefore(sql: Sql, rows: readonly StepRow[]): Promise<StepsBefore> {
  const plan_path = rows[0]?.plan_path ?? "";
  const plan = await sql.get(findPlan, { plan_path });
  if (!plan) return new Map();
  const steps = await keptSteps(sql, plan_path, plan.plan_hash);
  const inOrder = rows.toSorted((a, b) => a.step_index - b.step_index);
  const isWhole =
    steps.length === inOrder.length && inOrder.every((row, index) => isTitled(steps[index]!, row));
  if (isWhole && rows.every(({ bound_to }) => bound_to === null))
    return new Map(inOrder.map((row, index) => [row.anchor, steps[index]!]));
  if (rows.every(({ bound_to }) => bound_to === null)) return new Map();
  const found = new Map<string, PlanStep>();
  for (const row of rows) {
    const kept = row.bound_to === null ? steps : await keptSteps(sql, plan_path, row.bound_to);
    const said = kept.find((step) => step.anchor === row.anchor && isTitled(step, row));
    if (said) found.set(row.anchor, said);
  }
  return found;
}

/** An older Pawl kept titles with their marks. */
const isTitled = ({ title, markedTitle }: PlanStep, row: StepRow): boolean =>
  row.title === title || row.title === markedTitle;

/** What the text that was read last says of steps that keep an earlier one. */
export async function stepsReadLast(sql: Sql, rows: readonly StepRow[]): Promise<StepsBefore> {
  const bound = rows.filter(({ stands_as }) => stands_as !== null);
  const plan_path = bound[0]?.plan_path;
  const plan = plan_path === undefined ? undefined : await sql.get(findPlan, { plan_path });
  if (!plan) return new Map();
  const steps = await keptSteps(sql, plan.plan_path, plan.plan_hash);
  return new Map(
    bound.flatMap((row) => {
      const step = steps.find(({ anchor }) => anchor === row.stands_as);
      return step ? [[row.anchor, step] as const] : [];
    }),
  );
}

async function keptSteps(sql: Sql, plan_path: string, plan_hash: string): Promise<readonly PlanStep[]> {
  const kept = await sql.get(findPlanSnapshot, { plan_path, plan_hash });
  return kept ? flatten(parseKept(kept.content, kept.format)).map(({ step }) => step) : [];
}

/** A step that has another name by now, with the row of its old one. */
export type Moved = ReadonlyMap<string, StepRow>;

/**
 * Finds steps that say the same as before under another name: renumbered, or recognised beside a new one.
 *
 * The section counts as what the step says. Where that alone differs, the same words may be other work; the file
 * itself has to say that it is done. Two steps that say the same are never guessed about.
 */
export function findMoved(
  { plan }: ReadPlan,
  rows: ReadonlyMap<string, StepRow>,
  before: StepsBefore,
  kept: ReadonlySet<string>,
): Moved {
  const moved = new Map<string, StepRow>();
  const taken = new Set<string>();
  const match = (textOf: (step: PlanStep) => string, counts: (step: PlanStep) => boolean) => {
    const old = byText(
      [...before].filter(([anchor]) => !kept.has(anchor) && !taken.has(anchor)),
      textOf,
    );
    const open = flatten(plan).filter(({ step }) => !kept.has(step.anchor) && !moved.has(step.anchor));
    const fresh = byText(
      open.map(({ step }) => [step.anchor, step]),
      textOf,
    );
    for (const { step, parent } of open) {
      const key = textOf(step);
      const [was, ...more] = old.get(key) ?? [];
      const row = was === undefined ? undefined : rows.get(was);
      if (!row || more.length > 0 || fresh.get(key)!.length > 1 || !counts(step)) continue;
      if ((row.parent_anchor === null) !== (parent === undefined)) continue;
      moved.set(step.anchor, row);
      taken.add(row.anchor);
    }
  };
  match(identityOf, () => true);
  match(contentOf, ({ section, progress }) => section !== undefined && progress?.status === "completed");
  for (const { anchor, substeps } of plan.steps) {
    const isDone = ({ anchor: part }: PlanStep) =>
      (moved.get(part) ?? (kept.has(part) ? rows.get(part) : undefined))?.status === "completed";
    // What proves a step proves its substeps, so a new one among them must keep it open.
    if (moved.get(anchor)?.status === "completed" && !substeps.every(isDone)) moved.delete(anchor);
  }
  return moved;
}

function byText(
  steps: readonly (readonly [string, PlanStep])[],
  textOf: (step: PlanStep) => string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [anchor, step] of steps) {
    const key = textOf(step);
    const same = found.get(key);
    if (same) same.push(anchor);
    else found.set(key, [anchor]);
  }
  return found;
}

/** Statuses that a step takes along. A step that is held under the old name is released instead. */
export const isCarried = ({ status }: StepRow): boolean =>
  status === "completed" || status === "blocked" || status === "on_hold";

/** Brings a step to where its row of before was, by the moves that verbs make. */
export async function carryOver(sql: Sql, plan_path: string, anchor: string, was: StepRow): Promise<void> {
  const step = await savedStep(sql, plan_path, anchor);
  const { status, verification_attempts: attempts, block_reason: reason, block_note: note } = was;
  if (attempts > 0) await sql.run(adoptAttempts, { plan_path, anchor, attempts });
  if (status === "completed") {
    await completeByProof(sql, step, { commit: was.commit_hash, reason: was.complete_reason });
    return;
  }
  if (status !== "blocked" && status !== "on_hold") return;
  const event = status === "blocked" ? "blocked" : "held";
  await freeHeldStep(sql, step, event, { reason, note });
  await journal(sql, { event, plan: plan_path, anchor, detail: { reason, note, was: was.anchor } });
}
