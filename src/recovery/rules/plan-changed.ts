import type { Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** The file is not what was read. Whether the edit is meant, only a person knows. */
export const planChanged: Rule = {
  title: "A plan was edited",
  about: "The plan's file is not what was read",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind !== "plan") return undefined;
    const { plan, detail } = seen.facts;
    if (seen.now.file === "gone")
      return { found: `The file of ${plan} is gone; its state is kept, and counts again when it is back.` };
    if (seen.now.file !== "changed") return undefined;
    return {
      found: `${plan} was edited after it was read${detail === "" ? "" : `: ${detail}`}.`,
      choices: [
        choice("read-again", "the edit is meant"),
        choice("keep", "the edit is to be undone, or to wait"),
      ],
    };
  },
};
