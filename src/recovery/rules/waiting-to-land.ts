import type { Rule } from "./rule.ts";
import { named } from "./words.ts";

/** Verified, and kept until the remote answers again; then the next run lands it without an agent. */
export const waitingToLand: Rule = {
  title: "A verified step waits for the remote",
  about: "Verified, but Pawl cannot reach the remote that it lands on",
  beforeRun: "repairs",
  reported: { weight: "know", actions: ["retry", "hold"] },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "waiting_to_land") return undefined;
    const { note } = seen.facts;
    return {
      found: `${named(seen.facts)} is ${note ?? "verified and waits to land."}`,
    };
  },
};
