import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const breakDownPrompt: Prompt = {
  about: "Make substeps of a step that was too much for one go",
  write: (context) =>
    fit([
      `# Break down: ${stepName(context, "the step")}`,
      opening(
        context,
        "An agent ran out of time with this step. Read the code that it touches and split it into 2 to 12 substeps that can each be done and checked on their own, in the order in which they are to be done. Together they are the step: nothing is added, nothing is left out. Change no file.",
      ),
      section("The step", "step", context),
      section("What the step refers to", "references", context),
      section("What was already done in this step", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      section("What is wrong with your last answer", "diagnostics", context),
      section("Checklist of the step", "items", context),
      "Answer with the substeps alone, each like this:",
      "```\n### Title of the substep\n\nWhat is to be done, in a few lines.\n\n- [ ] something that can be ticked once it is true\n```",
    ]),
};
