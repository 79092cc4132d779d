import type { Rule } from "./rule.ts";
import { keptText, named } from "./words.ts";

/** Already with a person: reported again, and left alone. */
export const verificationEscalated: Rule = {
  title: "Attempts used up",
  about: "Blocked after all its attempts; a person decides",
  beforeRun: "repairs",
  forAgents: { who: "person", next: "A person decides whether it is tried again." },
  reported: { weight: "decide", actions: ["verify", "retry", "hold"] },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    const { reason } = seen.now;
    if (reason !== "verification_escalated" && reason !== "agent_failed") return undefined;
    const { note, attempts } = seen.facts;
    return {
      found: `${named(seen.facts)} needs a person: ${note ?? `its ${attempts} attempts are used up`}.${keptText(seen.facts)}`,
    };
  },
};
