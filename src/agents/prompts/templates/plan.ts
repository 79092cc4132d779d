import { fit } from "../fit.ts";
import { partText, section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const planPrompt: Prompt = {
  about: "Write a plan, or write it again",
  write: (context) => {
    const path = partText("plan", context);
    return fit([
      "# Write the plan",
      `Read what is to be built and write the plan for it${path === undefined ? "" : ` into \`${path}\``}: steps that can each be done and checked on their own, what each depends on, and a checklist of tasks, tests and checkpoints for each. Change nothing else.`,
      section("Focus", "focus", context),
      section("What was already done", "done", context),
      section("What is wrong with the plan as it is", "diagnostics", context),
      "Check it with `pawl plan check` and continue until it finds nothing.",
    ]);
  },
};
