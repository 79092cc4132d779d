import type { StepStatus } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import { isAtRest, named } from "./words.ts";

/** Blocked and held-back steps are a person's decision, which a commit from before does not overrule. */
const OPEN: ReadonlySet<StepStatus> = new Set(["pending", "claimed", "in_progress", "awaiting_verification"]);

/**
 * The commit landed, but the store does not know it.
 *
 * A runner commits first and reports second, so a crash between the two leaves a finished branch and an unfinished
 * step. Doing the work again would land it twice; the signed trailer settles it.
 */
export const committedButNotCompleted: Rule = {
  title: "Committed, but not completed",
  about: "A commit carries the step's trailer, and the step is not completed",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.proof !== "commit") return undefined;
    if (!OPEN.has(seen.now.status) || !isAtRest(seen.now)) return undefined;
    const { commit } = seen.facts;
    const because = `commit ${commit?.slice(0, 12) ?? "of this step"} carries its trailer`;
    return {
      found: `${named(seen.facts)} is committed, but not completed.`,
      automatic: { do: "complete", because },
    };
  },
};
