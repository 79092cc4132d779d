import type { Diagnosis } from "./rule.ts";
import type { SeenOf } from "./situation.ts";
import { choice } from "./words.ts";

/**
 * Verifies where the work lies; asks where nobody can tell.
 *
 * What passes is committed. In a checkout with changes that may be anybody's, that is for a person to decide.
 */
export const verifyOrAsk = (
  seen: SeenOf<"step">,
  because: string,
): Pick<Diagnosis, "automatic" | "choices"> =>
  seen.now.place === "unclear"
    ? {
        choices: [
          choice("verify-here", `${because}, and where the work lies is not known`),
          choice("reset", "it can be done again from the beginning"),
          choice("skip", "it can wait"),
        ],
      }
    : { automatic: { do: "verify", because } };
