import {
  BRANCH_PREFIX,
  fromInstant,
  isHeld,
  isOwnerGone,
  isWorktreeMissing,
  type LeaseClock,
  type PlanStep,
} from "../../domain/index.ts";
import { formatNamed } from "../../plans/formats/index.ts";
import { lazy, type PlanRow, type StepRow } from "../../platform/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import { lastInWorktree, lastSessionOf } from "../../sessions/index.ts";
import { type KeptWork, keptWorkOf } from "../../steps/index.ts";
import { type AgentWords, agentWordsIn, lastStepSign, openIfThere } from "../../journal/index.ts";
import { findStep, withoutPlanFiles } from "../../plans/index.ts";
import { canFail, MOST_ATTEMPTS } from "../../verification/index.ts";
import { isThere, type ObservedSession } from "./observe-sessions.ts";
import { runSettingsOf } from "../../agents/index.ts";

type Now = SeenOf<"step">["now"];

/** No sign of life for so long means that a person must look. */
const STALE_MS = 24 * 3600 * 1000;

const DAY_MS = 24 * 3600 * 1000;

export interface StepsScene {
  readonly plan: PlanRow;
  readonly rows: readonly StepRow[];
  readonly inFile: ReadonlyMap<string, PlanStep>;
  readonly sessions: ReadonlyMap<string, ObservedSession>;
  /** Sessions that only verify, and were cut off in it. */
  readonly verifiers: ReadonlySet<string>;
  /** Commits that would complete a step, by anchor. */
  readonly proofs: ReadonlyMap<string, string>;
  readonly moment: LeaseClock;
}

/** Looks at the steps of one plan. */
export async function observeSteps(ports: Ports, scene: StepsScene): Promise<readonly SeenOf<"step">[]> {
  const seen: SeenOf<"step">[] = [];
  const here = checkoutAtHand(ports, scene.plan.plan_path);
  for (const row of scene.rows)
    if (mayNeedHelp(row, scene)) seen.push(await observeStep(ports, row, scene, here));
  return seen;
}

/** Most steps of a plan are done, or wait for their turn: they cost nothing. Substeps are verified and freed with their step. */
function mayNeedHelp(row: StepRow, { inFile, proofs }: StepsScene): boolean {
  if (row.status === "completed") return false;
  // What a commit completes is settled first; else the edit is.
  if (row.bound_to !== null && !proofs.has(row.anchor)) return false;
  if (row.status === "on_hold") return row.parent_anchor === null;
  if (row.status === "blocked") return true;
  if (inFile.get(row.anchor)?.progress?.status === "in_progress" && row.status === "pending") return true;
  return row.parent_anchor === null && (isHeld(row.status) || proofs.has(row.anchor));
}

async function observeStep(
  ports: Ports,
  row: StepRow,
  scene: StepsScene,
  here: () => Promise<boolean>,
): Promise<SeenOf<"step">> {
  const { plan, proofs } = scene;
  const ageMs = await ageOf(ports, row, scene);
  const status = isBeingVerified(row, scene) ? "awaiting_verification" : row.status;
  const kept = await keptOf(ports, row);
  const needsPlace = status === "awaiting_verification" || row.block_reason === "verification_timeout";
  return {
    kind: "step",
    now: {
      status,
      reason: blockReasonOf(row),
      attempts: row.verification_attempts >= MOST_ATTEMPTS ? "used-up" : "left",
      holder: holderOf(row, scene),
      activity: ageMs >= STALE_MS ? "stale" : "recent",
      proof: proofs.has(row.anchor) ? "commit" : "none",
      inFile: inFileOf(row, scene),
      place: needsPlace ? await placeOf(ports, row, { here, kept }) : "known",
      judge: !needsPlace || (await hasJudge(ports, scene, row.anchor)) ? "there" : "none",
    },
    facts: {
      plan: plan.plan_path,
      anchor: row.anchor,
      title: row.title,
      attempts: row.verification_attempts,
      days: Math.floor(ageMs / DAY_MS),
      note: row.block_note ?? undefined,
      blockedBy: row.block_reason ?? undefined,
      ...(await wordsOf(ports, row)),
      commit: proofs.get(row.anchor),
      kept: kept?.at,
      missing: isHeld(row.status) && isWorktreeMissing(row, scene.moment) ? row.claimed_by! : undefined,
      stored: row.status,
      canBreakDown: row.parent_anchor === null && formatNamed(plan.format)?.breakDown !== undefined,
    },
  };
}

/** What its agents left for the person who is to decide. */
async function wordsOf(ports: Ports, { plan_path, anchor, status }: StepRow): Promise<Partial<AgentWords>> {
  const database = status === "blocked" ? await openIfThere(ports) : undefined;
  return (await database?.read((sql) => agentWordsIn(sql, { plan_path, anchor }))) ?? {};
}

/**
 * A verifier claims the step first, so a verifier that was killed right then leaves a step that looks as if
 * a worker had been implementing it. Given back as that, finished work would be done again.
 */
function isBeingVerified(row: StepRow, { verifiers }: StepsScene): boolean {
  const isClaimed = row.status === "claimed" || row.status === "in_progress";
  return isClaimed && row.session_id !== null && verifiers.has(row.session_id);
}

const REASONS: Readonly<Record<string, Now["reason"]>> = {
  verification_escalated: "verification_escalated",
  agent_timeout: "agent_timeout",
  agent_failed: "agent_failed",
  landing_rejected: "landing_rejected",
  waiting_to_land: "waiting_to_land",
  cut_off: "agent_failed",
  // What earlier versions called it.
  runner_killed: "agent_failed",
};

/** A substep is verified with its step, so what only a verification could repair is no reason of its own. */
function blockReasonOf({ block_reason, parent_anchor }: StepRow): Now["reason"] {
  if (block_reason === null) return "none";
  if (block_reason === "verification_timeout") return parent_anchor === null ? block_reason : "other";
  return REASONS[block_reason] ?? "other";
}

function holderOf(row: StepRow, { sessions, moment }: StepsScene): Now["holder"] {
  if (!isHeld(row.status) || (row.claimed_by === null && row.session_id === null)) return "none";
  const session = row.session_id === null ? undefined : sessions.get(row.session_id);
  const isRunning = session?.now.state === "running";
  if (!isOwnerGone(row, isRunning ? { status: "in_progress" } : undefined, moment)) return "living";
  if (session === undefined || isRunning) return "gone";
  const { resumable, superseded, host } = session.now;
  return resumable === "yes" && superseded === "no" && host === "here" ? "resumable" : "gone";
}

function inFileOf(row: StepRow, { plan, inFile }: StepsScene): Now["inFile"] {
  if (row.status !== "pending" || inFile.get(row.anchor)?.progress?.status !== "in_progress") return "same";
  // Task files are worked on by others too; one that Pawl has written to is only behind.
  return plan.format === "task-files" && row.last_event === "saved" ? "in-progress" : "abandoned";
}

/** How long ago the last sign of life was; the journal knows of decisions to continue, too. */
async function ageOf(ports: Ports, row: StepRow, { plan, inFile, moment }: StepsScene): Promise<number> {
  const database = await openIfThere(ports);
  const { plan_path, anchor } = row;
  const last = await database?.read((sql) => sql.get(lastStepSign, { plan_path, anchor }));
  const written = isHeld(row.status) ? undefined : fileTime(inFile.get(anchor)?.progress?.updatedAt);
  const signs = [row.heartbeat_at, row.started_at, row.claimed_at, last?.at]
    .filter((at) => at !== null && at !== undefined)
    .map(fromInstant);
  if (written !== undefined) signs.push(written);
  // Nothing is known but when the plan was first read.
  if (signs.length === 0) signs.push(fromInstant(plan.created_at));
  return fromInstant(moment.now) - Math.max(...signs);
}

/** A date alone means the whole day: time counts from its end. */
function fileTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? ms + DAY_MS : ms;
}

/** Work of a step that the next claim, or its verification, can continue. Of what a plan without state says there is none. */
async function keptOf(ports: Ports, { plan_path, anchor, status }: StepRow): Promise<KeptWork | undefined> {
  const database = status === "pending" ? undefined : await openIfThere(ports);
  return database?.read(async (sql) =>
    (await sql.get(findStep, { plan_path, anchor })) ? keptWorkOf(sql, plan_path, anchor) : undefined,
  );
}

interface Around {
  readonly here: () => Promise<boolean>;
  readonly kept: KeptWork | undefined;
}

/** Known is also what can be put into a worktree again. One that was used for another step since holds nothing of it. */
async function placeOf(ports: Ports, row: StepRow, { here, kept }: Around): Promise<Now["place"]> {
  const database = await openIfThere(ports);
  const { plan_path, anchor } = row;
  const last = await database?.read((sql) => sql.get(lastSessionOf, { plan_path, anchor }));
  const path = row.claimed_by ?? last?.worktree;
  if (path === undefined) return (await here()) ? "here" : "unclear";
  if (kept !== undefined && kept.extent !== "part" && last?.base?.startsWith(BRANCH_PREFIX)) return "known";
  if (!isThere(ports, path)) return "unclear";
  const used = await database?.read((sql) => sql.get(lastInWorktree, { worktree: path }));
  const isOwn = used === undefined || (used.plan_path === plan_path && used.anchor === anchor);
  return isOwn || row.claimed_by === path ? "known" : "unclear";
}

/** A step that its file does not have any more is judged by what the settings say alone. */
async function hasJudge(ports: Ports, { inFile }: StepsScene, anchor: string): Promise<boolean> {
  const { verify } = runSettingsOf(ports);
  const step = inFile.get(anchor);
  return step ? canFail(step, verify) : verify.command !== undefined || verify.agent !== undefined;
}

/** Whether the checkout that the caller stands in has no changes but those of the plan itself; read once. */
const checkoutAtHand = (ports: Ports, plan: string): (() => Promise<boolean>) =>
  lazy(async () => {
    const { topLevel } = ports.repository;
    if (topLevel === undefined) return false;
    const worktree = ports.repository.worktree(topLevel);
    const changed = await (await ports.commits()).uncommitted(worktree, undefined);
    return withoutPlanFiles(changed, plan).length === 0;
  });

/** Steps whose work has begun, and that the plan says something else about. Substeps are decided with their step. */
export function observeEdits(
  scene: StepsScene,
  now: ReadonlyMap<string, PlanStep>,
): readonly SeenOf<"edit">[] {
  const tops = scene.rows.filter(({ parent_anchor }) => parent_anchor === null);
  const done = tops.filter(({ status }) => status === "completed");
  const isOther =
    done.length > 1 &&
    done.every(({ bound_to }) => bound_to !== null) &&
    tops.every(({ status }) => !isHeld(status));
  return scene.rows
    .filter(
      ({ anchor, parent_anchor, bound_to }) =>
        parent_anchor === null && bound_to !== null && !scene.proofs.has(anchor),
    )
    .map((row): SeenOf<"edit"> => ({
      kind: "edit",
      now: {
        text: now.has(row.anchor) ? "edited" : "removed",
        work: row.status === "completed" ? "completed" : holderOf(row, scene) === "living" ? "held" : "left",
        plan: isOther ? "other" : "known",
      },
      facts: { plan: row.plan_path, anchor: row.anchor, title: row.title, now: now.get(row.anchor) },
    }));
}
