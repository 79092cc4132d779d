import type { Diagnosis } from "./rule.ts";
import type { SeenOf } from "./situation.ts";
import { choice } from "./words.ts";

/**
 * Verifies where the work lies; asks where that is unknown, or where nothing could fail it.
 *
 * What passes is committed. In a checkout with changes of unknown origin, that is for a person to decide; and so
 * is calling done what nothing has checked.
 */
export function verifyOrAsk({ now }: SeenOf<"step">, found: string, because: string): Diagnosis {
  const doubts = [
    ...(now.place === "unclear" ? ["Pawl does not know where its work is"] : []),
    ...(now.judge === "none"
      ? ["it has no checklist, and neither verify.command nor verify.agent is set, so nothing could fail it"]
      : []),
  ];
  if (doubts.length === 0) return { found, automatic: { do: "verify", because } };
  return {
    found: `${found} Pawl does not verify it again automatically: ${doubts.join(", and ")}.`,
    choices: [
      choice("verify-here", because),
      choice("reset", "it can be done again from the beginning"),
      choice("skip", "it can wait"),
    ],
  };
}
