import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const reviewPrompt: Prompt = {
  about: "Review the work on a step",
  write: (context) =>
    fit([
      `# Review of: ${stepName(context, "the step")}`,
      opening(
        context,
        "Another agent has done this step; its changes are in the current folder and are not committed yet. Check whether they do what the step asks for: read them, and run what can be run. Fix small faults yourself. Do not commit. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("References of the step", "references", context),
      section("Completed steps", "earlier", context),
      section("Done so far in this step", "done", context),
      section("Verification of earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      section("Checklist", "items", context),
      "End with one line: `Verdict: pass` or `Verdict: fail`. Before `Verdict: fail`, list what is missing, the most important first.",
    ]),
};
