import type { Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** The plan says something else about a step whose work has begun. What counts, only a person knows. */
export const stepEdited: Rule = {
  title: "A started step was edited",
  about: "A step in progress or completed was edited or removed in its plan",
  beforeRun: "asks",
  reported: { weight: "know", actions: [] },
  diagnose(seen) {
    if (seen.kind !== "edit") return undefined;
    const { anchor, title, now } = seen.facts;
    const { text, work } = seen.now;
    const step = `${anchor} "${title}"`;
    const keep = choice("keep", "the edit will be undone, or can wait");
    const whole = seen.now.plan === "other" ? [choice("new-plan", "the file is now another plan")] : [];
    if (work === "held")
      return {
        found: `${step} was ${text} in its plan while it is in progress. Its worker finishes it with the text it was claimed with.`,
      };
    // Whether the edit came before the end of the work or after it, no record says: it is only noticed by a later claim.
    const state = `after its work had begun${work === "completed" ? ", and is completed with the text from before" : ""}`;
    const isRenamed = now !== undefined && (now.anchor !== anchor || now.title !== title);
    const into = text === "edited" && isRenamed ? ` It is ${now.anchor} "${now.title}" there now.` : "";
    const found = `${step} was ${text} in its plan ${state}.${into} It waits; all other steps continue.`;
    if (text === "removed")
      return { found, choices: [choice("forget-step", "the plan is done without it"), ...whole, keep] };
    const begin = choice("begin-again", "its new text is other work");
    return work === "completed"
      ? { found, choices: [choice("accept-edit", "what was done fits the new text"), begin, ...whole, keep] }
      : { found, choices: [begin, ...whole, keep] };
  },
};
