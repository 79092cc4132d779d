import { savedStep } from "../../plans/index.ts";
import { type Attempt, endAttempt } from "./attempt.ts";
import { blockStep, type BlockReason } from "../finish/block-step.ts";
import {
  CHECKLIST,
  type Evidence,
  MOST_ATTEMPTS,
  type StepCheck,
  whereRun,
} from "../../verification/index.ts";
import type { Blocked, StepResult, StepEnd } from "../finish/step-end.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "../work/worker.ts";

/** What was wrong with the work. */
export interface Rejection {
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Undefined where git could make none. */
  readonly tree: string | undefined;
  /** What the step is blocked for when this was its last attempt. */
  readonly reason?: BlockReason;
  readonly said?: readonly string[];
  /** What decided, where a verdict about the tree can be used again. */
  readonly checks?: readonly StepCheck[];
}

/** Sends work back with what was found, or to a person when that was the last attempt. */
export async function reject(
  worker: Worker,
  held: ClaimedStep,
  attempt: Attempt,
  { because, evidence, tree, checks, ...last }: Rejection,
): Promise<StepResult<string>> {
  await endAttempt(worker, held, attempt, { outcome: "failed", because, evidence, tree }, checks);
  worker.report({
    event: "verdict",
    step: held.anchor,
    attempt: attempt.counted,
    outcome: "failed",
    because,
    where: whereRun(evidence),
  });
  // A forgotten tick is the same work: whoever has done it is asked in the conversation that knows it.
  const isContinued = failedIn(evidence) === CHECKLIST;
  if (!(await isUsedUp(worker, held))) return { kind: "go", value: because, isContinued };
  return escalate(worker, held, because, { ...last, check: failedIn(evidence) });
}

/** The check that decided: the first that fails is the last that is made. */
export const failedIn = (evidence: readonly Evidence[]): string | undefined =>
  evidence.findLast(({ outcome }) => outcome !== "passed")?.checked;

async function isUsedUp({ ports }: Worker, { plan, anchor }: ClaimedStep): Promise<boolean> {
  const database = await ports.database();
  const step = await database.read((sql) => savedStep(sql, plan, anchor));
  return step.verification_attempts >= MOST_ATTEMPTS;
}

export const escalate = (
  worker: Worker,
  held: ClaimedStep,
  because = "verification never came to an end",
  {
    reason = "verification_escalated",
    ...more
  }: Pick<Rejection, "reason" | "said"> & Pick<Blocked, "check"> = {},
): Promise<StepEnd> =>
  blockStep(worker, held, undefined, {
    reason,
    note: `${MOST_ATTEMPTS} attempts failed; the last: ${because}`,
    ...more,
  });
