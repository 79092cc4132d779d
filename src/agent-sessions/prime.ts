import { type Instant, orNothing, type StepStatus } from "../domain/index.ts";
import type { Ports, Sql, Worktree } from "../platform/ports/index.ts";
import { asEntered, lastSessionOfWorktree, leaseClockOf } from "../sessions/index.ts";
import { listPlanCounts, listWholeStepItems } from "../plans/index.ts";
import { listStepArtifacts } from "../steps/index.ts";
import { listVerdicts } from "../verification/index.ts";
import type { StepRow } from "../platform/index.ts";
import { ownerIsGone } from "../claims/index.ts";
import { openIfThere } from "../journal/index.ts";
import { loadDiagnosis } from "../recovery/index.ts";
import type { StepDetail } from "../views/index.ts";
import { type HandOver, readHandOver } from "./hand-over.ts";
import { heldHere } from "./held-here.ts";

/** What an agent must know now, as data. */
export interface PrimeAnswer {
  readonly worktree: string | null;
  readonly plans: readonly PrimePlan[];
  /** The step that this worktree holds. */
  readonly step: PrimeStep | null;
  /** The session that was cut off here last, when no session has worked here since. */
  readonly interrupted: {
    readonly sessionId: string;
    readonly at: Instant | null;
    readonly type: string | null;
    readonly snapshotRef: string | null;
  } | null;
  readonly handOver: HandOver | null;
  /** How many steps are blocked. */
  readonly blocked: number;
  /** How many matters wait for a person, as everywhere; null without a plan, where it was not asked, or cannot be found out. */
  readonly decisions: number | null;
}

export interface PrimePlan {
  readonly planPath: string;
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
}

export interface PrimeStep {
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
  readonly claim: number;
  readonly sessionId: string | null;
  /** Its owner is gone: a claim from here takes it up again. */
  readonly isAbandoned: boolean;
  readonly attempts: number;
  readonly items: StepDetail["items"];
  readonly artifacts: readonly { readonly kind: string; readonly summary: string }[];
  readonly verdicts: readonly {
    readonly attempt: number;
    readonly outcome: string;
    readonly because: string;
    readonly at: Instant;
    /** The end of what the failed check printed. */
    readonly output: string;
  }[];
}

export interface PrimeRequest {
  /** Left out: the worktree around the current folder. */
  readonly worktree?: string | undefined;
  /** Also finds out what waits for a person, which asks git: once at the start of a conversation, not in every hook. */
  readonly withDecisions?: boolean | undefined;
}

/** Gathers what an agent in a worktree must know. Asks only the store, unless the decisions are wanted too. */
export async function prime(ports: Ports, request: PrimeRequest): Promise<PrimeAnswer> {
  const path = request.worktree ?? ports.repository.topLevel;
  const worktree = path === undefined ? undefined : ports.repository.worktree(path);
  const nothing = { worktree: worktree?.path ?? null, plans: [], step: null, interrupted: null, blocked: 0 };
  const database = await openIfThere(asEntered(ports));
  if (database === undefined) return { ...nothing, handOver: null, decisions: null };
  const seen = await database.read((sql) => look(ports, sql, worktree));
  const handOver = (worktree && readHandOver(ports, worktree)) ?? null;
  const isAsked = request.withDecisions && seen.plans.length > 0;
  const decisions = isAsked ? await countDecisions(ports) : null;
  return { ...nothing, ...seen, handOver, decisions };
}

async function countDecisions(ports: Ports): Promise<number | null> {
  const { decisionsIn, diagnosis } = await loadDiagnosis();
  const findings = await diagnosis(ports, {}).catch(orNothing);
  return findings === undefined ? null : decisionsIn(findings).length;
}

async function look(ports: Ports, sql: Sql, worktree: Worktree | undefined) {
  const [counts, held, interrupted] = await Promise.all([
    sql.all(listPlanCounts, {}),
    worktree && heldHere(sql, worktree),
    worktree === undefined ? null : lastCut(sql, worktree),
  ]);
  return {
    plans: counts.map((plan) => ({
      planPath: plan.plan_path,
      stepsTotal: plan.steps_total,
      stepsCompleted: plan.steps_completed,
    })),
    step: held === undefined ? null : await primeStep(ports, sql, held),
    interrupted,
    blocked: counts.reduce((sum, { blocked }) => sum + blocked, 0),
  };
}

/** What an agent must know of the step it holds. */
export async function primeStep(ports: Ports, sql: Sql, row: StepRow): Promise<PrimeStep> {
  const { plan_path, anchor } = row;
  const [items, artifacts, verdicts] = await Promise.all([
    sql.all(listWholeStepItems, { plan_path, anchor }),
    sql.all(listStepArtifacts, { plan_path, anchor }),
    sql.all(listVerdicts, { plan_path, anchor }),
  ]);
  return {
    planPath: plan_path,
    anchor,
    title: row.title,
    status: row.status,
    claim: row.claim_seq,
    sessionId: row.session_id,
    isAbandoned: await ownerIsGone(sql, row, leaseClockOf(ports, sql)),
    attempts: row.verification_attempts,
    items: items.map((item) => ({
      anchor: item.step_anchor,
      kind: item.kind,
      ordinal: item.ordinal + 1,
      text: item.text,
      status: item.status,
    })),
    artifacts,
    verdicts: verdicts.map(({ attempt, outcome, because, recorded_at, evidence }) => ({
      attempt,
      outcome,
      because,
      at: recorded_at,
      output: (JSON.parse(evidence) as readonly { output: string }[]).at(-1)?.output ?? "",
    })),
  };
}

async function lastCut(sql: Sql, worktree: Worktree): Promise<PrimeAnswer["interrupted"]> {
  const last = await sql.get(lastSessionOfWorktree, { worktree_id: worktree.id });
  if (last?.status !== "interrupted") return null;
  const { id, interrupted_at, interruption_type, snapshot_ref } = last;
  return { sessionId: id, at: interrupted_at, type: interruption_type, snapshotRef: snapshot_ref };
}
