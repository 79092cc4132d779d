import type { PromptName } from "../../../domain/index.ts";
import type { Prompt } from "../prompt-context.ts";
import { architectPrompt } from "./architect.ts";
import { breakDownPrompt } from "./break-down.ts";
import { codeReviewPrompt } from "./code-review.ts";
import { implementPrompt } from "./implement.ts";
import { implementSpecPrompt } from "./implement-spec.ts";
import { lintPrompt } from "./lint.ts";
import { planPrompt } from "./plan.ts";
import { reviewPrompt } from "./review.ts";
import { verifyPrompt } from "./verify.ts";

/** Pawl's own prompts, by the names that workflows use. */
export const PROMPTS: Readonly<Record<PromptName, Prompt>> = {
  implement: implementPrompt,
  architect: architectPrompt,
  review: reviewPrompt,
  "code-review": codeReviewPrompt,
  "implement-spec": implementSpecPrompt,
  lint: lintPrompt,
  plan: planPrompt,
  "break-down": breakDownPrompt,
  verify: verifyPrompt,
};

export const isPrompt = (name: string): name is PromptName => Object.hasOwn(PROMPTS, name);
