import type { Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** A completed step whose work is damaged. Whether another clone has it, only a person knows. */
export const lostCommit: Rule = {
  title: "A completed step's commit is damaged",
  about: "A completed step whose commit, or a file of it, is lost",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "landed" || seen.now.commit === "whole") return undefined;
    return {
      found: `${seen.facts.anchor} is completed, but its commit ${seen.facts.commit.slice(0, 12)} is damaged.`,
      choices: [
        choice("reopen", "the next run does it again"),
        choice("keep", "another clone or a backup may have it"),
      ],
    };
  },
};
