import { fullStop, OPTIONAL } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import { named } from "./words.ts";

/** A person keeps it back, and knows. An optional step needs no one. */
export const stepOnHold: Rule = {
  title: "A step is on hold",
  about: "Kept back by a person",
  beforeRun: "repairs",
  reported: { weight: "know", actions: ["retry"] },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "on_hold") return undefined;
    const { note, blockedBy } = seen.facts;
    if (blockedBy === OPTIONAL) return undefined;
    return { found: fullStop(`${named(seen.facts)} is on hold${note === undefined ? "" : `: ${note}`}`) };
  },
};
