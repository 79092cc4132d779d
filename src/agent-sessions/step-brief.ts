import type { Ports } from "../platform/ports/index.ts";
import type { PromptStep, PromptVerdict } from "../agents/index.ts";
import { stepContext } from "../runs/index.ts";
import type { ClaimedStep } from "../steps/index.ts";

/** Everything an agent needs for a step. */
export interface Brief {
  readonly plan: string;
  readonly claim: number;
  readonly step: PromptStep;
  readonly artifacts: readonly { readonly kind: string; readonly text: string }[];
  readonly verdicts: readonly PromptVerdict[];
}

export async function briefOf(ports: Ports, held: ClaimedStep): Promise<Brief> {
  const { step, artifacts, verdicts } = await stepContext(ports, held);
  return { plan: held.plan, claim: held.claim, step, artifacts, verdicts };
}
