import type { Rule } from "./rule.ts";

/** The plan says something new that counts. A claim takes it over; until then no view shows the new steps. */
export const planNewer: Rule = {
  title: "A plan has changes that are not taken over yet",
  about: "The committed plan has changes that the next claim takes over",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind !== "plan" || seen.now.file !== "newer") return undefined;
    const { plan, detail } = seen.facts;
    return { found: `${plan} has changes that the next run or claim takes over: ${detail}.` };
  },
};
