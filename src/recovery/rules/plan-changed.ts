import type { Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** The file has changes that no commit has. They count once they are committed, or when a person says so. */
export const planChanged: Rule = {
  title: "A plan has uncommitted changes",
  about: "The plan's file has changes that are not committed",
  beforeRun: "leaves",
  diagnose(seen) {
    if (seen.kind !== "plan") return undefined;
    const { plan, detail } = seen.facts;
    if (seen.now.file === "gone")
      return { found: `${plan} is gone. Its state is kept and counts again when the file is back.` };
    if (seen.now.file !== "uncommitted") return undefined;
    return {
      found: `${plan} has uncommitted changes${detail === "" ? "" : `: ${detail}`}. They count once they are committed.`,
      choices: [
        choice("read-again", "they should count now"),
        choice("keep", "you commit or undo them first"),
      ],
    };
  },
};
