import {
  doneElsewhere,
  Failure,
  type Instant,
  isHeld,
  type Lane,
  type LeaseClock,
  leaseEnd,
  type StepStatus,
} from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import {
  databaseFor,
  findStepLine,
  pageDependencies,
  pageSteps,
  savedPlan,
  type StepLineRow,
} from "../plans/index.ts";
import { leaseClockOf } from "../sessions/index.ts";
import { byAnchor, pageVerifications, type VerifiedBy, verificationOf } from "../steps/index.ts";

/** A step in a list, a board or a graph. */
export interface StepLineView {
  readonly anchor: string;
  readonly title: string;
  readonly stepIndex: number;
  readonly parentAnchor: string | null;
  readonly status: StepStatus;
  readonly lane: Lane;
  /** With the status it is what an action was decided on. */
  readonly claim: number;
  readonly claimedBy: string | null;
  readonly sessionId: string | null;
  readonly leaseExpiresAt: Instant | null;
  /** When the session that holds it was cut off: it is held, and no agent works on it. */
  readonly interruptedAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly startedAt: Instant | null;
  readonly attempts: number;
  readonly blockReason: string | null;
  readonly blockNote: string | null;
  readonly forced: boolean;
  /** How it was verified, once it is completed; null before that, and for substeps. */
  readonly verification: VerifiedBy | null;
  readonly itemsTotal: number;
  readonly itemsCompleted: number;
  readonly itemsDeferred: number;
  /** Left out where only the step itself was read again: what it waits for does not change with its state. */
  readonly dependsOn?: readonly string[];
}

export interface StepLinesRequest {
  readonly plan: string;
  /** Only steps behind this place; from the beginning when left out. */
  readonly after?: number | undefined;
  readonly most?: number | undefined;
  /** Only these, wherever they are. */
  readonly anchors?: readonly string[] | undefined;
}

export interface StepLinesAnswer {
  readonly planPath: string;
  readonly phaseTitle: string | null;
  readonly planHash: string;
  readonly steps: readonly StepLineView[];
  /** Where the next page begins; null when this was the last. */
  readonly next: number | null;
}

const MOST = 500;
const MOST_NAMED = 200;

/** A page of a plan's steps, so that a plan of any size is read in pieces of one size. */
export async function stepLines(ports: Ports, request: StepLinesRequest): Promise<StepLinesAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(ports, key);
  const most = Math.min(Math.max(request.most ?? MOST, 1), MOST);
  if ((request.anchors?.length ?? 0) > MOST_NAMED)
    throw new Failure("usage/wrong", `At most ${MOST_NAMED} steps can be named at once.`, {});
  return database.read(async (sql) => {
    const { plan_hash, phase_title } = await savedPlan(sql, key);
    const moment = leaseClockOf(ports, sql);
    const page = request.anchors
      ? await named(sql, key, request.anchors, moment)
      : await pageAfter(sql, key, request.after ?? -1, most, moment);
    return { planPath: key, planHash: plan_hash, phaseTitle: phase_title, ...page };
  });
}

async function named(sql: Sql, key: string, anchors: readonly string[], moment: LeaseClock) {
  const steps: StepLineView[] = [];
  for (const anchor of new Set(anchors)) {
    const row = await sql.get(findStepLine, { plan_path: key, anchor });
    if (row) {
      const verification = row.status === "completed" ? await verificationOf(sql, key, anchor) : undefined;
      steps.push(lineOf(row, { dependsOn: undefined, verification }, moment));
    }
  }
  return { steps, next: null };
}

async function pageAfter(sql: Sql, key: string, after: number, most: number, moment: LeaseClock) {
  const rows = await sql.all(pageSteps, { plan_path: key, after, most });
  const last = rows.at(-1)?.step_index ?? after;
  const edges = new Map<string, string[]>();
  for (const { step_anchor, depends_on } of await sql.all(pageDependencies, {
    plan_path: key,
    after,
    until: last,
  })) {
    const known = edges.get(step_anchor);
    if (known) known.push(depends_on);
    else edges.set(step_anchor, [depends_on]);
  }
  const verified = byAnchor(await sql.all(pageVerifications, { plan_path: key, after, until: last }));
  return {
    steps: rows.map((row) =>
      lineOf(row, { dependsOn: edges.get(row.anchor) ?? [], verification: verified.get(row.anchor) }, moment),
    ),
    next: rows.length === most ? last : null,
  };
}

interface Beside {
  readonly dependsOn: readonly string[] | undefined;
  readonly verification: VerifiedBy | undefined;
}

function lineOf(row: StepLineRow, { dependsOn, verification }: Beside, moment: LeaseClock): StepLineView {
  return {
    anchor: row.anchor,
    title: row.title,
    stepIndex: row.step_index,
    parentAnchor: row.parent_anchor,
    status: row.status,
    lane: row.lane,
    claim: row.claim_seq,
    claimedBy: row.claimed_by,
    sessionId: row.session_id,
    leaseExpiresAt: isHeld(row.status) ? leaseEnd(row, moment) : null,
    interruptedAt: row.interrupted_at,
    completedAt: row.completed_at,
    startedAt: row.started_at,
    attempts: row.verification_attempts,
    blockReason: row.block_reason,
    blockNote: row.block_note,
    forced: row.complete_reason !== null && doneElsewhere(row.complete_reason) === undefined,
    verification: verification ?? null,
    itemsTotal: row.items_total,
    itemsCompleted: row.items_completed,
    itemsDeferred: row.items_deferred,
    ...(dependsOn === undefined ? {} : { dependsOn }),
  };
}
