import { PARTS, section, together } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const architectPrompt: Prompt = {
  about: "Think a step through before somebody does it",
  write: (context) =>
    together(
      `# Strategy for: ${PARTS.title.write(context) ?? "the next step"}`,
      "Somebody else will do this step after you. Read the code that it touches and tell them how: which files, in which order, what can go wrong, how each item of the checklist is shown to be true. Change no file.",
      section("The step", "step", context),
      section("Checklist", "checklist", context),
      section("Substeps", "substeps", context),
      section("References", "references", context),
      section("What was already done", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      "Answer with the strategy alone, in at most 60 lines.",
    ),
};
