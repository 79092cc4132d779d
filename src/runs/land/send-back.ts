import { Failure, plural, toInstant } from "../../domain/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { journal } from "../../journal/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import {
  CHECKLIST,
  type Evidence,
  MOST_ATTEMPTS,
  ownEvidence,
  type StepCheck,
  TESTS_CHECK,
  type Verdict,
} from "../../verification/index.ts";
import { blockStep } from "../finish/block-step.ts";
import type { Blocked, StepResult } from "../finish/step-end.ts";
import { type Attempt, beginAttempt, endAttempt, takeBack } from "../verify/attempt.ts";
import { CONFLICT_CHECK } from "../verify/conflict-markers.ts";
import { failedIn, reject } from "../verify/reject.ts";
import { isAbout, sentBackFor, verdictsOn } from "../verify/step-verdicts.ts";
import { verifyStep } from "../verify/verify-step.ts";
import { type Worker, workerEntry } from "../work/worker.ts";
import { type Landable, type LandingConflict, rebase } from "./ride-train.ts";

/** What evidence calls a tree that fails only together with what landed meanwhile. */
const LANDING_CHECK = "together with what landed meanwhile";

/** The second conflict of a step is for a person. */
const MOST_CONFLICTS = 2;

interface Failed {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly candidate: Landable | undefined;
  readonly checks: readonly StepCheck[];
}

/**
 * Sends a step back whose tree failed.
 *
 * Where it fails only together with what landed meanwhile, the agent gets both: the worktree has what landed, with the
 * step's work on top of it. That is counted apart from the step's own attempts.
 */
export async function backFromLanding(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { attempt, verdict, candidate, checks }: Failed,
): Promise<StepResult<string>> {
  if (await isSentBack(worker, held)) {
    const both = candidate ?? (await bothIn(worker, verdict.tree));
    return sendBackTogether(worker, held, heart, { attempt, verdict, candidate: both, checks });
  }
  const own = candidate && (await failsAlone(worker, held, heart, candidate, verdict));
  if (candidate === undefined || own !== undefined)
    return reject(worker, held, attempt, { ...(own ?? verdict), checks });
  return sendBackTogether(worker, held, heart, { attempt, verdict, candidate, checks });
}

/** What lies in a worktree that was given both, where the step's commit stays on the branch that it is made on. */
async function bothIn(worker: Worker, tree: string): Promise<Landable> {
  const base = (await (await worker.ports.commits()).head(worker.session.worktree))!;
  return { base, baseTree: "", tree, tip: base, own: tree, isMerged: true };
}

async function sendBackTogether(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { attempt, verdict, candidate, checks }: Failed & { readonly candidate: Landable },
): Promise<StepResult<string>> {
  const landed = await whatLanded(worker, candidate);
  const check = failedIn(verdict.evidence) ?? "the check";
  const output = verdict.evidence.findLast(({ outcome }) => outcome !== "passed")?.output ?? "";
  const text = [
    `${check} fails together with what landed on the plan's branch while this step was worked on.`,
    "The worktree now has both. Make them work together.",
    "",
    `What ${check} said:`,
    output,
    // The second time nothing more may have landed, and what did stands above, with the attempt before.
    ...(landed === "" ? [] : ["", "What landed meanwhile:", landed]),
  ].join("\n");
  const because = `${check} fails together with what landed meanwhile`;
  const back = { check: LANDING_CHECK, text, because, evidence: verdict.evidence, most: MOST_ATTEMPTS };
  return sendBack(worker, held, heart, { ...back, attempt, checks, candidate, blocked: "landing_rejected" });
}

/**
 * Sends a step back whose commit is made, and fails together with what landed since. The commit stays under a ref, and
 * the next one holds all of the step.
 */
export async function backFromMerge(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  {
    attempt,
    verdict,
    tip,
    own,
  }: { readonly attempt: Attempt; readonly verdict: Verdict } & Pick<Landable, "tip" | "own">,
): Promise<StepResult<string>> {
  const again = await beginAgain(worker, held, verdict.tree);
  const candidate = { base: tip, baseTree: "", tree: verdict.tree, tip, own, isMerged: true };
  return sendBackTogether(worker, held, heart, { attempt: again ?? attempt, verdict, candidate, checks: [] });
}

/** A verdict of its own: the one before it is on record as passed, and counted. */
async function beginAgain(worker: Worker, held: ClaimedStep, tree: string): Promise<Attempt | undefined> {
  await takeBack(worker, held);
  return beginAttempt(worker, held, { tree, counts: false });
}

/** Puts a conflict before the agent, once; after that a person decides. */
export async function backFromConflict(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { attempt, conflict }: { readonly attempt: Attempt; readonly conflict: LandingConflict },
): Promise<StepResult<string>> {
  const { files, own, tip, tree } = conflict;
  const branches = await worker.ports.branches();
  const head = await (await worker.ports.commits()).head(worker.session.worktree);
  const message = `Work on ${held.anchor} that conflicts with what landed`;
  const kept = await branches.commitTree({ tree: own, parent: head ?? tip, message });
  const ref = await branches.rescue(held.anchor, kept);
  const named = files.slice(0, MOST_NAMED).join(", ");
  const because = `it changes the same lines of ${named} as what landed meanwhile (the work as it was: ${ref})`;
  const text = [
    `This step and what landed meanwhile changed the same lines of ${plural(files.length, "file")}: ${named}.`,
    "The worktree now has both, with conflict markers in those files. Resolve every marker so that both changes work.",
    "",
    "What landed meanwhile:",
    await whatLanded(worker, conflict),
  ].join("\n");
  const candidate = { own, tip, tree };
  const aside = { ref, commit: kept };
  const back = {
    check: CONFLICT_CHECK,
    text,
    because,
    evidence: [],
    most: MOST_CONFLICTS,
    checks: [],
    aside,
  };
  return sendBack(worker, held, heart, { ...back, attempt, candidate, blocked: "merge_conflict" });
}

const MOST_NAMED = 10;

interface Back {
  readonly attempt: Attempt;
  readonly check: string;
  readonly text: string;
  readonly because: string;
  readonly evidence: readonly Evidence[];
  readonly checks: readonly StepCheck[];
  readonly candidate: Pick<Landable, "own" | "tip" | "tree">;
  readonly most: number;
  readonly blocked: "landing_rejected" | "merge_conflict";
  /** Where the work is that conflicts, as it was. */
  readonly aside?: Blocked["aside"];
}

async function sendBack(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { attempt, check, text, because, evidence, checks, candidate, most, blocked, aside }: Back,
): Promise<StepResult<string>> {
  const before = await sentBackFor(worker, held, check);
  const at = toInstant(worker.ports.clock.wallMs());
  const own = ownEvidence({ checked: check, outcome: "failed", output: text, tree: candidate.tree, at });
  const verdict = { outcome: "failed", because, evidence: [...evidence, own], tree: candidate.tree } as const;
  // A step that waits for a person keeps its files as the agent left them.
  const stuck = before + 1 < most ? await bringTogether(worker, held, candidate) : undefined;
  const isLast = before + 1 >= most || stuck !== undefined;
  // A pass that was counted before others landed counts no more: it led to nothing of the step's own.
  await endAttempt(worker, held, { ...attempt, counts: false, uncounts: !attempt.counts }, verdict, checks);
  if (!isLast) {
    await noteSentBack(worker, held, { because, check: failedIn(evidence) ?? check });
    worker.report({ event: "sent-back", step: held.anchor, because });
    return { kind: "go", value: because, isContinued: true };
  }
  const asked = `the agent was asked ${plural(before, "time")} to make them work together`;
  const note = `${because}; ${stuck ?? asked}`;
  return blockStep(worker, held, heart, { reason: blocked, note, check: failedIn(evidence), aside });
}

/** Gives the worktree both; answers why that cannot be, as where an ignored file is in the way. */
async function bringTogether(
  worker: Worker,
  held: ClaimedStep,
  candidate: Back["candidate"],
): Promise<string | undefined> {
  try {
    await rebase(worker, held, {
      own: candidate.own,
      candidate,
      onto: candidate.tip,
      isCommittedNext: false,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "merge/in-the-way") throw error;
    return error.message;
  }
}

async function noteSentBack(
  worker: Worker,
  held: ClaimedStep,
  detail: { readonly because: string; readonly check: string },
): Promise<void> {
  const database = await worker.ports.database();
  await database.write((sql) => journal(sql, { event: "sent-back", ...workerEntry(worker, held), detail }));
}

/** Whether the agent is at work on just that: what it made of it failed again. */
const isSentBack = async (worker: Worker, held: ClaimedStep): Promise<boolean> =>
  isAbout((await verdictsOn(worker, held)).at(-1), LANDING_CHECK);

/** What the checks say of the work by itself, where that fails too; undefined where only both together fail. */
async function failsAlone(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { own, tree, isMerged }: Landable,
  verdict: Verdict,
): Promise<Verdict | undefined> {
  const failed = failedIn(verdict.evidence);
  // What these look at is the step's own, whatever landed.
  if (!isMerged || failed === CHECKLIST || failed === TESTS_CHECK) return verdict;
  // Where checks run in place, the worktree has both by now, and the work alone is nowhere to be checked.
  if (own === tree) return undefined;
  const alone = await verifyStep(worker, held, heart, { tree: own, extended: false, isMerged: true });
  return alone.kind === "verdict" && alone.verdict.outcome !== "passed" ? alone.verdict : undefined;
}

const MOST_PATCH = 6000;

/** The steps and the changes that the plan's branch got since the work was begun. */
async function whatLanded(worker: Worker, { tip }: Pick<Landable, "tip">): Promise<string> {
  const [commits, branches] = [await worker.ports.commits(), await worker.ports.branches()];
  const head = await commits.head(worker.session.worktree);
  const base = head && (await branches.mergeBase(tip, head));
  if (base === undefined) return "(unknown)";
  if (base === tip) return "";
  const steps = (await branches.stepsOf(base, tip)).map(({ step, subject }) => `- ${step}: ${subject}`);
  return [...steps, "", await branches.patch(base, tip, MOST_PATCH)].join("\n");
}
