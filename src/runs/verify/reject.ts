import { savedStep } from "../../plans/index.ts";
import { type Attempt, endAttempt } from "./attempt.ts";
import { blockStep, type BlockReason } from "../finish/block-step.ts";
import {
  CHECKLIST,
  decidingLines,
  type Evidence,
  failedCheckIn,
  MOST_ATTEMPTS,
  type StepCheck,
  whereRun,
} from "../../verification/index.ts";
import type { Blocked, StepResult, StepEnd } from "../finish/step-end.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { FailedAttempt } from "../work/run-event.ts";
import type { Worker } from "../work/worker.ts";
import { MARKERS_CHECK } from "./conflict-markers.ts";
import { AGENT_CHECK } from "./failing-checks.ts";

/** What was wrong with the work. */
export interface Rejection {
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Undefined where git could make none. */
  readonly tree: string | undefined;
  /** What the step is blocked for when this was its last attempt. */
  readonly reason?: BlockReason;
  readonly said?: readonly string[];
  /** The command of the agent that failed, where no check was made. */
  readonly command?: string;
  /** What decided, where a verdict about the tree can be used again. */
  readonly checks?: readonly StepCheck[];
}

/** Sends work back with what was found, or to a person when that was the last attempt. */
export async function reject(
  worker: Worker,
  held: ClaimedStep,
  attempt: Attempt,
  { because, evidence, tree, checks, command, ...last }: Rejection,
): Promise<StepResult<string>> {
  await endAttempt(worker, held, attempt, { outcome: "failed", because, evidence, tree }, checks);
  worker.report({
    event: "verdict",
    step: held.anchor,
    attempt: attempt.counted,
    outcome: "failed",
    because,
    where: whereRun(evidence),
    failed: failedAttempt(evidence, command),
  });
  const { live, output, log } = shownOf(evidence);
  for (const text of last.said ?? live) worker.report({ event: "said", step: held.anchor, text });
  // A forgotten tick is the same work: the agent that did it is asked in the conversation that knows it.
  const isContinued = failedIn(evidence) === CHECKLIST;
  if (!(await isUsedUp(worker, held))) return { kind: "go", value: because, isContinued };
  return escalate(worker, held, because, {
    ...last,
    ...(failedIn(evidence) === MARKERS_CHECK ? await unresolved(worker, held, tree) : {}),
    check: failedIn(evidence),
    ...(output.length === 0 ? {} : { output }),
    ...(log === undefined ? {} : { log }),
  });
}

/** A conflict that its agent did not resolve is one for a person: both sides are kept as they are in the files. */
async function unresolved(
  { ports, session }: Worker,
  { anchor }: ClaimedStep,
  tree: string | undefined,
): Promise<Pick<Blocked, "reason" | "aside">> {
  const parent = await (await ports.commits()).head(session.worktree);
  if (tree === undefined || parent === undefined) return { reason: "merge_conflict" };
  const branches = await ports.branches();
  const message = `Work on ${anchor} with conflicts that are not resolved`;
  const commit = await branches.commitTree({ tree, parent, message });
  return { reason: "merge_conflict", aside: { ref: await branches.rescue(anchor, commit), commit } };
}

export const failedIn = (evidence: readonly Evidence[]): string | undefined =>
  failedCheckIn(evidence)?.checked;

export function failedAttempt(evidence: readonly Evidence[], command?: string): FailedAttempt | undefined {
  const found = failedCheckIn(evidence);
  if (found === undefined) return undefined;
  return {
    what: command ?? found.checked,
    timedOut: found.outcome === "timed_out",
    exitCode: found.exitCode,
    most: MOST_ATTEMPTS,
    log: found.log,
  };
}

/**
 * What people see of a failed check: the lines that decided, and where the rest is. Live output names the open items of a
 * checklist; at the end of a run they are counted in the reason, and the agent's own words say why they are open.
 */
export function shownOf(evidence: readonly Evidence[]): {
  readonly live: readonly string[];
  readonly output: readonly string[];
  readonly log: string | undefined;
} {
  const found = failedCheckIn(evidence);
  if (found === undefined) return { live: [], output: [], log: undefined };
  const lines = found.checked === AGENT_CHECK ? [] : decidingLines(found);
  return { live: lines, output: found.checked === CHECKLIST ? [] : lines, log: found.log };
}

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
  }: Pick<Rejection, "reason" | "said"> & Pick<Blocked, "check" | "output" | "log" | "aside"> = {},
): Promise<StepEnd> =>
  blockStep(worker, held, undefined, {
    reason,
    note: `${MOST_ATTEMPTS} attempts failed; the last: ${because}`,
    ...more,
  });
