import type { Interruption, Ports } from "../platform/ports/index.ts";
import { save } from "../plans/index.ts";
import { dropDeadRuns, type RunEvent } from "../runs/index.ts";
import { openIfThere } from "../journal/index.ts";
import { readAnswer } from "./answers.ts";
import { unsavedPlan } from "./diagnosis.ts";
import { recover, type RecoverAnswer, type RecoverRequest } from "./recover.ts";

export interface RecoverAllRequest {
  /** Only this plan; everything when left out. */
  readonly plan?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** `rule:subject=key`, each. */
  readonly answers?: readonly string[] | undefined;
  /** Does what was answered and nothing else; refuses when one of the answers is to nothing that is there. */
  readonly onlyAnswered?: boolean | undefined;
  /** Who verifies and plans; the agent that did the step when left out. */
  readonly agent?: string | undefined;
  readonly ask?: RecoverRequest["ask"];
  readonly tell?: RecoverRequest["tell"];
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

/** Looks at everything, whatever the sentinel says: a person asked. */
export async function recoverAll(ports: Ports, request: RecoverAllRequest): Promise<RecoverAnswer> {
  const { plan, answers = [], dryRun = false, ...others } = request;
  const read = answers.map(readAnswer);
  const key = plan === undefined ? undefined : ports.plans.locate(plan).key;
  const unsaved = await unsavedPlan(ports, plan);
  if (unsaved !== undefined && !dryRun) await save(ports, { plan: unsaved });
  const answer = await recover(ports, {
    ...others,
    dryRun,
    answers: read,
    scope: {
      plan: key,
      damage: { extent: "whole" },
      unsaved: dryRun ? unsaved : undefined,
    },
  });
  const isWhole = !dryRun && !request.onlyAnswered;
  if (isWhole && (await openIfThere(ports)) !== undefined) await dropDeadRuns(ports, key);
  return answer;
}
