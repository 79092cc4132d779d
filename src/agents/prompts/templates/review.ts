import { fit } from "../fit.ts";
import { opening, stepName } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const reviewPrompt: Prompt = {
  about: "Judge the work on a step with fresh eyes",
  write: (context) =>
    fit([
      `# Review of: ${stepName(context, "the step")}`,
      opening(
        context,
        "Another agent has done this step; the changes are in the current folder and not committed yet. Find out whether they do what the step asks for: read them, run what can be run. Correct small faults yourself. Do not commit. No one can answer questions: decide.",
      ),
      section("Goal of the plan", "goal", context),
      section("The step", "step", context),
      section("What the step refers to", "references", context),
      section("Completed before", "earlier", context),
      section("What was already done in this step", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      section("Messages from the person who runs this", "messages", context),
      section("Checklist", "items", context),
      "End with one line: `Verdict: pass`, or `Verdict: fail` and before it what is missing, the most important first.",
    ]),
};
