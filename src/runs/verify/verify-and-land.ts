import { Failure, fullStop, shellWord, toInstant } from "../../domain/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { commitStatusFrom, followShared, leaveStatusOut } from "../../commits/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { ownEvidence, seenBeside, type Verdict, whereRun } from "../../verification/index.ts";
import { type Attempt, beginAttempt, endAttempt, takeBack } from "./attempt.ts";
import type { BlockReason } from "../finish/block-step.ts";
import { COMMIT_CHECK } from "./failing-checks.ts";
import { landStep, type LandOutcome } from "../land/land-step.ts";
import { isCommitted, landedBefore } from "../land/earlier-commit.ts";
import { forkOf, ownWordsOf } from "../land/own-commits.ts";
import { type LandingVerdict, rebase, rideTrain } from "../land/ride-train.ts";
import { riding } from "../land/train-moves.ts";
import { backFromConflict, backFromLanding, backFromMerge } from "../land/send-back.ts";
import { keepVerified } from "../land/kept-work.ts";
import { blockAfterKills } from "../finish/block-after-kills.ts";
import { blockStep } from "../finish/block-step.ts";
import { escalate, failedAttempt, failedIn, reject, shownOf } from "./reject.ts";
import { isAbout, verdictsOn } from "./step-verdicts.ts";
import { lastWork } from "../work/where-to-start.ts";
import { type Blocked, type StepResult, lost } from "../finish/step-end.ts";
import { keepTreeVerdict } from "./known-verdict.ts";
import { checksOf, verifyStep } from "./verify-step.ts";
import { goalOfWorker, type Worker } from "../work/worker.ts";

/** How often a tree is verified that is another one afterwards. */
const MOST_ROUNDS = 3;
const NEVER_STILL =
  "its files change each time they are verified, so that nothing is ever verified as it is: let the check write elsewhere, or have git ignore what it writes";

/** Verifies and, when it passes, commits and completes. `go` means that the work goes back, and says why. */
export const verifyAndLand = (
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  work: WorkToLand,
): Promise<StepResult<string>> =>
  riding(held, async () => {
    // In the main checkout the status that Pawl wrote into the plan is no part of the step's commit, nor of what is verified.
    const ports = await leaveStatusOut(worker.ports, worker.session.worktree, held.plan);
    const end =
      ports === worker.ports
        ? await verifyAndLandOnce(worker, held, heart, work)
        : await verifyAndLandOnce({ ...worker, ports }, held, heart, { ...work, tree: undefined });
    // A commit that an earlier claim had made completes its step without another one.
    if (end.kind === "completed") await commitStatusFrom(worker.ports, worker.session.worktree, held.plan);
    return end;
  });

interface WorkToLand {
  readonly extended: boolean;
  /** What lies in the worktree, where that is known. */
  readonly tree: string | undefined;
}

async function verifyAndLandOnce(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { extended, tree: left }: WorkToLand,
): Promise<StepResult<string>> {
  const commits = await worker.ports.commits();
  await (await worker.ports.worktrees()).finishForward(worker.session.worktree);
  const landed = await landedBefore(worker, held);
  if (landed !== undefined) return { kind: "completed", commit: landed };
  // After a kill between the verdict and the commit the same work is not counted twice.
  let counts = (await verdictsOn(worker, held)).at(-1)?.outcome !== "passed";
  let overtaken = 0;
  for (let round = 1; ; round += 1) {
    const isFirst = round === 1;
    // What the last command left is known; after a verdict that came to nothing it must be read again.
    const tree = (isFirst ? left : undefined) ?? (await commits.tree(worker.session.worktree));
    const cutOff = held.claim > 1 || !isFirst ? await blockAfterKills(worker, held, heart) : undefined;
    if (cutOff) return cutOff;
    const attempt = await beginAttempt(worker, held, { tree, counts });
    if (attempt === undefined) return escalate(worker, held);
    worker.report({ event: "verifying", step: held.anchor, attempt: attempt.counted });
    if (isFirst) await catchUp(worker, held);
    const ride = await rideTrain(worker, held, heart, { tree, extended });
    if (heart.isLost()) return lost(await heart.lost);
    if (ride.kind === "conflict") return backFromConflict(worker, held, heart, { attempt, conflict: ride });
    if (ride.kind !== "verdict") await takeBack(worker, held);
    if (ride.kind === "cut") return { kind: "interrupted" };
    // Its checkpoint says that it was cut off, and those are counted by themselves.
    if (ride.kind === "killed") continue;
    if (ride.kind === "paused") return ride;
    const { verdict, candidate } = ride;
    const checks = await checksOf(worker, held);
    if (verdict.outcome === "failed")
      return backFromLanding(worker, held, heart, { attempt, verdict, candidate, checks });
    await endAttempt(worker, held, attempt, verdict, checks);
    counts = false;
    reportVerdict(worker, held, attempt, verdict);
    if (verdict.outcome === "timed_out")
      return blockStep(worker, held, heart, blockedBy(verdict, "verification_timeout", verdict.because));
    const finish = await landVerified(worker, held, heart, { verdict, candidate });
    const end = await endOf(worker, held, heart, { attempt, verdict, finish });
    if (end) return end;
    // Of clones that land at the same time, one is first each time.
    if (finish.kind === "overtaken") overtaken += 1;
    if (round - overtaken === MOST_ROUNDS)
      return blockStep(worker, held, heart, blockedBy(verdict, "verification_escalated", NEVER_STILL));
    await takeBack(worker, held);
  }
}

/** Brings what other machines have landed first, so that the step is verified on top of that. */
async function catchUp(worker: Worker, { plan }: ClaimedStep): Promise<void> {
  const goal = goalOfWorker(worker);
  if (goal === undefined || !worker.ports.storeIsShared) return;
  try {
    await followShared(worker.ports, { plan, branch: goal.branch }, { isFetched: false });
  } catch (error) {
    // The landing itself says so, when the work is verified.
    if (!(error instanceof Failure) || error.problem !== "remote/unreachable") throw error;
  }
}

interface Landed {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly finish: LandOutcome;
}

/** What became of verified work; undefined where it has to be verified once more. */
async function endOf(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { attempt, verdict, finish }: Landed,
): Promise<StepResult<string> | undefined> {
  switch (finish.kind) {
    case "completed":
      return finish;
    case "conflict": {
      const note = `${finish.said} Its commit ${finish.commit.slice(0, 12)} is kept.`;
      await keepCommit(worker, held, finish.commit);
      return blockStep(worker, held, heart, { reason: "merge_conflict", note });
    }
    case "refused":
      // Ctrl-C in a terminal reaches git and its hooks as well, and that is no judgement.
      if (worker.interruption.signal() !== undefined) {
        await takeBack(worker, held);
        return { kind: "interrupted" };
      }
      return backFromCommit(worker, held, heart, finish.said);
    case "unsigned":
      return keepAndBlock(worker, held, heart, { tree: verdict.tree, said: finish.said });
    case "rejected":
      return backFromMerge(worker, held, heart, { attempt, ...finish });
    case "unjudged":
      if (finish.seen.kind === "killed") return undefined;
      await takeBack(worker, held);
      return finish.seen.kind === "paused" ? finish.seen : { kind: "interrupted" };
    case "waiting":
      return keepUntilPushed(worker, held, heart, { tree: verdict.tree, finish });
    case "changed":
    case "overtaken":
      return undefined;
    default:
      return finish satisfies never;
  }
}

/** Brings the worktree to where the work was verified, and lands it from there. */
async function landVerified(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { verdict, candidate }: Pick<LandingVerdict, "verdict" | "candidate">,
): Promise<LandOutcome> {
  const ground = candidate ?? (await forkOf(worker, verdict.tree));
  if (ground === undefined || (await isCommitted(worker, held, ground)))
    return landStep(worker, held, heart, { verdict, ownWords: [] });
  const ownWords = await ownWordsOf(worker, ground.tip);
  try {
    const { own, tip: onto } = ground;
    await rebase(worker, held, { own, candidate: ground, onto, isCommittedNext: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problem === "run/tree-changed") return { kind: "changed" };
    if (error.problem !== "merge/in-the-way") throw error;
    return landByMerge(worker, held, heart, { verdict, own: ground.own, tip: ground.tip });
  }
  return landStep(worker, held, heart, { verdict, ownWords });
}

/**
 * Lands work whose worktree cannot be brought to where it was verified: a file that git ignores there is in the way. Its
 * commit stays on the commit where the step began, so it is verified by itself too, and a merge lands.
 */
async function landByMerge(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { verdict, own, tip }: { readonly verdict: Verdict; readonly own: string; readonly tip: string },
): Promise<LandOutcome> {
  const seen = await verifyStep(worker, held, heart, { tree: own, extended: false });
  if (seen.kind !== "verdict") return { kind: "unjudged", seen };
  if (seen.verdict.outcome !== "passed") return { kind: "rejected", verdict, tip, own };
  const checks = await checksOf(worker, held);
  const database = await worker.ports.database();
  await database.write((sql) => keepTreeVerdict(sql, worker, held, { verdict: seen.verdict, checks }));
  return landStep(worker, held, heart, { verdict: seen.verdict, ownWords: [] });
}

function reportVerdict(
  worker: Worker,
  { anchor: step }: ClaimedStep,
  attempt: Attempt,
  { outcome, because, evidence }: Verdict,
): void {
  const where = whereRun(evidence);
  const failed = failedAttempt(evidence);
  worker.report({ event: "verdict", step, attempt: attempt.counted, outcome, because, where, failed });
  for (const text of shownOf(evidence).live) worker.report({ event: "said", step, text });
  const beside = seenBeside(evidence);
  if (outcome === "passed" && beside.length > 0)
    worker.warn(step, `not_in_commit: the checks could see what no commit holds: ${beside.join("; ")}`);
  for (const line of evidence.flatMap(({ warnings = [] }) => warnings)) worker.warn(step, `tests: ${line}`);
}

/** Where everything passed, the last check is the one that would have to leave the files alone. */
function blockedBy({ evidence }: Verdict, reason: BlockReason, note: string): Omit<Blocked, "kind"> {
  const { output, log } = shownOf(evidence);
  return {
    reason,
    note,
    check: failedIn(evidence) ?? evidence.at(-1)?.checked,
    ...(output.length === 0 ? {} : { output }),
    ...(log === undefined ? {} : { log }),
  };
}

/** The branch it is on is made anew for the next step, so the commit gets a name of its own. */
async function keepCommit({ ports }: Worker, { anchor }: ClaimedStep, commit: string): Promise<void> {
  if (commit !== "") await (await ports.branches()).rescue(anchor, commit);
}

/** Verified work waits for a person with a name of its own; retried, it is committed without an agent. */
async function keepAndBlock(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { tree, said }: { readonly tree: string; readonly said: string },
): Promise<StepResult<string>> {
  const kept = await keepVerified(worker, held, tree);
  const note = `the work passed, and git refused the commit (${firstLine(said)}). It is kept as ${kept.ref}; once the commit can be made, \`pawl state retry\` has it committed without an agent.`;
  return blockStep(worker, held, heart, { reason: "commit_refused", note, kept, check: COMMIT_CHECK });
}

/** Verified work that the remote did not take waits with a name of its own, and other steps are worked on meanwhile. */
async function keepUntilPushed(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  {
    tree,
    finish: { problem, said, output },
  }: { readonly tree: string; readonly finish: Extract<LandOutcome, { kind: "waiting" }> },
): Promise<StepResult<string>> {
  if (worker.integration === undefined) {
    await takeBack(worker, held);
    const hint = "You still hold the step: run the same command again once the remote accepts it.";
    throw new Failure(problem, said, { anchor: held.anchor, output }, { hint });
  }
  const kept = await keepVerified(worker, held, tree);
  const isAway = problem === "remote/unreachable";
  const next = isAway
    ? "It lands when the remote answers again"
    : `Once the server accepts it, \`pawl state retry ${shellWord(held.plan)} ${held.anchor}\` lands it without an agent`;
  const note = `verified, waiting to land: ${fullStop(said)} It is kept as ${kept.ref}. ${next}.`;
  const reason = isAway ? "waiting_to_land" : "push_refused";
  return blockStep(worker, held, heart, { reason, note, kept, said: output });
}

const firstLine = (said: string): string => said.split("\n").find((line) => line.trim() !== "") ?? "";

/**
 * Whether a hook has refused these very files before, or others landed since and the agent changed nothing: it would only
 * leave them so again.
 */
async function wasRefused(worker: Worker, held: ClaimedStep, tree: string): Promise<boolean> {
  const refused = (await verdictsOn(worker, held)).filter((verdict) => isAbout(verdict, COMMIT_CHECK));
  if (refused.length === 0) return false;
  if (refused.some((verdict) => verdict.tree === tree)) return true;
  return (await lastWork(worker, held))?.files_modified === "[]";
}

/** A hook that refuses is evidence like a failed check, and the agent gets it. */
async function backFromCommit(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  said: string,
): Promise<StepResult<string>> {
  const tree = await (await worker.ports.commits()).tree(worker.session.worktree);
  if (await wasRefused(worker, held, tree)) return keepAndBlock(worker, held, heart, { tree, said });
  await takeBack(worker, held);
  const attempt = await beginAttempt(worker, held, { tree, counts: false });
  if (attempt === undefined)
    throw new Failure("internal/bug", "A step that just passed has no attempt left.", {});
  const at = toInstant(worker.ports.clock.wallMs());
  const evidence = ownEvidence({ checked: COMMIT_CHECK, outcome: "failed", output: said, tree, at });
  const because = `the commit was refused: ${firstLine(said)}`;
  return reject(worker, held, attempt, { because, evidence: [evidence], tree });
}
