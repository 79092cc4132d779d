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
        "Do this step of the plan, all of it and nothing else. Read what is there before you change anything.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("What the step refers to", "references", context),
      section("Completed before", "earlier", context),
      section("What earlier steps left for you", "handover", context),
      section("What others have left for this step", "artifacts", context),
      section("What was already done in this step", "done", context),
      section("What earlier attempts were refused", "refused", context),
      section("What verification said about earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      houseRules(context),
      section("Checklist", "checklist", context),
    ]),
};
