import type { Rule } from "./rule.ts";
import { isAtRest, named } from "./words.ts";

/**
 * No attempt is left and none of them passed.
 *
 * Attempts are counted before they begin, so a verification that kills its own runner ends here too instead of being
 * started for ever.
 */
export const verificationExhausted: Rule = {
  title: "Its verification attempts are used up",
  about: "Verification timed out or never finished, and 3 attempts are used up",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.attempts !== "used-up") return undefined;
    const { status, reason, proof } = seen.now;
    const timedOut = status === "blocked" && reason === "verification_timeout";
    const neverFinished = status === "awaiting_verification" && proof === "none" && isAtRest(seen.now);
    if (!timedOut && !neverFinished) return undefined;
    return {
      found: `${named(seen.facts)} used up its ${seen.facts.attempts} verification attempts.`,
      automatic: { do: "escalate", because: `${seen.facts.attempts} attempts, and none passed` },
    };
  },
};
