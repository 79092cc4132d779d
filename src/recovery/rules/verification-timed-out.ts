import type { Rule } from "./rule.ts";
import { verifyOrAsk } from "./verify-or-ask.ts";
import { keptText, named } from "./words.ts";

/** The verifier ran out of turns or time: it is asked again, with the longer limit. */
export const verificationTimedOut: Rule = {
  title: "Verification took too long",
  about: "Blocked by a verification that timed out, fewer than 3 attempts",
  beforeRun: "asks",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "verification_timeout" || seen.now.attempts !== "left") return undefined;
    return verifyOrAsk(
      seen,
      `Verification of ${named(seen.facts)} timed out (attempt ${seen.facts.attempts}).${keptText(seen.facts)}`,
      "it timed out and has attempts left; this time with the extended limit",
    );
  },
};
