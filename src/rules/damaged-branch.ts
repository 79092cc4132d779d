import type { Diagnosis, Rule } from "./rule.ts";
import type { SeenOf } from "./situation.ts";
import { choice } from "./words.ts";

/** A branch of Pawl's that leads to something that is not there, so that no command of git's can use it. */
export const damagedBranch: Rule = {
  name: "damaged-branch",
  about: "A branch of Pawl's whose last commit, or something below it, is lost",
  diagnose(seen) {
    if (seen.kind !== "branch" || seen.now.tip === "whole" || seen.now.use === "busy") return undefined;
    return ofBranch(seen);
  },
};

function ofBranch({ now, facts }: SeenOf<"branch">): Diagnosis {
  if (now.tip === "empty")
    return {
      found: `The ref of the branch ${facts.branch} is empty.`,
      automatic: {
        do: "move-back",
        because: "git takes an empty ref for no branch, and makes none in its place",
      },
    };
  const at = `is at ${facts.at?.slice(0, 12)}, which is damaged`;
  if (now.good === "none")
    return { found: `The branch ${facts.branch} ${at}. No commit of it is known that is whole.` };
  const found = `The branch ${facts.branch} ${at}. Its last whole commit is ${facts.good?.slice(0, 12)}.`;
  if (now.holds === "nothing")
    return { found, automatic: { do: "move-back", because: "nothing behind that commit can be used" } };
  return {
    found,
    choices: [
      choice("move-back", "completed steps behind it are done again once they are reopened"),
      choice("keep", "another clone or a backup may have what is missing"),
    ],
  };
}
