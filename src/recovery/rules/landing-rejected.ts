import type { Rule } from "./rule.ts";
import { choice, named } from "./words.ts";

/** Its agent was asked several times to make both work together, and could not: only a person can tell which one to change. */
export const landingRejected: Rule = {
  title: "Passes alone, fails with what landed",
  about: "Blocked because its work passes alone and fails together with what landed",
  beforeRun: "asks",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "landing_rejected") return undefined;
    const { note } = seen.facts;
    return {
      found: `${named(seen.facts)} passes alone, but ${note ?? "it fails together with what landed meanwhile"}.`,
      choices: [
        choice("retry", "it starts again on top of what landed"),
        choice("hold", "what landed may have to change first"),
        choice("skip", "it can wait"),
      ],
    };
  },
};
