import { Failure, plural, shellWord } from "../../domain/index.ts";
import type { PlanContent, PlanLocation, Ports, Sql } from "../../platform/ports/index.ts";
import type { PlanRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { adoptProgress } from "../adopt-progress.ts";
import { parseKept } from "../formats/index.ts";
import { databaseFor, savedPlan } from "../plan-state.ts";
import { readPlanContent, type ReadPlan } from "../save.ts";
import { findPlanSnapshot } from "../sql/find-plan-snapshot.ts";
import { listSteps } from "../sql/list-steps.ts";
import { replacePlan } from "../sql/replace-plan.ts";
import { tickedIn } from "../ticked-in.ts";
import { writeBackOrNotice } from "../write-back.ts";
import { committedPlan } from "./committed-plan.ts";
import { type EditDecision, type Grown, growPlan } from "./grow-plan.ts";

/** Besides what grew: steps that a person completed in the file. */
type Taken = Grown & { readonly completed: readonly string[] };

export interface GrowAnswer {
  readonly planPath: string;
  readonly grown: Taken | undefined;
  /** What people should know, in one line each. */
  readonly notes: readonly string[];
}

/**
 * Takes over what changed in a plan since it was read.
 *
 * The committed plan of the main checkout counts; a plan that no commit has counts as it lies. What is not committed is
 * reported and left alone, and so is a text that cannot be read. An edit stops no work.
 */
export async function grow(
  ports: Ports,
  location: PlanLocation,
  decided: ReadonlyMap<string, EditDecision> = new Map(),
): Promise<GrowAnswer> {
  const { key } = location;
  const database = await databaseFor(ports, key);
  const before = await database.read((sql) => savedPlan(sql, key));
  const source = await sourceOf(ports, location, before);
  const answer = await database.write(async (sql): Promise<GrowAnswer> => {
    const row = await savedPlan(sql, key);
    const isEarlier = ports.storeIsShared && (await isEarlierText(sql, row, source));
    const news = !isEarlier && (await isNews(sql, row, source)) ? source.read : undefined;
    const read = news ?? (await savedText(sql, row));
    const isLoose = (await sql.all(listSteps, { plan_path: key })).some(({ bound_to }) => bound_to !== null);
    const committedHash =
      source.isCommitted && source.read && !isEarlier ? source.read.hash : row.committed_hash;
    const notes = isEarlier ? [earlierNote(key)] : source.notesFor(row, news !== undefined);
    const isChanged = news !== undefined && !news.isKnownBy(row.plan_hash);
    const isToGrow = read !== undefined && (isChanged || isLoose);
    if (!isToGrow) {
      if (committedHash !== row.committed_hash)
        await sql.run(replacePlan, {
          plan_path: key,
          plan_hash: row.plan_hash,
          format: row.format,
          phase_title: row.phase_title,
          committed_hash: committedHash,
          now: row.updated_at,
        });
    }
    const grown = isToGrow ? await growPlan(sql, ports, { row, read, committedHash, decided }) : NOT_GROWN;
    const ticked = isEarlier ? NO_TICKS : await takeTicks(sql, key, source);
    const taken = { ...grown, completed: ticked.taken };
    const more = [...notes, ...ticked.notes];
    const isSomething =
      isChanged || Object.values(taken).some((names) => names !== grown.waiting && names.length > 0);
    if (!isSomething) return { planPath: key, grown: undefined, notes: more };
    await journal(sql, {
      event: "plan-grown",
      plan: key,
      worktree: ports.repository.topLevel ?? null,
      detail: { plan_hash: read?.hash ?? row.plan_hash, ...taken, host: ports.machine.hostId },
    });
    return { planPath: key, grown: taken, notes: [grownLine(key, taken), ...more] };
  });
  if (answer.grown) await writeBackOrNotice(ports, key);
  return answer;
}

const NOT_GROWN: Grown = { added: [], edited: [], removed: [], renamed: [], waiting: [] };
const NO_TICKS = { taken: [], notes: [] };

/**
 * Completes what a person ticked in the plan's file before any worker had it, as when the plan was first read.
 *
 * A tick counts like every other edit: once it is committed, or as it lies where no commit has the plan. An agent that
 * works in this checkout may have ticked what is not committed.
 */
async function takeTicks(
  sql: Sql,
  key: string,
  source: Source,
): Promise<{ readonly taken: readonly string[]; readonly notes: readonly string[] }> {
  const { plan_hash } = await savedPlan(sql, key);
  const rows = await sql.all(listSteps, { plan_path: key });
  const ticksOf = (read: ReadPlan | undefined) =>
    read?.isKnownBy(plan_hash) ? tickedIn(read.plan, rows) : [];
  const counts = source.isCommitted || source.isBase;
  const taken = counts ? ticksOf(source.read) : [];
  if (taken.length > 0) await adoptProgress(sql, key, source.read!.plan, (anchor) => taken.includes(anchor));
  const open = ticksOf(source.lying).filter((anchor) => !taken.includes(anchor));
  return {
    taken,
    notes:
      open.length === 0
        ? []
        : [
            `${key} says that ${names(open)} ${open.length === 1 ? "is" : "are"} done, uncommitted. That counts once it is committed.`,
          ],
  };
}

interface Source {
  /** Undefined where it cannot be read, or has errors. */
  readonly read: ReadPlan | undefined;
  /** What lies there, where a commit has the plan, too. */
  readonly lying: ReadPlan | undefined;
  readonly isCommitted: boolean;
  /** Whether it lies in the main checkout: elsewhere it may be as old as a branch. */
  readonly isBase: boolean;
  /** What is committed lies there, too. */
  readonly isSettled: boolean;
  readonly notesFor: (row: PlanRow, isTaken: boolean) => readonly string[];
}

async function sourceOf(ports: Ports, location: PlanLocation, row: PlanRow): Promise<Source> {
  const { key } = location;
  const committed = await committedPlan(ports, location);
  const { content, problem: missing } = committed
    ? { content: committed }
    : await lyingContent(ports, location);
  const { read, problem } = content ? await readable(ports, key, content, row.format) : { problem: missing };
  const base = ports.repository.mainTopLevel;
  const isBase = location.path === undefined || base === undefined || location.path.startsWith(`${base}/`);
  const lies = committed && location.path !== undefined ? ports.plans.read(location) : undefined;
  const lying = lies && (await readable(ports, key, lies, row.format)).read;
  const isCommitted = committed !== undefined;
  return {
    read,
    lying,
    isCommitted,
    isBase,
    isSettled: read !== undefined && lying?.hash === read.hash,
    notesFor: (saved) => [
      ...(problem === undefined
        ? []
        : [`${key} cannot be read, so its last readable text counts: ${problem}`]),
      ...(isUncommitted(lies, lying, read, saved)
        ? [`${key} has uncommitted changes. They count once they are committed.`]
        : []),
    ],
  };
}

/** A plan that is gone ends the work on it, unless the checkout is only on another branch, which may not have it. */
async function lyingContent(
  ports: Ports,
  location: PlanLocation,
): Promise<{ readonly content?: PlanContent; readonly problem?: string }> {
  try {
    return { content: ports.plans.read(location) };
  } catch (error) {
    if (!(error instanceof Failure) || !(await isOnAnotherBranch(ports, location.key))) throw error;
    return { problem: error.message };
  }
}

async function isOnAnotherBranch(ports: Ports, plan: string): Promise<boolean> {
  const branches = await ports.branches();
  const mark = [...branches.marks().values()].find((one) => one.plan === plan);
  return mark !== undefined && mark.base !== (await branches.current());
}

/** What lies there is neither what is committed nor what was read. */
const isUncommitted = (
  lies: PlanContent | undefined,
  lying: ReadPlan | undefined,
  committed: ReadPlan | undefined,
  { plan_hash }: PlanRow,
): boolean =>
  lies !== undefined &&
  (lying === undefined || (lying.hash !== committed?.hash && !lying.isKnownBy(plan_hash)));

async function readable(
  ports: Ports,
  key: string,
  content: PlanContent,
  format: string,
): Promise<{ readonly read?: ReadPlan; readonly problem?: string }> {
  try {
    const read = await readPlanContent(ports, key, content, format);
    const error = read.plan.diagnostics.find(({ severity }) => severity === "error");
    return error ? { problem: `line ${error.line}: ${error.message}` } : { read };
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

/** On a server: another clone has committed a newer plan, and this one was not brought up to date. It must not take that back. */
async function isEarlierText(sql: Sql, row: PlanRow, { read }: Source): Promise<boolean> {
  if (read === undefined || read.isKnownBy(row.plan_hash)) return false;
  const { plan_path } = row;
  return (await sql.get(findPlanSnapshot, { plan_path, plan_hash: read.hash })) !== undefined;
}

const earlierNote = (key: string): string =>
  `${key} in this clone is an earlier text than the one that counts. Bring the clone up to date with \`git pull\`, or have this text read with \`pawl state init ${shellWord(key)} --force\`.`;

/** A committed text that was not seen before, or one that no commit has. A text of an older branch is no news. */
async function isNews(
  sql: Sql,
  row: PlanRow,
  { read, isCommitted, isBase, isSettled }: Source,
): Promise<boolean> {
  if (read === undefined) return false;
  if (isSettled) return true;
  if (isCommitted && row.committed_hash !== null) return !read.isKnownBy(row.committed_hash);
  if (isBase && !isCommitted) return true;
  const { plan_path } = row;
  return (await sql.get(findPlanSnapshot, { plan_path, plan_hash: read.hash })) === undefined;
}

/** The plan as it was saved; undefined where an older version kept no text. */
async function savedText(sql: Sql, { plan_path, plan_hash, format }: PlanRow): Promise<ReadPlan | undefined> {
  const kept = await sql.get(findPlanSnapshot, { plan_path, plan_hash });
  if (!kept) return undefined;
  return {
    key: plan_path,
    hash: plan_hash,
    content: kept.content,
    plan: parseKept(kept.content, format),
    isKnownBy: (hash) => hash === plan_hash,
  };
}

const MOST_NAMES = 5;

const names = (list: readonly string[]): string =>
  `${list.slice(0, MOST_NAMES).join(", ")}${list.length > MOST_NAMES ? ` and ${list.length - MOST_NAMES} more` : ""}`;

/** One line for people: what changed, and what waits for them. */
function grownLine(key: string, { added, edited, removed, renamed, completed, waiting }: Taken): string {
  const parts = [
    ["added", added],
    ["edited", edited],
    ["removed", removed],
    ["renamed", renamed],
    ["completed in the file, not verified:", completed],
  ] as const;
  const said = parts.filter(([, list]) => list.length > 0).map(([what, list]) => `${what} ${names(list)}`);
  const line = said.length > 0 ? said.join("; ") : waiting.length > 0 ? "" : "no step changed";
  const waits =
    waiting.length === 0
      ? ""
      : `${line === "" ? "" : ". "}${plural(waiting.length, "step waits", "steps wait")} for a decision about an edit: ${names(waiting)} (\`pawl recover ${shellWord(key)}\`)`;
  return `${key} changed: ${line}${waits}.`;
}
