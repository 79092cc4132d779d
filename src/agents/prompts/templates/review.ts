import { PARTS, section, together } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const reviewPrompt: Prompt = {
  about: "Judge the work on a step with fresh eyes",
  write: (context) =>
    together(
      `# Review of: ${PARTS.title.write(context) ?? "the step"}`,
      "Somebody else has done this step; the changes are in the current folder and not committed yet. Find out whether they do what the step asks for: read them, run what can be run. Mend small faults yourself. Do not commit.",
      section("The step", "step", context),
      section("Checklist", "checklist", context),
      section("References", "references", context),
      section("What was already done", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      "End with one line: `Verdict: pass`, or `Verdict: fail` and before it what is missing, the most important first.",
    ),
};
