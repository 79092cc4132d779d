import { plural } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";

/** Objects of git's without their content. As long as their files are there git cannot write them again. */
export const damagedObjects: Rule = {
  title: "Git objects are damaged",
  about: "Git objects that are empty or unreadable after a power cut",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "objects" || seen.now.state === "whole") return undefined;
    return {
      found: `Git cannot read ${plural(seen.facts.count, "object")} (${seen.facts.names}).`,
      automatic: { do: "set-aside", because: "git can write them again once their files are out of the way" },
    };
  },
};
