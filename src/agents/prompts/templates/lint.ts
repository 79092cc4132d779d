import { fit } from "../fit.ts";
import { houseRules } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const lintPrompt: Prompt = {
  about: "Check and tidy up",
  write: (context) =>
    fit([
      "# Tidy up",
      "Run the project's formatter, linter and tests, as far as it has them, and fix what they find. Do not change behaviour, and do not disable a check.",
      section("Done so far", "done", context),
      section("Verification of earlier attempts", "verdicts", context),
      houseRules(context),
    ]),
};
