import type { Rule } from "./rule.ts";

/** A worktree whose files of git's a power cut emptied. Its own files move aside whole, so nothing of them is lost. */
export const damagedWorktree: Rule = {
  title: "A worktree's git files are empty",
  about: "A worktree whose `.git` or entry is empty after a power cut",
  beforeRun: "repairs",
  diagnose(seen) {
    if (seen.kind !== "worktree" || seen.now.folder !== "damaged" || seen.now.use === "busy")
      return undefined;
    return {
      found: `The git files of worktree ${seen.facts.path} are empty.`,
      automatic: { do: "rebuild", because: "its branch holds what was committed" },
    };
  },
};
