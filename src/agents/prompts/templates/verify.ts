import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const verifyPrompt: Prompt = {
  about: "Find out whether a step is done",
  write: (context) =>
    fit([
      `# Verify: ${stepName(context, "the step")}`,
      opening(
        context,
        "Find out whether this step is done. Run the tests and checks that bear on it, read the files, and believe nothing that you have not seen. Change no file. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("What the step refers to", "references", context),
      section("What verification said about earlier attempts", "verdicts", context),
      section("Its checklist", "items", context),
      "End with one line: `Verdict: pass`, or `Verdict: fail` and before it what is missing, with what you saw.",
    ]),
};
