import { fullStop } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import { named } from "./words.ts";

/** A person keeps it back, and knows. */
export const stepOnHold: Rule = {
  title: "A step is on hold",
  about: "Kept back by a person",
  beforeRun: "repairs",
  reported: { weight: "know", actions: ["retry"] },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "on_hold") return undefined;
    const { note } = seen.facts;
    return { found: fullStop(`${named(seen.facts)} is on hold${note === undefined ? "" : `: ${note}`}`) };
  },
};
