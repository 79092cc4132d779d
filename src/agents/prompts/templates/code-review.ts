import { fit } from "../fit.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const codeReviewPrompt: Prompt = {
  about: "Review the code and write a spec of what to improve",
  write: (context) =>
    fit([
      "# Code review",
      "Read the code in the current folder and choose the one improvement that is worth most now. Write a spec of it to `specs/<id>.md`: what is wrong and where, what it should be, and how to prove that it is done. `<id>` has only letters, digits and dashes. Change nothing else, and do not commit.",
      section("Focus", "focus", context),
      section("Iteration", "iteration", context),
      section("Done so far", "done", context),
      "End with one line, `Spec: <id>`. If nothing is worth doing, write no spec and end with `Spec: none`.",
    ]),
};
