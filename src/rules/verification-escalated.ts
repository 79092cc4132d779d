import type { Rule } from "./rule.ts";
import { named } from "./words.ts";

/** Already with a person: told again, and left alone. */
export const verificationEscalated: Rule = {
  name: "verification-escalated",
  about: "Escalated to a person after its verification attempts",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "verification_escalated") return undefined;
    const { note, attempts } = seen.facts;
    return {
      found: `${named(seen.facts)} awaits a person's review (${note ?? `${attempts} verification attempts exhausted`}).`,
    };
  },
};
