import type { Rule } from "./rule.ts";
import { verifyOrAsk } from "./verify-or-ask.ts";
import { isAtRest, keptText, named } from "./words.ts";

/** The implementation is done; its verifier is gone, so only the verification is run again. */
export const awaitingVerification: Rule = {
  title: "Done, but never verified",
  about: "Implementation done, verification never finished",
  beforeRun: "asks",
  forAgents: { who: "agent", next: "Claim it in its worktree and submit it again; or the next run does." },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "awaiting_verification") return undefined;
    if (seen.now.attempts !== "left" || seen.now.proof !== "none" || !isAtRest(seen.now)) return undefined;
    return verifyOrAsk(
      seen,
      `${named(seen.facts)} was implemented, but its verification never finished.${keptText(seen.facts)}`,
      "the previous session did not finish the verification",
    );
  },
};
