import { fit } from "../fit.ts";
import { houseRules } from "../house-rules.ts";
import { partText, section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const implementSpecPrompt: Prompt = {
  about: "Do what a spec asks for",
  write(context) {
    const id = partText("spec_id", context);
    return fit([
      "# Implement the spec",
      id === undefined
        ? "Do what the newest file under `specs/` asks for: all of it, and nothing else."
        : `Do what \`specs/${id}.md\` asks for: all of it, and nothing else.`,
      section("Focus", "focus", context),
      section("Done so far", "done", context),
      section("Refused to earlier attempts", "refused", context),
      section("Verification of earlier attempts", "verdicts", context),
      houseRules(context),
    ]);
  },
};
