import {
  type Diagnostic,
  Failure,
  flatten,
  isOneLine,
  type Plan,
  type PlanStep,
  shellWord,
  withOrdinals,
} from "../domain/index.ts";
import { formatKeptBy, formatNamed, hashOf, identityOf, isKnownBy, parseSource } from "./formats/index.ts";
import type { PlanContent, Ports, Sql } from "../platform/ports/index.ts";
import { continueNumbers } from "./sql/continue-numbers.ts";
import { recountUnmetDeps } from "./sql/recount-unmet-deps.ts";
import { findPlan } from "./sql/find-plan.ts";
import { insertDependency } from "./sql/insert-dependency.ts";
import { insertItem } from "./sql/insert-item.ts";
import { insertPlanSnapshot } from "./sql/insert-plan-snapshot.ts";
import { insertPlan } from "./sql/insert-plan.ts";
import { insertStep } from "./sql/insert-step.ts";
import { listDependencies } from "./sql/list-dependencies.ts";
import { listItems } from "./sql/list-items.ts";
import { listSteps } from "./sql/list-steps.ts";
import type { PlanRow } from "../platform/index.ts";
import { adoptProgress } from "./adopt-progress.ts";
import { writeBackOrNotice } from "./write-back.ts";
import { type StepInGit, doneInGit, noteEarlierLives, refuseDoneBefore } from "./done-in-git.ts";
import { countingPlan } from "./growth/committed-plan.ts";
import { journal, openIfThere } from "../journal/index.ts";
import { savedPlan } from "./plan-state.ts";

export interface SaveRequest {
  readonly plan: string;
  /** The format it is read in; found by its content when left out. */
  readonly format?: string | undefined;
  /** A person decided to do steps again that commits of this history say are done. */
  readonly afresh?: boolean | undefined;
}

export interface SaveAnswer {
  readonly planPath: string;
  readonly planHash: string;
  readonly alreadyInitialized: boolean;
  readonly stepCount: number;
  readonly substepCount: number;
  readonly depCount: number;
  readonly checklistCount: number;
  /** True when the plan has state, but the file is not the one it was made from. */
  readonly planChanged: boolean;
  /** Oddities of the file that do not stop it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan file, read once: what is hashed is what is parsed and what is kept. */
export interface ReadPlan {
  readonly key: string;
  readonly hash: string;
  readonly content: string;
  readonly plan: Plan;
  /** Whether it is what was saved under a hash. */
  readonly isKnownBy: (hash: string) => boolean;
}

/** Gives a plan state: every step, substep, dependency and item of the file, once, however often it is called. */
export const save = async (ports: Ports, request: SaveRequest): Promise<SaveAnswer> =>
  saveRead(ports, await readPlan(ports, request.plan, request.format), request.afresh);

async function saveRead(ports: Ports, lying: ReadPlan, afresh = false): Promise<SaveAnswer> {
  const before = await savedBefore(ports, lying);
  if (before) return before;
  const { read, committedHash } = await countingPlan(ports, lying);
  refuseUnsavable(read);
  const database = await ports.database({ create: true });
  const earlier = await doneInGit(ports, database, read);
  if (!afresh) refuseDoneBefore(read, earlier);
  const answer = await database.write(async (sql): Promise<SaveAnswer> => {
    // Another process may have saved it meanwhile.
    if (!(await insertPlanRead(sql, ports, read, { earlier, committedHash })))
      return asSaved(sql, await savedPlan(sql, read.key), read);
    return {
      ...countsOf(read.plan),
      planPath: read.key,
      planHash: read.hash,
      alreadyInitialized: false,
      planChanged: false,
      diagnostics: read.plan.diagnostics,
    };
  });
  await writeBackOrNotice(ports, read.key);
  return answer;
}

/** Before anything is written. */
export function refuseUnsavable(read: ReadPlan): void {
  refuseInvalid(read);
  refuseKeptByAnother(read);
  refuseUnwritable(read.key);
}

interface Inserting {
  readonly earlier?: readonly StepInGit[];
  readonly committedHash?: string | null;
}

/**
 * Writes a plan that has no state yet; false when it has some by now.
 *
 * Steps that were done before, as `earlier` tells, count on from the numbers of then: a person had them begun anew, and
 * the old commits must not complete them.
 */
export async function insertPlanRead(
  sql: Sql,
  ports: Ports,
  read: ReadPlan,
  inserting: Inserting = {},
): Promise<boolean> {
  if (!(await insertAll(sql, ports, read, inserting))) return false;
  await journal(sql, {
    event: "saved",
    plan: read.key,
    worktree: ports.repository.topLevel ?? null,
    detail: { plan_hash: read.hash, steps: read.plan.steps.length, host: ports.machine.hostId },
  });
  return true;
}

/** Progress that Pawl keeps beside a list of another program would never reach that program, and the list changes under Pawl. */
function refuseKeptByAnother({ key, plan: { format } }: ReadPlan): void {
  const program = formatKeptBy(format);
  if (program === undefined) return;
  throw new Failure(
    "plan/kept-by-another",
    `${key} is a list that ${program} keeps: only ${program} may change it, so Pawl cannot work on it.`,
    { plan_path: key, format, program },
  );
}

/** Said before the first step is worked on: every one of them would end with a commit that cannot be made. */
function refuseUnwritable(key: string): void {
  if (isOneLine(key)) return;
  throw new Failure(
    "plan/name-unwritable",
    `${JSON.stringify(key)} has line breaks, control characters or blanks at its ends in its name.`,
    { plan_path: key },
  );
}

/** The same for who counts nothing: a long plan that has state already is not listed for it. */
export async function ensureSaved(ports: Ports, read: ReadPlan): Promise<Pick<SaveAnswer, "planChanged">> {
  const database = await openIfThere(ports);
  const saved = await database?.read((sql) => sql.get(findPlan, { plan_path: read.key }));
  return saved ? { planChanged: !read.isKnownBy(saved.plan_hash) } : saveRead(ports, read);
}

/** A plan that has state stays as it is, even if its file is broken by now. */
async function savedBefore(ports: Ports, read: ReadPlan): Promise<SaveAnswer | undefined> {
  const database = await openIfThere(ports);
  return database?.read(async (sql) => {
    const plan = await sql.get(findPlan, { plan_path: read.key });
    return plan && asSaved(sql, plan, read);
  });
}

const asSaved = async (sql: Sql, plan: PlanRow, read: ReadPlan): Promise<SaveAnswer> => ({
  ...(await savedCounts(sql, plan)),
  planChanged: !read.isKnownBy(plan.plan_hash),
  diagnostics: [],
});

/** Reads a plan in the format that was asked for, else in the one that it was saved in, else in what it looks like. */
export async function readPlan(ports: Ports, operand: string, format?: string): Promise<ReadPlan> {
  const location = ports.plans.locate(operand);
  return readPlanContent(ports, location.key, ports.plans.read(location), format);
}

/** The same for bytes that were read before. */
export async function readPlanContent(
  ports: Ports,
  key: string,
  content: PlanContent,
  format?: string,
): Promise<ReadPlan> {
  const plan = parseSource(content, key, format ?? (await savedFormat(ports, key, content)));
  const hash = hashOf(plan, content, ports.sha256);
  return {
    key,
    hash,
    // Only for those who keep it: of a folder it is put together from all its files.
    get content() {
      return new TextDecoder().decode(content.bytes);
    },
    plan,
    // What a large plan says takes long to gather: once is enough for most.
    isKnownBy: (known) => known === hash || isKnownBy(known, plan, content, ports.sha256),
  };
}

/** Undefined where it was never saved, cannot be asked for, or would not fit what is there now. */
async function savedFormat(ports: Ports, key: string, content: PlanContent): Promise<string | undefined> {
  try {
    const database = await openIfThere(ports);
    const plan = await database?.read((sql) => sql.get(findPlan, { plan_path: key }));
    const format = plan && formatNamed(plan.format);
    return format && (format.isFolder ?? false) === (content.isFolder ?? false) ? format.name : undefined;
  } catch (error) {
    // The verb that needs the database reports what is wrong with it.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export function refuseInvalid({ key, plan }: ReadPlan): void {
  const errors = plan.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw new Failure(
    "plan/invalid",
    `${key}:${first.line}: ${first.message}${more}`,
    {
      plan_path: key,
      diagnostics: errors.slice(0, 50),
    },
    { hint: `Run \`pawl plan check ${shellWord(key)}\` to see every problem with its line.` },
  );
}

/** False when the plan is there already. */
async function insertAll(
  sql: Sql,
  ports: Ports,
  read: ReadPlan,
  { earlier = [], committedHash = null }: Inserting,
): Promise<boolean> {
  const plan_path = read.key;
  const inserted = await sql.run(insertPlan, {
    plan_path,
    plan_hash: read.hash,
    format: read.plan.format,
    phase_title: read.plan.title ?? null,
    committed_hash: committedHash,
    now: sql.now,
  });
  if (inserted === 0) return false;
  await keepSnapshot(sql, read);
  const rows = flatten(read.plan);
  for (const [index, { step, parent }] of rows.entries()) {
    await sql.run(insertStep, stepParams(ports, plan_path, step, parent, index));
    await insertItems(sql, plan_path, step);
  }
  await insertEdges(sql, read);
  await noteEarlierLives(sql, plan_path, earlier);
  await adoptProgress(sql, plan_path, read.plan, () => true);
  return true;
}

export const stepParams = (
  ports: Ports,
  plan: string,
  step: PlanStep,
  parent: string | undefined,
  index: number,
) => ({
  plan_path: plan,
  anchor: step.anchor,
  parent_anchor: parent ?? null,
  step_index: index,
  title: step.title,
  content_hash: ports.sha256(identityOf(step)),
});

export const keepSnapshot = (sql: Sql, { key, hash, plan, content }: ReadPlan): Promise<number> =>
  sql.run(insertPlanSnapshot, {
    plan_path: key,
    plan_hash: hash,
    format: plan.format,
    content,
    now: sql.now,
  });

export async function insertItems(sql: Sql, plan_path: string, { anchor, items }: PlanStep): Promise<void> {
  for (const { kind, ordinal, text } of withOrdinals(items))
    await sql.run(insertItem, { plan_path, anchor, kind, ordinal, text });
}

/** The last part of writing a plan's structure: what follows from all of its steps together. */
export async function insertEdges(sql: Sql, { key, plan }: ReadPlan): Promise<void> {
  for (const { step } of flatten(plan)) {
    for (const target of new Set(step.dependsOn.map((dependency) => dependency.anchor))) {
      await sql.run(insertDependency, { plan_path: key, step_anchor: step.anchor, depends_on: target });
    }
  }
  await sql.run(recountUnmetDeps, { plan_path: key });
  await sql.run(continueNumbers, { plan_path: key });
}

export function countsOf(plan: Plan) {
  const steps = flatten(plan).map(({ step }) => step);
  return {
    stepCount: plan.steps.length,
    substepCount: steps.length - plan.steps.length,
    depCount: steps.reduce((sum, step) => sum + new Set(step.dependsOn.map((edge) => edge.anchor)).size, 0),
    checklistCount: steps.reduce((sum, step) => sum + step.items.length, 0),
  };
}

async function savedCounts(sql: Sql, { plan_path, plan_hash }: PlanRow) {
  const steps = await sql.all(listSteps, { plan_path });
  const top = steps.filter((step) => step.parent_anchor === null);
  return {
    planPath: plan_path,
    planHash: plan_hash,
    alreadyInitialized: true,
    stepCount: top.length,
    substepCount: steps.length - top.length,
    depCount: (await sql.all(listDependencies, { plan_path })).length,
    checklistCount: (await sql.all(listItems, { plan_path })).length,
  };
}
