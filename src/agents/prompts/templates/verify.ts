import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const verifyPrompt: Prompt = {
  about: "Check whether a step is done",
  write: (context) =>
    fit([
      `# Verify: ${stepName(context, "the step")}`,
      opening(
        context,
        "Check whether this step is done. Run the tests and checks that concern it, read the files, and count only what you have seen yourself. Do not change any file. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("References of the step", "references", context),
      section("Verification of earlier attempts", "verdicts", context),
      section("Its checklist", "items", context),
      "End with one line: `Verdict: pass` or `Verdict: fail`. Before `Verdict: fail`, say what is missing and what you saw.",
    ]),
};
