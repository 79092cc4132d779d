import type { Instant } from "../../domain/instant.ts";
import type { Ports } from "../../ports/index.ts";
import { listHeldSteps } from "../../store/statements/list-held-steps.ts";
import { listStoppedSteps } from "../../store/statements/list-stopped-steps.ts";
import type { StepRow } from "../../store/statements/rows.ts";
import { ownerIsGone } from "../choose-step.ts";
import { momentOf } from "../moment.ts";
import { listSessionViews, type SessionView } from "../run/session-view.ts";
import { openIfThere } from "../worktree-use.ts";

/** Something that goes on only when a person decides, or that a person wants to know of. */
export interface Attention {
  /** Stays the same while it is the same matter. */
  readonly id: string;
  readonly rule: Rule;
  /** `decide`: nothing happens until somebody does. `know`: it goes on by itself. */
  readonly weight: "decide" | "know";
  readonly planPath: string | null;
  readonly anchor: string | null;
  readonly sessionId: string | null;
  readonly title: string;
  readonly because: string;
  readonly at: Instant | null;
  /** Names of actions, the one to think of first first. */
  readonly choices: readonly string[];
}

export type Rule = "interrupted-session" | "paused-by-limit" | "step-blocked" | "step-on-hold" | "owner-gone";

const MOST = 200;
const MOST_SESSIONS = 50;

/** What waits for a person, the most pressing first. */
export async function attention(ports: Ports): Promise<readonly Attention[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  const sessions = await listSessionViews(ports, { interrupted: true, most: MOST_SESSIONS });
  const ofSessions = sessions.filter(({ resumable }) => resumable).map(aboutSession);
  const ofSteps = await database.read(async (sql) => {
    const moment = momentOf(ports, sql);
    const stopped = (await sql.all(listStoppedSteps, { most: MOST })).map(aboutStopped);
    const left: Attention[] = [];
    for (const step of (await sql.all(listHeldSteps, {})).slice(0, MOST))
      if (!isToBeResumed(step, sessions) && (await ownerIsGone(sql, step, moment)))
        left.push(aboutLeft(step));
    return [...stopped, ...left];
  });
  const all = [...ofSessions, ...ofSteps];
  return [
    ...all.filter(({ weight }) => weight === "decide"),
    ...all.filter(({ weight }) => weight === "know"),
  ];
}

function aboutSession(session: SessionView): Attention {
  const { id, at, planPath, interruptedAt, interruptionType, pausedUntil, snapshotRef, agent } = session;
  const isPaused = interruptionType === "usage_limit";
  const where = at?.anchor ? ` while it was at ${at.anchor} (${at.command})` : "";
  const by = BY[interruptionType ?? ""] ?? "for a reason nobody knows";
  return {
    id: `session ${id}`,
    rule: isPaused ? "paused-by-limit" : "interrupted-session",
    weight: "decide",
    planPath,
    anchor: at?.anchor ?? null,
    sessionId: id,
    title: isPaused ? "A session is paused by a limit" : "A session was interrupted",
    because: isPaused
      ? `${agent ?? "The agent"} reached a limit${where}${pausedUntil === null ? "" : `; it is over at ${pausedUntil}`}.`
      : `It ended ${by}${where}.${snapshotRef === null ? "" : " Its uncommitted work is kept."}`,
    at: interruptedAt,
    choices: ["resume", "abandon", ...(snapshotRef === null ? [] : ["restore"])],
  };
}

const BY: Readonly<Record<string, string>> = {
  user_interrupt: "because somebody pressed Ctrl-C",
  termination: "because it was asked to (SIGTERM)",
  hangup: "because its terminal was closed",
  process_kill: "because its process was killed",
};

/** By why a step was stopped: what to call it, and what can be done. */
const STOPPED: Readonly<Record<string, { readonly title: string; readonly choices: readonly string[] }>> = {
  verification_escalated: {
    title: "Verification failed too often",
    choices: ["verify", "retry", "hold"],
  },
  verification_timeout: { title: "Verification took too long", choices: ["verify", "retry", "hold"] },
  agent_timeout: { title: "The agent took too long", choices: ["retry", "hold"] },
  merge_conflict: { title: "The work conflicts with what others did", choices: ["retry", "hold"] },
  commit_unclear: { title: "It is unclear which commit is the step's", choices: ["retry", "hold"] },
};

function aboutStopped(step: StepRow): Attention {
  const isHeldBack = step.status === "on_hold";
  const known = STOPPED[step.block_reason ?? ""];
  return {
    ...aboutStep(step),
    rule: isHeldBack ? "step-on-hold" : "step-blocked",
    weight: isHeldBack ? "know" : "decide",
    title: isHeldBack ? "A step is on hold" : (known?.title ?? "A step is blocked"),
    because: step.block_note ?? (isHeldBack ? "A person keeps it back." : "No reason was given."),
    choices: isHeldBack ? ["retry"] : (known?.choices ?? ["retry", "hold"]),
  };
}

/** Then that is said already, and resuming is better than giving the step away. */
const isToBeResumed = (step: StepRow, sessions: readonly SessionView[]): boolean =>
  sessions.some(({ id, resumable }) => id === step.session_id && resumable);

function aboutLeft(step: StepRow): Attention {
  return {
    ...aboutStep(step),
    rule: "owner-gone",
    weight: "know",
    title: "The owner of a step is gone",
    because: "The next claim takes it over.",
    choices: step.status === "awaiting_verification" ? ["verify", "release"] : ["release"],
  };
}

const aboutStep = (step: StepRow) => ({
  id: `step ${step.plan_path} ${step.anchor}`,
  planPath: step.plan_path,
  anchor: step.anchor,
  sessionId: step.session_id,
  at: step.heartbeat_at ?? step.claimed_at,
});
