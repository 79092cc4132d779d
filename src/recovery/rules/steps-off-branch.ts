import { few } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** Steps that are called completed, and that a merge of their plan's branch would leave out. */
export const stepsOffBranch: Rule = {
  title: "A plan's branch lacks completed steps",
  about:
    "Completed steps whose commits their plan's branch does not have: it was moved back, or its ref is gone",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "branch" || seen.now.use === "busy") return undefined;
    const { now, facts } = seen;
    if (now.tip !== "behind" && now.tip !== "gone") return undefined;
    const anchors = few((facts.lacks ?? []).map(({ anchor }) => anchor).toReversed());
    const what = now.tip === "gone" ? "is gone, and with it" : "lacks";
    const found = `The branch ${facts.branch} ${what} completed work: ${anchors}.`;
    if (now.good === "known")
      return {
        found,
        automatic: {
          do: "bring-back",
          because: `${facts.good?.slice(0, 12)} has these steps and all that the branch has`,
        },
      };
    return {
      found: `${found} No commit has these steps and all that the branch has.`,
      choices: [
        choice("bring-back", "Pawl merges them into the branch and verifies both together"),
        choice("reopen", "the next run does them again"),
        choice("keep", "the plan is not merged until its branch has them"),
      ],
    };
  },
};
