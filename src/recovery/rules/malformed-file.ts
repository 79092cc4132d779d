import type { Rule } from "./rule.ts";

/** Skipped and reported; what depends on it is blocked. It is a person's file, so it is never overwritten. */
export const malformedFile: Rule = {
  title: "A file cannot be read",
  about: "A plan or task file does not parse",
  beforeRun: "leaves",
  forAgents: { who: "person", next: "A person repairs the file." },
  reported: { weight: "decide", actions: [] },
  diagnose(seen) {
    if (seen.kind === "plan" && seen.now.file === "malformed")
      return { found: `${seen.facts.plan} cannot be read: ${seen.facts.detail}` };
    if (seen.kind === "file" && seen.now.text === "unreadable")
      return {
        found: `${seen.facts.plan}/${seen.facts.file} cannot be read, and what depends on it waits: ${seen.facts.detail}`,
      };
    return undefined;
  },
};
