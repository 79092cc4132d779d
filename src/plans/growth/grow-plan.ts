import { IN_THE_FILE, isHeld, type Plan, type PlanStep } from "../../domain/index.ts";
import { contentOf, identityOf } from "../formats/index.ts";
import type { DependencyRow, PlanRow, StepRow } from "../../platform/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import { adoptProgress } from "../adopt-progress.ts";
import { carryOver, isCarried, stepsBefore, stepsReadLast } from "../carry-over.ts";
import { dropProgress } from "../save-again.ts";
import { insertItems, keepSnapshot, type ReadPlan, stepParams } from "../save.ts";
import { acceptCompletion } from "../sql/accept-completion.ts";
import { bindStep } from "../sql/bind-step.ts";
import { continueNumbers } from "../sql/continue-numbers.ts";
import { deleteDependencies, deleteItems, deleteStep } from "../sql/delete-step.ts";
import { insertDependency } from "../sql/insert-dependency.ts";
import { insertStep } from "../sql/insert-step.ts";
import { listDependencies } from "../sql/list-dependencies.ts";
import { listItems } from "../sql/list-items.ts";
import { listSteps } from "../sql/list-steps.ts";
import { lockSteps } from "../sql/lock-steps.ts";
import { recountUnmetDeps } from "../sql/recount-unmet-deps.ts";
import { replacePlan } from "../sql/replace-plan.ts";
import { replaceStep } from "../sql/replace-step.ts";
import { completeSubstepsByProof } from "../transitions/complete-by-proof.ts";
import { completeItems } from "../transitions/sql/complete-items.ts";
import { updatePlanStatus } from "../update-plan-status.ts";
import { isStarted, type Match, matchUnits, type OldUnit, rowsOf, stepsOf } from "./match-units.ts";

/** What the store took over from an edited plan, and what it did not, by the names of steps. */
export interface Grown {
  readonly added: readonly string[];
  readonly edited: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly string[];
  /** Steps in progress or completed that the plan changed or removed: a person decides about each. */
  readonly waiting: readonly string[];
}

/** What a person decided about a step that waits because its plan changed. */
export type EditDecision =
  /** The new text counts, and the step begins again with it. */
  | "begin-again"
  /** The new text counts as done; a step that is gone from the plan is forgotten. */
  | "accept";

interface GrowRequest {
  readonly row: PlanRow;
  readonly read: ReadPlan;
  readonly committedHash: string | null;
  readonly decided?: ReadonlyMap<string, EditDecision>;
}

/**
 * Takes over an edited plan, except for steps whose work has begun.
 *
 * New steps come in, steps that no worker has begun follow the plan, and progress moves with a step that has another name.
 * A step that is held or completed keeps the text it was claimed with until a person decides.
 */
export async function growPlan(sql: Sql, ports: Ports, request: GrowRequest): Promise<Grown> {
  const { row, read, decided = new Map() } = request;
  const { plan_path } = row;
  await sql.all(lockSteps, { plan_path });
  const units = await unitsOf(sql, row);
  const edges = await sql.all(listDependencies, { plan_path });
  const matches = await matchesOf(sql, ports, { row, units, plan: read.plan });
  const bound = boundUnits(matches, decided);
  const isBound = ({ old }: Match) => old !== undefined && bound.has(old);
  const boundRows = new Set([...bound].flatMap((unit) => rowsOf(unit).map(({ anchor }) => anchor)));
  // A name that a bound step has cannot be given to another one: that one comes in when the first is settled.
  const isWritten = (match: Match) =>
    match.step !== undefined &&
    !isBound(match) &&
    (match.kind === "same" || stepsOf(match.step).every(({ anchor }) => !boundRows.has(anchor)));
  const written = new Set(matches.filter(isWritten));
  const rows = new Map(units.flatMap(rowsOf).map((one) => [one.anchor, one]));
  const staying = new Set([
    ...boundRows,
    ...[...written].flatMap(({ step }) => stepsOf(step!).map(({ anchor }) => anchor)),
  ]);

  await sql.run(deleteDependencies, { plan_path });
  for (const match of matches) {
    if (match.old && !isBound(match) && !keepsRows(match, decided))
      for (const one of rowsOf(match.old)) await dropProgress(sql, one, reasonOf(match));
  }
  const scene = { plan_path, matches, written, bound, rows };
  await writeRows(sql, ports, { ...scene, hash: row.plan_hash, steps: read.plan.steps });
  const gone = [...rows.values()].filter(({ anchor }) => !staying.has(anchor));
  for (const { anchor } of gone.toSorted(substepsFirst))
    for (const statement of deleteStep) await sql.run(statement, { plan_path, anchor });
  await sql.run(replacePlan, {
    plan_path,
    plan_hash: read.hash,
    format: read.plan.format,
    phase_title: read.plan.title ?? null,
    committed_hash: request.committedHash,
    now: sql.now,
  });
  await keepSnapshot(sql, read);
  await writeEdges(sql, { ...scene, edges, staying });
  for (const match of written) {
    const { kind, old, step } = match;
    if (kind === "moved") await carryUnit(sql, plan_path, old, step);
    if (kind === "edited" && keepsRows(match, decided)) await carryParts(sql, ports, old, step);
    if (kind === "edited" && decided.get(old.top.anchor) === "accept")
      await acceptAsDone(sql, plan_path, old, step);
  }
  const isFresh = ({ kind, old }: Match) =>
    old === undefined || (kind === "edited" && !decided.has(old.top.anchor) && isBlockedByFile(old));
  const fresh = [...written].filter(isFresh).flatMap(({ old, step }) => {
    const anchors = stepsOf(step!).map(({ anchor }) => anchor);
    return old === undefined ? anchors.filter((anchor) => !rows.has(anchor)) : anchors;
  });
  const isNew = new Set(fresh);
  await adoptProgress(sql, plan_path, read.plan, (anchor) => isNew.has(anchor));
  await updatePlanStatus(sql, plan_path);
  return grownOf(matches, written, bound);
}

async function matchesOf(
  sql: Sql,
  ports: Ports,
  { row, units, plan }: { readonly row: PlanRow; readonly units: readonly OldUnit[]; readonly plan: Plan },
): Promise<readonly Match[]> {
  const isSame = await comparison(sql, ports, row.plan_path);
  return matchUnits({ plan, units, sha256: ports.sha256, isSame });
}

/** What the steps of the store, by name, are in a text of their plan; a step that the text does not have is left out. */
export async function stepsIn(
  sql: Sql,
  ports: Ports,
  row: PlanRow,
  plan: Plan,
): Promise<ReadonlyMap<string, PlanStep>> {
  const matches = await matchesOf(sql, ports, { row, units: await unitsOf(sql, row), plan });
  return new Map(matches.flatMap(({ old, step }) => (old && step ? [[old.top.anchor, step] as const] : [])));
}

const reasonOf = ({ kind }: Match): "changed" | "removed" => (kind === "removed" ? "removed" : "changed");

const substepsFirst = (a: StepRow, b: StepRow): number =>
  Number(a.parent_anchor === null) - Number(b.parent_anchor === null);

/** Rows that stay where they are, with their progress: only their place and words follow the plan. */
function keepsRows({ kind, old, step }: Match, decided: ReadonlyMap<string, EditDecision>): boolean {
  if (kind === "same") return true;
  if (kind !== "edited" || old.top.anchor !== step.anchor) return false;
  const decision = decided.get(old.top.anchor);
  return decision === "accept" || (decision === undefined && !isStarted(old) && !isBlockedByFile(old));
}

/** Blocked before any worker had it, by what the file said, such as a dependency that could not be read: the edit decides anew. */
const isBlockedByFile = ({ top: { status, last_worktree_id } }: OldUnit): boolean =>
  status === "blocked" && last_worktree_id === null;

async function unitsOf(sql: Sql, { plan_path }: PlanRow): Promise<readonly OldUnit[]> {
  const rows = await sql.all(listSteps, { plan_path });
  const said = await stepsBefore(sql, rows);
  const last = await stepsReadLast(sql, rows);
  return rows
    .filter(({ parent_anchor }) => parent_anchor === null)
    .map((top) => ({
      top,
      parts: rows.filter(({ parent_anchor }) => parent_anchor === top.anchor),
      said: said.get(top.anchor),
      last: last.get(top.anchor),
    }));
}

/** Rows of version 1 have no hash: their titles and items must do. */
async function comparison(sql: Sql, ports: Ports, plan_path: string) {
  const items = new Map<string, string[]>();
  for (const { step_anchor, kind, text } of await sql.all(listItems, { plan_path }))
    items.set(step_anchor, [...(items.get(step_anchor) ?? []), `${kind}\n${text}`]);
  return (row: StepRow, step: PlanStep): boolean =>
    row.content_hash === null
      ? row.title === step.title &&
        (items.get(row.anchor) ?? []).toSorted().join("\n") ===
          step.items
            .map(({ kind, text }) => `${kind}\n${text}`)
            .toSorted()
            .join("\n")
      : [identityOf(step), contentOf(step)].some((text) => row.content_hash === ports.sha256(text));
}

/** Steps that keep their rows and their text until a person decides, or their worker is done. */
function boundUnits(
  matches: readonly Match[],
  decided: ReadonlyMap<string, EditDecision>,
): ReadonlySet<OldUnit> {
  const bound = new Set<OldUnit>();
  for (const { kind, old } of matches) {
    if (old === undefined || kind === "same" || decided.has(old.top.anchor)) continue;
    if (kind === "moved" ? isHeld(old.top.status) : isStarted(old)) bound.add(old);
  }
  for (;;) {
    const names = new Set([...bound].flatMap((unit) => rowsOf(unit).map(({ anchor }) => anchor)));
    const blocked = matches.find(
      ({ kind, old, step }) =>
        kind === "moved" && !bound.has(old) && stepsOf(step).some(({ anchor }) => names.has(anchor)),
    );
    if (blocked?.old === undefined) return bound;
    bound.add(blocked.old);
  }
}

interface Rows {
  readonly plan_path: string;
  readonly hash: string;
  readonly steps: readonly PlanStep[];
  readonly matches: readonly Match[];
  readonly written: ReadonlySet<Match>;
  readonly bound: ReadonlySet<OldUnit>;
  readonly rows: ReadonlyMap<string, StepRow>;
}

/** In the order of the plan; a bound step stands where its new text does, else at the end. */
async function writeRows(sql: Sql, ports: Ports, plan: Rows): Promise<void> {
  const { plan_path, hash, steps, matches, written, bound, rows } = plan;
  const matchOf = new Map(matches.map((match) => [match.step, match]));
  let index = 0;
  const bind = async (unit: OldUnit, step?: PlanStep) => {
    for (const row of rowsOf(unit)) {
      const stands_as = row === unit.top ? (step?.anchor ?? null) : null;
      await sql.run(bindStep, {
        plan_path,
        anchor: row.anchor,
        step_index: index,
        bound_to: hash,
        stands_as,
      });
      index += 1;
    }
  };
  for (const step of steps) {
    const match = matchOf.get(step)!;
    if (match.old && bound.has(match.old)) await bind(match.old, step);
    if (!written.has(match)) continue;
    for (const part of stepsOf(step)) {
      const parent = part === step ? undefined : step.anchor;
      const params = stepParams(ports, plan_path, part, parent, index);
      await sql.run(rows.has(part.anchor) ? replaceStep : insertStep, params);
      index += 1;
      if (match.kind === "same") continue;
      await sql.run(deleteItems, { plan_path, anchor: part.anchor });
      await insertItems(sql, plan_path, part);
    }
  }
  for (const { kind, old } of matches) if (kind === "removed" && bound.has(old)) await bind(old);
}

interface Edges extends Omit<Rows, "hash" | "steps"> {
  readonly edges: readonly DependencyRow[];
  readonly staying: ReadonlySet<string>;
}

/** A step that is held waits for what it waited for when it was claimed: a step put before it is not in its way. */
async function writeEdges(sql: Sql, plan: Edges): Promise<void> {
  const { plan_path, matches, written, bound, rows, edges, staying } = plan;
  // What waits for a step that is not in yet waits for the one that holds its place.
  const stand = new Map(
    matches.flatMap(({ old, step }) =>
      old && step && bound.has(old) ? [[step.anchor, old.top.anchor]] : [],
    ),
  );
  const wanted = new Map<string, Set<string>>();
  const want = (anchor: string, targets: readonly string[]) =>
    wanted.set(anchor, new Set(targets.filter((target) => target !== anchor && staying.has(target))));
  const asBefore = (anchor: string) =>
    edges.filter(({ step_anchor }) => step_anchor === anchor).map(({ depends_on }) => depends_on);
  for (const { step } of written)
    for (const { anchor, dependsOn } of stepsOf(step!)) {
      const row = rows.get(anchor);
      const targets = dependsOn.map((edge) => stand.get(edge.anchor) ?? edge.anchor);
      want(anchor, row && isHeld(row.status) ? asBefore(anchor) : targets);
    }
  for (const unit of bound) for (const { anchor } of rowsOf(unit)) want(anchor, asBefore(anchor));
  for (const [step_anchor, targets] of wanted)
    for (const depends_on of targets) await sql.run(insertDependency, { plan_path, step_anchor, depends_on });
  await sql.run(recountUnmetDeps, { plan_path });
  await sql.run(continueNumbers, { plan_path });
}

/** Progress goes to the step's new name. Substeps first: a step is only done when they are. */
async function carryUnit(sql: Sql, plan_path: string, old: OldUnit, step: PlanStep): Promise<void> {
  for (const [at, { anchor }] of step.substeps.entries()) {
    const was = old.parts[at];
    if (was) await carryOver(sql, plan_path, anchor, was);
  }
  await carryOver(sql, plan_path, step.anchor, old.top);
}

/** A substep that is blocked or on hold stays so where its words have another name within the step by now. */
async function carryParts(sql: Sql, ports: Ports, old: OldUnit, step: PlanStep): Promise<void> {
  const isSame = ({ content_hash }: StepRow, part: PlanStep) =>
    content_hash === ports.sha256(identityOf(part));
  const moves = old.parts.filter(isCarried).flatMap((was) => {
    const found = step.substeps.filter((part) => isSame(was, part));
    return found.length === 1 && found[0]!.anchor !== was.anchor ? [{ was, to: found[0]!.anchor }] : [];
  });
  for (const { was } of moves)
    if (stepsOf(step).some(({ anchor }) => anchor === was.anchor)) await dropProgress(sql, was, "changed");
  for (const { was, to } of moves) await carryOver(sql, was.plan_path, to, was);
}

/** The new words of a completed step count as done, with whatever they ask for. */
async function acceptAsDone(sql: Sql, plan_path: string, { top }: OldUnit, step: PlanStep): Promise<void> {
  // A person says so now, no longer the file: its new items are ticked there, too.
  const accepted = { plan_path, anchor: step.anchor, reason: ACCEPTED, instead_of: `${IN_THE_FILE}%` };
  if (top.anchor !== step.anchor) await carryOver(sql, plan_path, step.anchor, top);
  await sql.run(acceptCompletion, accepted);
  if (top.anchor !== step.anchor || top.status !== "completed") return;
  await sql.run(completeItems, { plan_path, anchor: top.anchor, now: sql.now });
  await completeSubstepsByProof(sql, top, { commit: top.commit_hash, reason: ACCEPTED });
}

const ACCEPTED = "its new text counts as done";

function grownOf(matches: readonly Match[], written: ReadonlySet<Match>, bound: ReadonlySet<OldUnit>): Grown {
  const namesOf = (kind: Match["kind"]) =>
    matches
      .filter((match) => match.kind === kind && (written.has(match) || match.step === undefined))
      .filter(({ old }) => old === undefined || !bound.has(old))
      .map(({ old, step }) => (step ?? old.top).anchor);
  return {
    added: namesOf("added"),
    edited: namesOf("edited"),
    removed: namesOf("removed"),
    renamed: namesOf("moved"),
    waiting: matches
      .filter(({ kind, old }) => kind !== "moved" && old !== undefined && bound.has(old))
      .map(({ old }) => old!.top.anchor),
  };
}
