import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const architectPrompt: Prompt = {
  about: "Plan how another agent should do a step",
  write: (context) =>
    fit([
      `# Strategy for: ${stepName(context, "the next step")}`,
      opening(
        context,
        "Another agent will do this step after you. Read the code that the step touches and describe how to do it: which files, in which order, what can go wrong, and how to prove each item of the checklist. Do not change any file. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("References of the step", "references", context),
      section("Completed steps", "earlier", context),
      section("Notes from earlier steps", "handover", context),
      section("Done so far in this step", "done", context),
      section("Verification of earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      section("Checklist of the agent that will do it", "items", context),
      "Answer with only the strategy, in at most 60 lines.",
    ]),
};
