import type { Rule } from "./rule.ts";
import { choice, keptText, named } from "./words.ts";

/** It may be too large for one go, or the agent was unlucky: only a person can tell. */
export const agentTimedOut: Rule = {
  title: "The agent took too long",
  about: "Blocked because its agent took too long",
  beforeRun: "asks",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "agent_timeout") return undefined;
    return {
      found: `${named(seen.facts)} timed out in a previous session.${keptText(seen.facts)}`,
      choices: [
        choice("retry", "the agent may do better next time"),
        ...(seen.facts.canBreakDown ? [choice("break-down", "it may be too much for one attempt")] : []),
        choice("skip", "it can wait"),
      ],
    };
  },
};
