import {
  Failure,
  flatten,
  type Instant,
  type StepStatus,
  type UsageView,
  usageView,
} from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { databaseFor, listNeighbours, savedPlan, savedStep, stepSnapshot } from "../plans/index.ts";
import { listStepLateResults } from "../commits/index.ts";
import { type Evidence, listAttempts, listVerdicts } from "../verification/index.ts";
import { listStepCheckpoints, type StepCheckpointRow, sumStepUsage } from "../sessions/index.ts";
import { type EventView, eventView, listStepEvents, storedJson } from "../journal/index.ts";
import type { PlanRow, VerdictRow } from "../platform/index.ts";
import type { StepAddress } from "../steps/index.ts";
import { loadReadPlan } from "../plans/formats/index.ts";

export interface Neighbour {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
}

export interface AttemptView {
  readonly number: number;
  readonly startedAt: Instant;
  readonly sessionId: string | null;
  readonly tree: string | null;
  /** Null while it runs, or when it was cut off. */
  readonly outcome: VerdictRow["outcome"] | null;
  readonly because: string | null;
  readonly evidence: readonly Evidence[];
  /** What the agents used that worked for it and judged it; null where nothing is on record. */
  readonly usage: UsageView | null;
}

export interface CommandView {
  readonly sessionId: string;
  readonly number: number;
  readonly command: string;
  readonly type: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  /** When its session ended, for a command that never got to its end. */
  readonly cutOffAt: Instant | null;
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly filesModified: readonly string[];
  readonly agent: string | null;
}

/** All that happened to one step. */
export interface StepHistory {
  readonly planPath: string;
  readonly anchor: string;
  /** What its agents used, all attempts together; null where nothing is on record. */
  readonly usage: UsageView | null;
  readonly commitHash: string | null;
  readonly completeReason: string | null;
  /** What the plan says about it; null where the plan is too long to be read beside everything else. */
  readonly text: string | null;
  readonly waitsFor: readonly Neighbour[];
  readonly waitedForBy: readonly Neighbour[];
  readonly attempts: readonly AttemptView[];
  readonly commands: readonly CommandView[];
  /** Uncommitted work that was kept between the commands for it, newest first. */
  readonly snapshots: readonly KeptWorkView[];
  /** What came from a worker that had lost it, newest first: it changed nothing, and is kept. */
  readonly lateResults: readonly LateResultDetail[];
  /** Newest first. */
  readonly events: readonly EventView[];
}

export interface KeptWorkView {
  readonly ref: string;
  readonly at: Instant | null;
  readonly sessionId: string;
  readonly number: number;
}

export interface LateResultDetail {
  readonly claim: number | null;
  readonly worktree: string;
  readonly commit: string | null;
  /** Holds the commit, so that git does not collect it. */
  readonly ref: string | null;
  readonly at: Instant;
}

const MOST_COMMANDS = 200;
const MOST_EVENTS = 100;

/** What was tried for a step, what was found, and who waits for it. */
export async function stepHistory(ports: Ports, { plan, step }: StepAddress): Promise<StepHistory> {
  const { key } = ports.plans.locate(plan);
  const database = await databaseFor(ports, key);
  return database.read(async (sql) => {
    const row = await savedStep(sql, key, step);
    const where = { plan_path: key, anchor: row.anchor };
    const verdicts = new Map((await sql.all(listVerdicts, where)).map((one) => [one.attempt, one]));
    const neighbours = await sql.all(listNeighbours, where);
    const near = (waits: number): readonly Neighbour[] =>
      neighbours
        .filter((one) => one.waits === waits)
        .map(({ anchor, title, status }) => ({ anchor, title, status: status as StepStatus }));
    const checkpoints = await sql.all(listStepCheckpoints, { ...where, most: MOST_COMMANDS });
    const usage = await sql.all(sumStepUsage, where);
    return {
      planPath: key,
      anchor: row.anchor,
      usage: usageView(usage),
      commitHash: row.commit_hash,
      completeReason: row.complete_reason,
      text: await textOf(sql, await savedPlan(sql, key), row.anchor),
      waitsFor: near(0),
      waitedForBy: near(1),
      attempts: (await sql.all(listAttempts, where)).map((attempt) => {
        const verdict = verdicts.get(attempt.number);
        return {
          number: attempt.number,
          startedAt: attempt.started_at,
          sessionId: attempt.session_id,
          tree: attempt.tree,
          outcome: verdict?.outcome ?? null,
          because: verdict?.because ?? null,
          evidence: storedJson<readonly Evidence[]>(verdict?.evidence ?? null, []),
          usage: usageView(usage.filter((row) => row.attempt === attempt.number)),
        };
      }),
      commands: checkpoints.map(commandView),
      snapshots: keptBy(checkpoints),
      lateResults: await lateResultsOf(sql, where),
      events: (await sql.all(listStepEvents, { ...where, most: MOST_EVENTS })).map(eventView),
    };
  });
}

const keptBy = (checkpoints: readonly StepCheckpointRow[]): readonly KeptWorkView[] =>
  checkpoints
    .flatMap(({ kept_ref: ref, ended_at, cut_off_at, session_id: sessionId, number }) =>
      ref === null ? [] : [{ ref, at: ended_at ?? cut_off_at, sessionId, number }],
    )
    .toReversed();

async function lateResultsOf(
  sql: Sql,
  { plan_path, anchor }: { readonly plan_path: string; readonly anchor: string },
): Promise<readonly LateResultDetail[]> {
  const rows = await sql.all(listStepLateResults, { plan_path, anchor });
  return rows
    .map(({ claim, worktree, commit_hash: commit, held_ref: ref, recorded_at: at }) => ({
      claim,
      worktree,
      commit,
      ref,
      at,
    }))
    .toReversed();
}

const commandView = (row: StepCheckpointRow): CommandView => ({
  sessionId: row.session_id,
  number: row.number,
  command: row.command,
  type: row.type,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  cutOffAt: row.cut_off_at,
  outcome: row.outcome,
  exitCode: row.exit_code,
  filesModified: storedJson<readonly string[]>(row.files_modified, []),
  agent: row.agent,
});

/** Reading a longer plan would keep all other readers waiting; a caller that needs it reads it in a process of its own. */
const MOST_TEXT = 24 * 1024;

let lastRead: { readonly hash: string; readonly bodies: ReadonlyMap<string, string> } | undefined;

async function textOf(sql: Sql, { plan_path }: PlanRow, anchor: string): Promise<string | null> {
  const snapshot = await stepSnapshot(sql, { plan: plan_path, anchor });
  if (snapshot === undefined || snapshot.content.length > MOST_TEXT) return null;
  if (lastRead?.hash !== snapshot.plan_hash) {
    lastRead = { hash: snapshot.plan_hash, bodies: await bodiesOf(snapshot.content, plan_path) };
  }
  return lastRead.bodies.get(anchor) ?? null;
}

/** Folders of files are saved in one piece that is no plan of its own; then there is only what the steps are called. */
async function bodiesOf(content: string, path: string): Promise<ReadonlyMap<string, string>> {
  const { parsePlan } = await loadReadPlan();
  try {
    const plan = parsePlan(new TextEncoder().encode(content), path);
    return new Map(flatten(plan).map(({ step }) => [step.anchor, step.body]));
  } catch (error) {
    if (error instanceof Failure) return new Map();
    throw error;
  }
}
