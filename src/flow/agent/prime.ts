import type { Instant } from "../../domain/instant.ts";
import type { ItemKind, ItemStatus } from "../../domain/plan.ts";
import type { StepStatus } from "../../domain/step-machine.ts";
import type { Sql } from "../../ports/database.ts";
import type { Ports } from "../../ports/index.ts";
import type { Worktree } from "../../ports/repository.ts";
import { countBlockedSteps } from "../../store/statements/count-blocked-steps.ts";
import { listHeldSteps } from "../../store/statements/list-held-steps.ts";
import { listLastSessions } from "../../store/statements/list-last-sessions.ts";
import { listPlans } from "../../store/statements/list-plans.ts";
import { listStepArtifacts } from "../../store/statements/list-step-artifacts.ts";
import { listStepItems } from "../../store/statements/list-step-items.ts";
import { listSubsteps } from "../../store/statements/list-substeps.ts";
import { listVerdicts } from "../../store/statements/list-verdicts.ts";
import type { StepRow } from "../../store/statements/rows.ts";
import { ownerIsGone } from "../choose-step.ts";
import { isOwn } from "../caller.ts";
import { momentOf } from "../moment.ts";
import { afterReaping, refuseUnreaped } from "../reap.ts";
import { openIfThere } from "../open-if-there.ts";
import { type HandOver, readHandOver } from "./hand-over.ts";

/** What an agent must know now, as data. */
export interface PrimeAnswer {
  readonly worktree: string | null;
  readonly plans: readonly PrimePlan[];
  /** The step that this worktree holds. */
  readonly step: PrimeStep | null;
  /** The session that was cut off here last, when nobody has worked here since. */
  readonly interrupted: {
    readonly sessionId: string;
    readonly at: Instant | null;
    readonly type: string | null;
    readonly snapshotRef: string | null;
  } | null;
  readonly handOver: HandOver | null;
  /** How many steps are blocked: a person must decide. */
  readonly blocked: number;
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
  readonly items: readonly {
    readonly anchor: string;
    readonly kind: ItemKind;
    readonly ordinal: number;
    readonly text: string;
    readonly status: ItemStatus;
  }[];
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
}

/** Gathers what an agent in a worktree must know. Asks only the store, so that it can stand in every hook. */
export async function prime(ports: Ports, request: PrimeRequest): Promise<PrimeAnswer> {
  const path = request.worktree ?? ports.repository.topLevel;
  const worktree = path === undefined ? undefined : ports.repository.worktree(path);
  const nothing = { worktree: worktree?.path ?? null, plans: [], step: null, interrupted: null, blocked: 0 };
  const database = await openIfThere(ports);
  if (database === undefined) return { ...nothing, handOver: null };
  const seen = await afterReaping(ports, () => database.read((sql) => look(ports, sql, worktree)));
  const handOver = (worktree && readHandOver(ports, worktree)) ?? null;
  return { ...nothing, ...seen, handOver };
}

async function look(ports: Ports, sql: Sql, worktree: Worktree | undefined) {
  await refuseUnreaped(ports, sql);
  return {
    plans: (await sql.all(listPlans, {})).map((plan) => ({
      planPath: plan.plan_path,
      stepsTotal: plan.steps_total,
      stepsCompleted: plan.steps_completed,
    })),
    step: worktree === undefined ? null : await heldStep(ports, sql, worktree),
    interrupted: worktree === undefined ? null : await lastCut(sql, worktree),
    blocked: (await sql.get(countBlockedSteps, {}))?.blocked ?? 0,
  };
}

async function heldStep(ports: Ports, sql: Sql, worktree: Worktree): Promise<PrimeStep | null> {
  const row = await heldHere(sql, worktree);
  if (row === undefined) return null;
  const { plan_path, anchor } = row;
  const [own, substeps, artifacts, verdicts] = await Promise.all([
    sql.all(listStepItems, { plan_path, anchor }),
    sql.all(listSubsteps, { plan_path, anchor }),
    sql.all(listStepArtifacts, { plan_path, anchor }),
    sql.all(listVerdicts, { plan_path, anchor }),
  ]);
  const below = await Promise.all(
    substeps.map((substep) => sql.all(listStepItems, { plan_path, anchor: substep.anchor })),
  );
  return {
    planPath: plan_path,
    anchor,
    title: row.title,
    status: row.status,
    claim: row.claim_seq,
    sessionId: row.session_id,
    isAbandoned: await ownerIsGone(sql, row, momentOf(ports, sql)),
    attempts: row.verification_attempts,
    items: [own, ...below].flat().map((item) => ({
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

/** The step that a worktree holds, whoever's session it was. */
export const heldHere = async (sql: Sql, worktree: Worktree): Promise<StepRow | undefined> =>
  (await sql.all(listHeldSteps, {})).find((step) => isOwn(step, { worktree }));

async function lastCut(sql: Sql, worktree: Worktree): Promise<PrimeAnswer["interrupted"]> {
  const here = (await sql.all(listLastSessions, {})).filter(({ worktree_id }) => worktree_id === worktree.id);
  const last = here.at(-1);
  if (last?.status !== "interrupted") return null;
  const { id, interrupted_at, interruption_type, snapshot_ref } = last;
  return { sessionId: id, at: interrupted_at, type: interruption_type, snapshotRef: snapshot_ref };
}
