import { houseRules } from "../house-rules.ts";
import { PARTS, section, together } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const implementPrompt: Prompt = {
  about: "Do the work of a step",
  write: (context) =>
    together(
      `# ${PARTS.title.write(context) ?? "The next step"}`,
      "Do this step of the plan, all of it and nothing else. Look at what is there before you change anything.",
      section("The step", "step", context),
      section("Checklist", "checklist", context),
      section("Substeps", "substeps", context),
      section("References", "references", context),
      section("What others have left for you", "artifacts", context),
      section("What was already done", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      houseRules(context),
    ),
};
