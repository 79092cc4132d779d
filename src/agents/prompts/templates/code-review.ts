import { fit } from "../fit.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const codeReviewPrompt: Prompt = {
  about: "Look at the code and write a spec of what to improve",
  write: (context) =>
    fit([
      "# Code review",
      "Read the code in the current folder and choose the one improvement that is worth most now. Write it down as a spec in `specs/<id>.md`: what is wrong and where, what it should be, how it is shown to be done. `<id>` is made of letters, digits and dashes. Change nothing else, and do not commit.",
      section("Focus", "focus", context),
      section("Iteration", "iteration", context),
      section("What was already done", "done", context),
      "End with one line, `Spec: <id>`. When nothing is worth doing, write no spec and end with `Spec: none`.",
    ]),
};
