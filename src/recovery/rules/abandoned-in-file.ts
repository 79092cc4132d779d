import type { Rule } from "./rule.ts";
import { isAtRest, named } from "./words.ts";

/** A plan file says in progress and no worker holds it: a crashed tool wrote that. Steps that the file calls completed stay completed. */
export const abandonedInFile: Rule = {
  title: "In progress in the plan's file only",
  about: "A plan file says in progress, but no worker holds the step",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "pending" || seen.now.proof !== "none") return undefined;
    if (seen.now.inFile !== "abandoned" || !isAtRest(seen.now)) return undefined;
    return {
      found: `${seen.facts.plan} says that ${named(seen.facts)} is in progress, but no worker holds it.`,
      automatic: { do: "write-pending", because: "no worker holds it" },
    };
  },
};
