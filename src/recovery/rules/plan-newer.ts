import type { Rule } from "./rule.ts";

/** Names in a sentence. */
const MOST = 5;

/** The plan says something new that counts. A claim takes it over; until then no view shows the new steps. */
export const planNewer: Rule = {
  title: "A plan has changes that no claim has taken over yet",
  about: "The committed plan has changes that the next claim takes over",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind !== "plan" || seen.now.file !== "newer") return undefined;
    const { plan, detail, begun = [] } = seen.facts;
    const names = `${begun.slice(0, MOST).join(", ")}${begun.length > MOST ? ` and ${begun.length - MOST} more` : ""}`;
    const asks =
      begun.length === 0
        ? ""
        : ` Work on ${names} has begun: it is kept, and if its text changed, a person decides.`;
    return { found: `${plan} has changes that the next run or claim takes over: ${detail}.${asks}` };
  },
};
