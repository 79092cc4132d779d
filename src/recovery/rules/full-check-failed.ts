import { fullStop } from "../../domain/index.ts";
import type { Choice, Rule } from "./rule.ts";
import { choice } from "./words.ts";

/** What has landed fails the full check. What is to become of the step that broke it, only a person knows. */
export const fullCheckFailed: Rule = {
  title: "The full check fails on what has landed",
  about: "The full check fails on the plan's branch, and a step is known to have broken it",
  beforeRun: "asks",
  reported: { weight: "know", actions: [] },
  diagnose(seen) {
    if (seen.kind !== "full" || seen.now.check === "passes") return undefined;
    const { found } = seen.facts;
    if (seen.now.decision === "left") return { found: `${fullStop(found)} A person decided to leave it.` };
    return { found, choices: choicesFor(seen.now.culprit) };
  },
};

function choicesFor(culprit: "completed-step" | "open-step" | "commit" | "before"): readonly Choice[] {
  const leave = choice("leave", "the failure is known and can wait");
  if (culprit === "before") return [leave];
  const revert = choice("revert", "the branch passes again at once");
  if (culprit !== "completed-step") return [revert, leave];
  return [choice("reopen", "its agent corrects it, with what the check said"), revert, leave];
}
