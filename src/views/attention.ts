import type { Instant } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listStoppedSteps } from "../steps/index.ts";
import type { StepRow } from "../platform/index.ts";
import { reasonOf } from "../recovery/index.ts";
import { openIfThere } from "../journal/index.ts";

/** A step that goes on only when a person decides, for a reason that no recovery rule is about. */
export interface Attention {
  /** Stays the same while it is the same matter. */
  readonly id: string;
  readonly rule: "step-blocked" | "step-on-hold";
  /** `decide`: nothing happens until somebody does. `know`: somebody wanted it so. */
  readonly weight: "decide" | "know";
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  readonly because: string;
  readonly at: Instant | null;
  /** Names of actions, the one to think of first first. */
  readonly choices: readonly string[];
}

const MOST = 200;
/** Looked through, so that many that rules tell of do not hide the others. */
const MOST_SEEN = 2000;

/** Reasons for which there are rules; what they find is told with their choices, and only there. */
const RULED: ReadonlySet<string> = new Set([
  "verification_timeout",
  "verification_escalated",
  "agent_timeout",
  "agent_failed",
  "landing_rejected",
] satisfies readonly ReturnType<typeof reasonOf>[]);

/** What waits for a person and is nothing that recovery recognises, the most pressing first. */
export async function attention(ports: Ports): Promise<readonly Attention[]> {
  const database = await openIfThere(ports);
  const stopped = await database?.read((sql) => sql.all(listStoppedSteps, { most: MOST_SEEN }));
  return (stopped ?? [])
    .filter((step) => isHeldBack(step) || !RULED.has(reasonOf(step)))
    .slice(0, MOST)
    .map(aboutStopped);
}

const isHeldBack = ({ status }: StepRow): boolean => status === "on_hold";

/** What can be done about each: names of actions of the page, the one to think of first first. */
export const ATTENTION_CHOICES: Readonly<Record<Attention["rule"], readonly string[]>> = {
  "step-on-hold": ["retry"],
  "step-blocked": ["retry", "hold"],
};

/** By why a step was stopped. */
const TITLES: Readonly<Record<string, string>> = {
  merge_conflict: "The work conflicts with what others did",
  commit_unclear: "It is unclear which commit is the step's",
  not_committable: "The files of a step cannot be committed",
  commit_refused: "Verified work could not be committed",
  waiting_to_land: "A verified step waits for the remote",
  push_refused: "The server refuses a verified step",
  step_failed: "A step could not be finished",
};

function aboutStopped(step: StepRow): Attention {
  const about = {
    id: `step ${step.plan_path} ${step.anchor}`,
    planPath: step.plan_path,
    anchor: step.anchor,
    at: step.heartbeat_at ?? step.claimed_at,
  };
  if (isHeldBack(step))
    return {
      ...about,
      rule: "step-on-hold",
      weight: "know",
      title: "A step is on hold",
      because: step.block_note ?? "A person keeps it back.",
      choices: ATTENTION_CHOICES["step-on-hold"],
    };
  return {
    ...about,
    rule: "step-blocked",
    // Lands by itself when the remote answers again.
    weight: step.block_reason === "waiting_to_land" ? "know" : "decide",
    title: TITLES[step.block_reason ?? ""] ?? "A step is blocked",
    because: step.block_note ?? "No reason was given.",
    choices: ATTENTION_CHOICES["step-blocked"],
  };
}
