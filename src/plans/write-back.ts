import { Failure, flatten, IN_THE_FILE, type PlanStep } from "../domain/index.ts";
import {
  type FileProblem,
  formatCarriesStatus,
  formatIsProse,
  loadStepText,
  type PlanFormat,
  type PlanProgress,
  type PlanText,
  type StepState,
  type StepVerdict,
} from "./formats/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { findPlan } from "./sql/find-plan.ts";
import { listItems } from "./sql/list-items.ts";
import { listPlanVerdicts } from "./sql/list-plan-verdicts.ts";
import { listSteps } from "./sql/list-steps.ts";
import { measureJournal } from "../journal/index.ts";
import type { PathEdit } from "./plan-edits.ts";
import type { ItemRow, PlanRow, StepRow } from "../platform/index.ts";

export interface WriteBackAnswer {
  /** Files that were brought up to date, or would be. */
  readonly files: readonly string[];
  /** Files that could not be, and why. They stay as they are. */
  readonly problems: readonly FileProblem[];
}

const NOTHING: WriteBackAnswer = { files: [], problems: [] };

/** A person or program that writes to the file all the time gets it; the next verb tries again. */
const MOST_TRIES = 20;

/**
 * Makes the plan's files say what the store says.
 *
 * Done after the change itself, and never part of it: the store is the truth, and a file that fell behind (a kill in
 * between, a full disk, another program writing to it) is repeated by the next verb. Doing it twice changes
 * nothing. Each try reads file and store anew, and a file is only replaced while it still is what was read. Of two
 * processes that both follow, the one that read the store first could write last; so the store is read again
 * afterwards.
 */
export async function writeBack(
  ports: Ports,
  key: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<WriteBackAnswer> {
  const database = await ports.database();
  const plan = await database.read((sql) => sql.get(findPlan, { plan_path: key }));
  if (!plan || !formatCarriesStatus(plan.format)) return NOTHING;
  const { readPlanFiles, editsOf } = await import("./plan-edits.ts");
  const written = new Set<string>();
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    // The file first: what replaces it is then never older than what it showed.
    const files = readPlanFiles(ports, key, plan.format);
    if (!files.isReadable) return { files: [...written], problems: files.problems };
    const seen = await database.read((sql) => look(sql, key));
    const { edits, problems } = editsOf(files, await ofTheseSteps(ports, plan, files, seen));
    if (dryRun) return { files: edits.map(({ name }) => name), problems };
    const isDone = edits.every((edit) => {
      const isWritten = write(ports, edit);
      if (isWritten) written.add(edit.name);
      return isWritten;
    });
    if (isDone && (edits.length === 0 || (await isStill(ports, key, seen.journal))))
      return { files: [...written], problems };
  }
  return {
    files: [...written],
    problems: [{ name: key, message: "another program keeps writing to it" }],
  };
}

/**
 * Without what the store knows of steps that say something else in the file by now.
 *
 * The boxes of a list are known by their words. Where a person wrote other words beside a name, the tick of the old
 * step would say that the new one is done.
 */
async function ofTheseSteps(
  { sha256 }: Ports,
  { format, plan_hash }: PlanRow,
  { files, format: reader }: { readonly files: PlanText; readonly format: PlanFormat },
  {
    progress,
    contents,
  }: { readonly progress: PlanProgress; readonly contents: ReadonlyMap<string, string | null> },
): Promise<PlanProgress> {
  if (!formatIsProse(format)) return progress;
  const { contentOf, identityOf, meaningOf } = await loadStepText();
  const plan = reader.read(files.text.replace(/^\ufeff/, ""));
  if (sha256(meaningOf(plan)) === plan_hash) return progress;
  const isSame = (step: PlanStep) => {
    const content = contents.get(step.anchor) ?? null;
    return content === null || [identityOf(step), contentOf(step)].some((text) => sha256(text) === content);
  };
  const same = flatten(plan).filter(({ step }) => isSame(step));
  const steps = same.flatMap(({ step: { anchor } }) => {
    const state = progress.steps.get(anchor);
    return state ? [[anchor, state] as const] : [];
  });
  return { ...progress, steps: new Map(steps) };
}

/** The same after a verb: a failure is reported beside the verb's own answer, which holds in any case. */
export async function writeBackOrNotice(ports: Ports, key: string): Promise<void> {
  try {
    const { problems } = await writeBack(ports, key);
    // Two files in a folder that cannot be reached are one thing to tell.
    const told = new Map(problems.toReversed().map((problem) => [problem.message, problem]));
    for (const problem of told.values()) tell(ports, key, problem);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell(ports, key, { name: key, message: error.message });
  }
}

function tell(ports: Ports, key: string, { name, message }: FileProblem): void {
  ports.notice?.(
    new Failure("plan/file-behind", `The state is saved, but ${name || key} does not show it: ${message}.`, {
      plan_path: key,
      file: name,
    }),
  );
}

function write({ files }: Ports, { folder, path, before, after }: PathEdit): boolean {
  if (before === undefined) files.makeFolder(folder);
  return files.replaceIf(path, before, after);
}

async function look(sql: Sql, key: string) {
  const journal = await sql.get(measureJournal, { plan_path: key });
  const steps = await sql.all(listSteps, { plan_path: key });
  const items = new Map<string, ItemRow[]>();
  for (const item of await sql.all(listItems, { plan_path: key })) {
    const siblings = items.get(item.step_anchor);
    if (siblings) siblings.push(item);
    else items.set(item.step_anchor, [item]);
  }
  const verdicts = new Map<string, StepVerdict[]>();
  for (const { anchor, attempt, outcome, because, recorded_at: at } of await sql.all(listPlanVerdicts, {
    plan_path: key,
  })) {
    const before = verdicts.get(anchor);
    if (before) before.push({ attempt, outcome, because, at });
    else verdicts.set(anchor, [{ attempt, outcome, because, at }]);
  }
  const progress: PlanProgress = {
    steps: new Map(
      // What the plan says about a bound step is not what was done.
      steps
        .filter(({ bound_to }) => bound_to === null)
        .map((step) => [
          step.anchor,
          stateOf(step, items.get(step.anchor) ?? [], verdicts.get(step.anchor) ?? []),
        ]),
    ),
    now: sql.now,
  };
  return { progress, journal, contents: new Map(steps.map((step) => [step.anchor, step.content_hash])) };
}

async function isStill(
  ports: Ports,
  key: string,
  before: { lines: number; last: number } | undefined,
): Promise<boolean> {
  const database = await ports.database();
  const now = await database.read((sql) => sql.get(measureJournal, { plan_path: key }));
  return now?.lines === before?.lines && now?.last === before?.last;
}

function stateOf(row: StepRow, items: readonly ItemRow[], verdicts: readonly StepVerdict[]): StepState {
  const isFromFile = row.complete_reason?.startsWith(IN_THE_FILE) ?? false;
  return {
    status: row.status,
    isUntouched: row.last_event === "saved",
    isReopened: row.reopen_reason !== null,
    blockReason: row.block_reason,
    blockNote: row.block_note,
    verificationAttempts: row.verification_attempts,
    verdicts,
    completedAt: isFromFile ? null : row.completed_at,
    commit: row.commit_hash,
    title: row.title,
    items: items.map(({ kind, ordinal, status }) => ({ kind, ordinal, status })),
  };
}
