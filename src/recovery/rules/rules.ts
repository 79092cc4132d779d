import { abandonedInFile } from "./abandoned-in-file.ts";
import { agentTimedOut } from "./agent-timed-out.ts";
import { awaitingVerification } from "./awaiting-verification.ts";
import { committedButNotCompleted } from "./committed-but-not-completed.ts";
import { damagedBranch } from "./damaged-branch.ts";
import { damagedObjects } from "./damaged-objects.ts";
import { damagedWorktree } from "./damaged-worktree.ts";
import { landingRejected } from "./landing-rejected.ts";
import { fullCheckFailed } from "./full-check-failed.ts";
import { interruptedSession } from "./interrupted-session.ts";
import { lostCommit } from "./lost-commit.ts";
import { malformedFile } from "./malformed-file.ts";
import { orphanedWorktree } from "./orphaned-worktree.ts";
import { ownerGone } from "./owner-gone.ts";
import { pausedByLimit } from "./paused-by-limit.ts";
import { planChanged } from "./plan-changed.ts";
import { planNewer } from "./plan-newer.ts";
import type { Diagnosis, Rule } from "./rule.ts";
import type { Seen } from "./situation.ts";
import { stepsOffBranch } from "./steps-off-branch.ts";
import { stoppedRunner } from "./stopped-runner.ts";
import { stepEdited } from "./step-edited.ts";
import { stepBlocked } from "./step-blocked.ts";
import { stepOnHold } from "./step-on-hold.ts";
import { staleInProgress } from "./stale-in-progress.ts";
import { verificationEscalated } from "./verification-escalated.ts";
import { verificationExhausted } from "./verification-exhausted.ts";
import { verificationTimedOut } from "./verification-timed-out.ts";
import { waitingToLand } from "./waiting-to-land.ts";

/**
 * In the order in which findings are reported and repaired.
 *
 * No two recognise the same situation, so the order decides nothing else. What needs no judgement comes first: a
 * session that is marked as cut off, or a step that its commit completes, may settle what a later rule would ask about.
 */
export const RULES = {
  // What git cannot read, nothing else can be decided by.
  "damaged-objects": damagedObjects,
  "damaged-branch": damagedBranch,
  "steps-off-branch": stepsOffBranch,
  "damaged-worktree": damagedWorktree,
  "malformed-file": malformedFile,
  "plan-changed": planChanged,
  "plan-newer": planNewer,
  "step-edited": stepEdited,
  "interrupted-session": interruptedSession,
  "paused-by-limit": pausedByLimit,
  "stopped-runner": stoppedRunner,
  "committed-but-not-completed": committedButNotCompleted,
  "awaiting-verification": awaitingVerification,
  "verification-timed-out": verificationTimedOut,
  "verification-exhausted": verificationExhausted,
  "verification-escalated": verificationEscalated,
  "landing-rejected": landingRejected,
  "agent-timed-out": agentTimedOut,
  "step-blocked": stepBlocked,
  "waiting-to-land": waitingToLand,
  "step-on-hold": stepOnHold,
  "stale-in-progress": staleInProgress,
  "owner-gone": ownerGone,
  "abandoned-in-file": abandonedInFile,
  "orphaned-worktree": orphanedWorktree,
  "lost-commit": lostCommit,
  "full-check-failed": fullCheckFailed,
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

const NAMES = Object.keys(RULES) as readonly RuleName[];

export const ruleOf = (name: RuleName): Rule => RULES[name];

/** A rule by what a person or another process calls it. */
export const isRule = (name: string): name is RuleName => Object.hasOwn(RULES, name);

/** What a rule says about one thing that was observed. */
export interface Finding extends Diagnosis {
  readonly rule: RuleName;
  readonly seen: Seen;
}

/** Asks every rule about everything that was observed. */
export function diagnose(observation: readonly Seen[]): readonly Finding[] {
  return NAMES.flatMap((rule) =>
    observation.flatMap((seen) => {
      const diagnosis = ruleOf(rule).diagnose(seen);
      return diagnosis ? [{ rule, seen, ...diagnosis }] : [];
    }),
  );
}
