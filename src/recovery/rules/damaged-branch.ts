import type { Diagnosis, Rule } from "./rule.ts";
import type { SeenOf } from "./situation.ts";
import { choice } from "./words.ts";

/** A branch of Pawl's that leads to something that is not there, so that no command of git's can use it. */
export const damagedBranch: Rule = {
  title: "A branch leads to a damaged commit",
  about: "A branch that Pawl made whose last commit, or one before it, is lost",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "branch" || seen.now.use === "busy") return undefined;
    if (seen.now.tip !== "damaged" && seen.now.tip !== "empty") return undefined;
    return ofBranch(seen);
  },
};

function ofBranch({ now, facts }: SeenOf<"branch">): Diagnosis {
  const at = facts.at === undefined ? "is empty" : `is at ${facts.at.slice(0, 12)}, which is damaged`;
  const what = `The branch ${facts.branch} ${at}.`;
  if (now.good === "none") {
    const found = `${what} Pawl knows no intact commit of it.`;
    // Git takes an empty ref for no branch, and makes none in its place.
    if (now.tip === "empty")
      return {
        found,
        automatic: { do: "move-back", because: "git can create it again once the empty ref is gone" },
      };
    return { found };
  }
  const found = `${what} Its last intact commit is ${facts.good?.slice(0, 12)}.`;
  if (now.holds === "nothing")
    return { found, automatic: { do: "move-back", because: "nothing after that commit can be used" } };
  return {
    found: `${found} Completed steps have commits after it.`,
    choices: [
      choice("move-back", "those steps are done again once they are reopened"),
      choice("keep", "another clone or a backup may have what is missing"),
    ],
  };
}
