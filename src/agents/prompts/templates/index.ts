import type { Prompt } from "../prompt-context.ts";
import { architect } from "./architect.ts";
import { breakDown } from "./break-down.ts";
import { codeReview } from "./code-review.ts";
import { implement } from "./implement.ts";
import { implementSpec } from "./implement-spec.ts";
import { lint } from "./lint.ts";
import { plan } from "./plan.ts";
import { review } from "./review.ts";
import { verify } from "./verify.ts";

/** Pawl's own prompts, by the names that workflows use. */
export const PROMPTS = {
  implement,
  architect,
  review,
  "code-review": codeReview,
  "implement-spec": implementSpec,
  lint,
  plan,
  "break-down": breakDown,
  verify,
} as const satisfies Record<string, Prompt>;

export type PromptName = keyof typeof PROMPTS;
