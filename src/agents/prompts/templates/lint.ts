import { fit } from "../fit.ts";
import { houseRules } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const lintPrompt: Prompt = {
  about: "Check and tidy up",
  write: (context) =>
    fit([
      "# Tidy up",
      "Run the project's own formatter, linter and tests, whatever it has of them. Correct what they find. Change no behaviour, and switch no check off.",
      section("What was already done", "done", context),
      section("What verification said about earlier attempts", "verdicts", context),
      houseRules(context),
    ]),
};
