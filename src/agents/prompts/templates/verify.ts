import { PARTS, section, together } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const verifyPrompt: Prompt = {
  about: "Find out whether a step is done",
  write: (context) =>
    together(
      `# Verify: ${PARTS.title.write(context) ?? "the step"}`,
      "Find out whether this step is done. Run the tests and checks that bear on it, look at the files, and believe nothing that you have not seen. Change no file.",
      section("The step", "step", context),
      section("Checklist", "checklist", context),
      section("References", "references", context),
      section("What verification said about earlier attempts", "verdicts", context),
      "End with one line: `Verdict: pass`, or `Verdict: fail` and before it what is missing, with what you saw.",
    ),
};
