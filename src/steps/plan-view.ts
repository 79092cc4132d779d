import {
  type Instant,
  isHeld,
  isOwnerGone,
  type ItemKind,
  type ItemStatus,
  type LeaseClock,
  leaseEnd,
  leaseIsOver,
  otherHost,
  type StepStatus,
  type UsageView,
  usageView,
} from "../domain/index.ts";
import type {
  ArtifactRow,
  DependencyRow,
  ItemRow,
  LateResultRow,
  PlanRow,
  SessionRow,
  StepRow,
} from "../platform/index.ts";
import type { VerifiedBy } from "./step-verification.ts";
import { type StepUsageRow, stoppedOwner, type StoppedRunner } from "../sessions/index.ts";

/** A plan with its progress, as people and programs see it. */
export interface PlanView {
  readonly planPath: string;
  readonly planHash: string;
  readonly format: string;
  readonly phaseTitle: string | null;
  readonly status: "active" | "done";
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly totals: Totals;
  /** What was spent on it, on steps that it no longer has as well; null where nothing is on record. */
  readonly usage: UsageView | null;
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly anchor: string;
  readonly title: string;
  readonly stepIndex: number;
  readonly parentAnchor: string | null;
  readonly status: StepStatus;
  readonly claimedBy: string | null;
  /** The machine it is held on, where that is another one than this. */
  readonly otherHost: string | null;
  readonly claim: number;
  readonly sessionId: string | null;
  readonly claimedAt: Instant | null;
  readonly leaseExpiresAt: Instant | null;
  /** The lease is over; whether the step may be taken also depends on its session. */
  readonly leaseExpired: boolean;
  /** Its holder is gone for good: the next claim may take it. */
  readonly ownerGone: boolean;
  /** Where its runner is stopped, as by Ctrl-Z. */
  readonly stopped: StoppedRunner | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly commitHash: string | null;
  readonly completeReason: string | null;
  readonly reopenReason: string | null;
  readonly blockReason: string | null;
  readonly blockNote: string | null;
  readonly dependsOn: readonly string[];
  readonly blockedBy: readonly string[];
  readonly checklist: Checklist;
  readonly items: readonly ItemView[];
  readonly substeps: readonly StepView[];
  readonly artifacts: readonly ArtifactView[];
  readonly lateResults: readonly LateResultView[];
  /** How it was verified, once it is completed; null before that, and for substeps. */
  readonly verification: VerifiedBy | null;
  /** What its agents used, all attempts together; null where nothing is on record. */
  readonly usage: UsageView | null;
}

export interface Checklist {
  readonly tasksTotal: number;
  readonly tasksCompleted: number;
  readonly testsTotal: number;
  readonly testsCompleted: number;
  readonly checkpointsTotal: number;
  readonly checkpointsCompleted: number;
  readonly deferred: number;
}

export interface ItemView {
  readonly kind: ItemKind;
  /** From 1, within its kind. */
  readonly ordinal: number;
  readonly text: string;
  readonly status: ItemStatus;
  readonly reason: string | null;
  readonly updatedAt: Instant | null;
}

export interface ArtifactView {
  readonly artifactId: number;
  readonly kind: string;
  readonly summary: string;
  readonly hasContent: boolean;
  readonly claim: number | null;
  readonly recordedAt: Instant;
}

export interface LateResultView {
  readonly claim: number | null;
  readonly worktree: string;
  readonly commitHash: string | null;
  readonly heldRef: string | null;
  readonly recordedAt: Instant;
}

export interface Totals {
  readonly steps: number;
  readonly stepsCompleted: number;
  readonly substeps: number;
  readonly substepsCompleted: number;
  readonly items: number;
  readonly itemsCompleted: number;
  readonly itemsDeferred: number;
}

/** The rows of one plan. */
export interface PlanRows {
  readonly plan: PlanRow;
  readonly steps: readonly StepRow[];
  /** Those that hold steps. */
  readonly sessions: readonly SessionRow[];
  readonly dependencies: readonly DependencyRow[];
  readonly items: readonly ItemRow[];
  readonly artifacts: readonly ArtifactRow[];
  readonly lateResults: readonly LateResultRow[];
  /** By anchor, of completed steps. */
  readonly verifications: ReadonlyMap<string, VerifiedBy>;
  readonly usage: readonly StepUsageRow[];
}

export function planView(rows: PlanRows, moment: LeaseClock): PlanView {
  const completed = new Set(
    rows.steps.filter((step) => step.status === "completed").map((step) => step.anchor),
  );
  const parts: Parts = {
    moment,
    completed,
    sessions: new Map(rows.sessions.map((session) => [session.id, session])),
    dependencies: groupBy(rows.dependencies, (row) => row.step_anchor),
    items: groupBy(rows.items, (row) => row.step_anchor),
    artifacts: groupBy(rows.artifacts, (row) => row.step_anchor),
    lateResults: groupBy(rows.lateResults, (row) => row.anchor),
    substeps: groupBy(rows.steps, (row) => row.parent_anchor ?? ""),
    verifications: rows.verifications,
    usage: groupBy(rows.usage, (row) => row.anchor ?? ""),
  };
  const { plan } = rows;
  return {
    planPath: plan.plan_path,
    planHash: plan.plan_hash,
    format: plan.format,
    phaseTitle: plan.phase_title,
    status: plan.status,
    createdAt: plan.created_at,
    updatedAt: plan.updated_at,
    totals: totalsOf(rows),
    usage: usageView(rows.usage),
    steps: (parts.substeps.get("") ?? []).map((step) => stepView(step, step, parts)),
  };
}

interface Parts {
  readonly moment: LeaseClock;
  readonly completed: ReadonlySet<string>;
  readonly sessions: ReadonlyMap<string, SessionRow>;
  readonly dependencies: ReadonlyMap<string, readonly DependencyRow[]>;
  readonly items: ReadonlyMap<string, readonly ItemRow[]>;
  readonly artifacts: ReadonlyMap<string, readonly ArtifactRow[]>;
  readonly lateResults: ReadonlyMap<string, readonly LateResultRow[]>;
  readonly substeps: ReadonlyMap<string, readonly StepRow[]>;
  readonly verifications: PlanRows["verifications"];
  readonly usage: ReadonlyMap<string, readonly StepUsageRow[]>;
}

/** A substep goes with its step, and so does whether its owner is gone. */
function stepView(row: StepRow, owner: StepRow, parts: Parts): StepView {
  const held = isHeld(row.status);
  const dependsOn = (parts.dependencies.get(row.anchor) ?? []).map((edge) => edge.depends_on);
  const items = parts.items.get(row.anchor) ?? [];
  return {
    anchor: row.anchor,
    title: row.title,
    stepIndex: row.step_index,
    parentAnchor: row.parent_anchor,
    status: row.status,
    claimedBy: row.claimed_by,
    claim: row.claim_seq,
    otherHost: held ? otherHost(row, parts.moment) : null,
    sessionId: row.session_id,
    claimedAt: row.claimed_at,
    leaseExpiresAt: held ? leaseEnd(row, parts.moment) : null,
    leaseExpired: held && leaseIsOver(row, parts.moment),
    ownerGone: held && isOwnerGone(owner, parts.sessions.get(owner.session_id ?? ""), parts.moment),
    stopped: held ? stoppedOwner(parts.sessions.get(owner.session_id ?? ""), owner, parts.moment) : null,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    commitHash: row.commit_hash,
    completeReason: row.complete_reason,
    reopenReason: row.reopen_reason,
    blockReason: row.block_reason,
    blockNote: row.block_note,
    dependsOn,
    blockedBy: row.status === "completed" ? [] : dependsOn.filter((anchor) => !parts.completed.has(anchor)),
    checklist: checklistOf(items),
    items: items.map(itemView),
    substeps: (row.parent_anchor === null ? (parts.substeps.get(row.anchor) ?? []) : []).map((step) =>
      stepView(step, row, parts),
    ),
    artifacts: (parts.artifacts.get(row.anchor) ?? []).map(artifactView),
    lateResults: (parts.lateResults.get(row.anchor) ?? []).map(lateResultView),
    verification: parts.verifications.get(row.anchor) ?? null,
    usage: usageView(parts.usage.get(row.anchor) ?? []),
  };
}

const itemView = (row: ItemRow): ItemView => ({
  kind: row.kind,
  ordinal: row.ordinal + 1,
  text: row.text,
  status: row.status,
  reason: row.reason,
  updatedAt: row.updated_at,
});

/**
 * What is ticked for a step. A substep without items is one thing to tick: its task 1, in the words of its title. So
 * it is completed because its agent said so, and not because nothing in it is open.
 */
export const tickableItems = ({
  parentAnchor,
  title,
  status,
  items,
  completedAt,
}: StepView): readonly ItemView[] =>
  items.length > 0 || parentAnchor === null
    ? items
    : [
        {
          kind: "task",
          ordinal: 1,
          text: title,
          status: status === "completed" ? "completed" : "open",
          reason: null,
          updatedAt: completedAt,
        },
      ];

const artifactView = (row: ArtifactRow): ArtifactView => ({
  artifactId: row.id,
  kind: row.kind,
  summary: row.summary,
  hasContent: row.content !== null,
  claim: row.claim,
  recordedAt: row.recorded_at,
});

const lateResultView = (row: LateResultRow): LateResultView => ({
  claim: row.claim,
  worktree: row.worktree,
  commitHash: row.commit_hash,
  heldRef: row.held_ref,
  recordedAt: row.recorded_at,
});

/** Deferred items do not block, but they are not done either: they count apart. */
function checklistOf(items: readonly ItemRow[]): Checklist {
  const count = (kind: ItemKind, done: boolean) =>
    items.filter((item) => item.kind === kind && (!done || item.status === "completed")).length;
  return {
    tasksTotal: count("task", false),
    tasksCompleted: count("task", true),
    testsTotal: count("test", false),
    testsCompleted: count("test", true),
    checkpointsTotal: count("checkpoint", false),
    checkpointsCompleted: count("checkpoint", true),
    deferred: items.filter((item) => item.status === "deferred").length,
  };
}

function totalsOf({ steps, items }: PlanRows): Totals {
  const top = steps.filter((step) => step.parent_anchor === null);
  const sub = steps.filter((step) => step.parent_anchor !== null);
  const done = (list: readonly StepRow[]) => list.filter((step) => step.status === "completed").length;
  return {
    steps: top.length,
    stepsCompleted: done(top),
    substeps: sub.length,
    substepsCompleted: done(sub),
    items: items.length,
    itemsCompleted: items.filter((item) => item.status === "completed").length,
    itemsDeferred: items.filter((item) => item.status === "deferred").length,
  };
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
