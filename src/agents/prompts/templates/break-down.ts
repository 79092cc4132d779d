import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const breakDownPrompt: Prompt = {
  about: "Split a step that was too much for one attempt into substeps",
  write: (context) =>
    fit([
      `# Break down: ${stepName(context, "the step")}`,
      opening(
        context,
        "An agent ran out of time on this step. Read the code that the step touches and split the step into 2 to 12 substeps that can each be done and checked on their own. List them in the order of the work. Together they are exactly the step: add nothing and leave nothing out. Do not change any file.",
      ),
      section("The step", "step", context),
      section("References of the step", "references", context),
      section("Done so far in this step", "done", context),
      section("Verification of earlier attempts", "verdicts", context),
      section("Errors in your last answer", "diagnostics", context),
      section("Checklist of the step", "items", context),
      "Answer with only the substeps, each in this form:",
      "```\n### Title of the substep\n\nWhat to do, in a few lines.\n\n- [ ] something that can be ticked once it is true\n```",
    ]),
};
