import { fit } from "../fit.ts";
import { partText, section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const planPrompt: Prompt = {
  about: "Write a plan, or write it again",
  write: (context) => {
    const path = partText("plan", context);
    return fit([
      "# Write the plan",
      `Read the description of the work and write the plan for it${path === undefined ? "" : ` into \`${path}\``}: steps that can each be done and checked on their own, what each depends on, and a checklist of tasks, tests and checkpoints for each. Change nothing else.`,
      section("Focus", "focus", context),
      section("Done so far", "done", context),
      section("Errors in the current plan", "diagnostics", context),
      "Run `pawl plan check` on it and fix the plan until the command finds nothing.",
    ]);
  },
};
