import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const architectPrompt: Prompt = {
  about: "Think a step through before another agent does it",
  write: (context) =>
    fit([
      `# Strategy for: ${stepName(context, "the next step")}`,
      opening(
        context,
        "Another agent will do this step after you. Read the code that it touches and say how: which files, in which order, what can go wrong, how each item of the checklist is shown to be true. Change no file. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("What the step refers to", "references", context),
      section("Completed before", "earlier", context),
      section("What earlier steps left", "handover", context),
      section("What was already done in this step", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      section("Checklist of the agent that does it", "items", context),
      "Answer with the strategy alone, in at most 60 lines.",
    ]),
};
