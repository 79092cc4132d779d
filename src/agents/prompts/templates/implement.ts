import { fit } from "../fit.ts";
import { houseRules, opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const implementPrompt: Prompt = {
  about: "Do the work of a step",
  write: (context) =>
    fit([
      `# ${stepName(context, "The next step")}`,
      opening(
        context,
        "Do all of this step of the plan, and nothing else. Read the existing code before you change anything.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("References of the step", "references", context),
      section("Completed steps", "earlier", context),
      section("Notes from earlier steps", "handover", context),
      section("Notes on this step", "artifacts", context),
      section("Done so far in this step", "done", context),
      section("Refused to earlier attempts", "refused", context),
      section("Verification of earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      houseRules(context),
      section("Checklist", "checklist", context),
    ]),
};
