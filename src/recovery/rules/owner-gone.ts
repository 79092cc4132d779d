import type { Rule } from "./rule.ts";
import { isLeft, keptText, named } from "./words.ts";

/**
 * Claimed by a worker that is provably dead, or whose lease is over, and that cannot come back to it.
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
    const { missing } = seen.facts;
    const who = missing === undefined ? "its owner is gone" : `its worktree ${missing} is gone`;
    return {
      found: `${named(seen.facts)} is ${status.replace("_", " ")}, but ${who}.${keptText(seen.facts)}`,
      automatic: { do: "release", because: "its owner is gone" },
    };
  },
};
