import type { Rule } from "./rule.ts";
import type { Situation } from "./situation.ts";
import { choice, isAtRest, isLeft, named } from "./words.ts";

const isStale = (now: Situation<"step">): boolean =>
  now.activity === "stale" &&
  now.proof === "none" &&
  ((now.status === "in_progress" && isLeft(now)) ||
    (now.status === "pending" && now.inFile === "in-progress" && isAtRest(now)));

/** Begun, then nothing for a day and no worker on it. How far it is, is unknown. */
export const staleInProgress: Rule = {
  title: "In progress, but idle for a day",
  about: "In progress, no activity for 24 hours, no process running it",
  beforeRun: "asks",
  unasked: "continue",
  diagnose(seen) {
    if (seen.kind !== "step" || !isStale(seen.now)) return undefined;
    const { days } = seen.facts;
    return {
      found: `${named(seen.facts)} has been in progress for ${days} ${days === 1 ? "day" : "days"} without activity.`,
      choices: [
        choice("continue", "the work so far is a start"),
        choice("reset", "the work so far is not worth continuing"),
        choice("hold", "it should not be done now"),
      ],
    };
  },
};
