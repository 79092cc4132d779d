import type { Rule } from "./rule.ts";
import { isLeft, named } from "./words.ts";

/**
 * Claimed by somebody who is provably dead, or whose lease is over, and who cannot come back to it.
 *
 * Work of a session that can be resumed is left to that decision, and work that lay for a day to the person.
 */
export const ownerGone: Rule = {
  title: "Its owner is gone",
  about: "Claimed by an owner who is provably dead, or whose lease is over",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.proof !== "none" || !isLeft(seen.now)) return undefined;
    const { status, activity } = seen.now;
    if (status !== "claimed" && !(status === "in_progress" && activity === "recent")) return undefined;
    return {
      found: `${named(seen.facts)} is ${status.replace("_", " ")}, but its owner is gone.`,
      automatic: { do: "release", because: "its owner is gone" },
    };
  },
};
