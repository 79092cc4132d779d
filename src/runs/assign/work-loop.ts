import { Failure, HELD_STATUSES } from "../../domain/index.ts";
import { leaseClockOf, stoppedWords } from "../../sessions/index.ts";
import { canClaim, type ClaimAnswer, type Waiting } from "../../claims/index.ts";
import { listHeldSteps, savedStep } from "../../plans/index.ts";
import type { StepRow } from "../../platform/index.ts";
import { type ClaimedStep, release } from "../../steps/index.ts";
import { mergeDependencies } from "./merge-dependencies.ts";
import type { KnownFiles } from "../work/checkpoint.ts";
import { failingAfter, whyHalted } from "../verify/failing-checks.ts";
import { claimBuildable, claimOne, heldBy, waitForCommits } from "./claim-step.ts";
import { sleepUnlessInterrupted, waitOutPause } from "./wait-for-agent.ts";
import { fullCheck } from "../full/full-check.ts";
import { agentsOfCommand, firstBack, isAble } from "../work/pick-agent.ts";
import { limitWords, raisedOption } from "../work/run-budget.ts";
import { readyWorktree } from "./ready-worktree.ts";
import { dueToLand, forgetWaiting, retryWaiting, worthWaitingFor } from "./land-waiting.ts";
import { fetchShared } from "./fetch-shared.ts";
import { syncBase } from "./sync-base.ts";
import type { Holder } from "../work/run-event.ts";
import { takenOver } from "../finish/close-session.ts";
import type { LimitReached, LoopEnd, Tally } from "../finish/run-answer.ts";
import type { StepEnd } from "../finish/step-end.ts";
import { workStep } from "../work/work-step.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** How often a worker that found nothing looks again. Nothing wakes it, because others may be in other processes. */
const LOOK_MS = 250;

/** Claims and works until there is nothing left for this worker. */
export async function workLoop(worker: Worker, tally: Tally): Promise<LoopEnd> {
  let told = "";
  const failing = await fullCheck(worker, "begin");
  if (failing) return failing;
  for (;;) {
    // Without it, rounds that find nothing to wait for would keep signals and other workers out.
    await sleepUnlessInterrupted(worker, 0);
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    // Where nothing is left to hand out, nothing is withheld, and the run ends as it would anyway.
    if (tally.halted !== undefined && (await hasWork(worker)))
      return { kind: "halted", because: tally.halted };
    const over = (await takenOver(worker)) ?? (await waitForAgent(worker));
    if (over) return over;
    const due = await dueToLand(worker, tally);
    if (due === undefined && tally.begun >= (worker.config.maxSteps ?? Infinity)) return { kind: "enough" };
    // Counted before it is claimed, or workers side by side would begin more than are wanted.
    tally.begun += 1;
    const here = await heldHere(worker);
    // What lies here waits for a person, and other workers do the rest.
    if (here && here.bound_to !== null && here.session_id !== worker.session.id) {
      tally.begun -= 1;
      return { kind: "stuck", waiting: [] };
    }
    const kept = here?.anchor;
    const isFresh = kept === undefined && (due !== undefined || (await hasWork(worker)));
    const used = isFresh && due === undefined ? await budgetEnd(worker) : undefined;
    if (used) {
      tally.begun -= 1;
      return used;
    }
    let known: KnownFiles | undefined;
    if (isFresh) {
      await fetchShared(worker);
      await syncBase(worker, tally);
      ({ known, ...worker } = await readyWorktree(worker));
      // Its set-up may have been cut off, and then nothing may be begun there.
      if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    }
    const { answer, absent } = await claimNext(worker, kept, due);
    const isBegun = !absent && answer.anchor !== null && (isFresh || kept === answer.anchor);
    if (!isBegun) tally.begun -= 1;
    if (absent) {
      const stuck = await waitForCommits(worker, absent, told);
      if (stuck) return stuck;
      told = absent.anchor;
      continue;
    }
    if (answer.anchor === null) {
      const waited = await waitForOthers(worker, answer, told, tally);
      if (typeof waited !== "string") return afterAll(worker, waited);
      told = waited;
      continue;
    }
    told = "";
    if (answer.anchor === due) forgetWaiting(tally, due);
    if (!isBegun) {
      await giveBack(worker, heldBy(answer), kept);
      continue;
    }
    const end =
      (await workOn(worker, answer, { isFresh, known }, tally)) ?? (await fullCheck(worker, "landed"));
    if (end) return end;
  }
}

/** All steps are completed only once the full check has passed, where there is one. */
const afterAll = async (worker: Worker, end: LoopEnd): Promise<LoopEnd> =>
  (end.kind === "all-completed" ? await fullCheck(worker, "end") : undefined) ?? end;

/** Verified work that waited for the remote lands before anything else is begun. */
const claimNext = async (worker: Worker, kept: string | undefined, due: string | undefined) =>
  kept === undefined && due !== undefined
    ? { answer: await claimOne(worker, due, retryWaiting(worker, due)), absent: undefined }
    : claimBuildable(worker, kept);

/** Works on a step that was just claimed, once the work of its dependencies is there. */
async function workOn(
  worker: Worker,
  answer: ClaimAnswer,
  { isFresh, known }: { readonly isFresh: boolean; readonly known: KnownFiles | undefined },
  tally: Tally,
): Promise<LoopEnd | undefined> {
  const held = heldBy(answer);
  const ground = await mergeDependencies(worker, held, { isFresh, missing: answer.missingWork });
  if (ground.kind === "blocked") return settle(worker, held, ground, tally, 0);
  if (ground.kind === "given-back") {
    tally.begun -= 1;
    return undefined;
  }
  worker.report({
    event: "claimed",
    step: held.anchor,
    title: held.title,
    again: answer.reclaimed,
    remaining: answer.remainingCapped ? undefined : answer.totalRemaining,
  });
  return workPatiently(worker, held, { tally, known });
}

/** Waits a moment for what others have in hand, and answers with what that is; or with why there is nothing to wait for. */
async function waitForOthers(
  worker: Worker,
  { totalRemaining, waiting }: ClaimAnswer,
  told: string,
  tally: Tally,
): Promise<LoopEnd | string> {
  if (totalRemaining === 0) return { kind: "all-completed" };
  const inFlight = waiting.filter(({ reason }) => reason === "held" || reason === "ready");
  // On a server the last open step may be completed between two questions of the claim.
  if (waiting.length === 0) {
    await sleepUnlessInterrupted(worker, LOOK_MS);
    return told;
  }
  if (inFlight.length === 0) {
    const unpushed = await worthWaitingFor(worker, tally);
    if (unpushed.length === 0) return { kind: "stuck", waiting };
    if (told !== unpushed.join())
      worker.report({ event: "waiting", for: unpushed, remote: worker.ports.settings.remote });
    await sleepUnlessInterrupted(worker, LOOK_MS);
    return unpushed.join();
  }
  const names = inFlight.map(({ anchor }) => anchor);
  // Reported again when a runner is stopped, or continues.
  const news = inFlight.map(({ anchor, stopped }) => `${anchor} ${stopped?.pid ?? ""}`).join();
  if (told !== news) worker.report({ event: "waiting", for: names, holders: holdersOf(inFlight) });
  await sleepUnlessInterrupted(worker, LOOK_MS);
  return news;
}

/** Leases are not reported: they are renewed for as long as their owner lives, so their end is no end of waiting. */
const holdersOf = (waiting: readonly Waiting[]): readonly Holder[] =>
  waiting.flatMap(({ anchor, heldBy: worktree, otherHost: host, session, stopped, reason }) =>
    reason === "held"
      ? [{ step: anchor, worktree, host, session, ...(stopped && { stopped: stoppedWords(stopped) }) }]
      : [],
  );

/** A step that was claimed for an agent that cannot work now would be kept from everybody else. */
async function waitForAgent(worker: Worker): Promise<LoopEnd | undefined> {
  const [first] = worker.workflow.commands;
  const all = first === undefined ? [] : agentsOfCommand(worker, first);
  if (all.length === 0 || all.some(({ name }) => isAble(worker, name))) return undefined;
  return waitOutPause(worker, { agent: firstBack(worker, all) });
}

/** Nothing more is begun once the run has used what it may. */
async function budgetEnd(worker: Worker): Promise<LoopEnd | undefined> {
  const limit = await worker.budget?.reached(undefined);
  return limit && limitEnd(limit);
}

const limitEnd = (limit: LimitReached): LoopEnd => ({
  kind: "paused",
  until: undefined,
  because: limitWords(limit),
  limit,
  resumeOption: raisedOption(limit),
});

/** The step that this worktree holds, whichever session took it: what is in it is that step's work, and is left alone. */
async function heldHere({ ports, session, plan }: Worker): Promise<StepRow | undefined> {
  const database = await ports.database();
  const held = await database.read((sql) => sql.all(listHeldSteps, {}));
  return held.find(
    (step) =>
      step.plan_path === plan &&
      step.parent_anchor === null &&
      step.worktree_id === session.worktree.id &&
      (HELD_STATUSES as readonly string[]).includes(step.status),
  );
}

/**
 * Whether a claim would get something. Otherwise the worktree is left as it is: what a blocked step left in it is best
 * read where it was made.
 */
async function hasWork({ ports, plan }: Worker): Promise<boolean> {
  const database = await ports.database();
  return database.read((sql) => canClaim(sql, plan!, leaseClockOf(ports, sql)));
}

/**
 * Files of one step would be taken for those of the other: what was claimed is given back, and what was held, and the
 * worktree is made ready first.
 */
async function giveBack(worker: Worker, held: ClaimedStep, kept: string | undefined): Promise<void> {
  const { ports, session } = worker;
  const plan = worker.operand ?? held.plan;
  await release(ports, { plan, step: held.anchor, caller: workerCaller(worker, held) });
  if (kept === undefined) return;
  const database = await ports.database();
  const { claim_seq: claim, bound_to } = await database.read((sql) => savedStep(sql, held.plan, kept));
  // Its plan changed, and a person decides what becomes of it: the files stay where they are.
  if (bound_to !== null) return;
  const caller = { worktree: session.worktree, session: session.id, claim };
  await release(ports, { plan, step: kept, caller });
}

/** Works on a step through every pause; undefined when the worker continues with another one. */
async function workPatiently(
  worker: Worker,
  held: ClaimedStep,
  { tally, known }: { readonly tally: Tally; readonly known: KnownFiles | undefined },
): Promise<LoopEnd | undefined> {
  const began = worker.ports.clock.uptimeMs();
  for (let [current, stops] = [held, 0]; ;) {
    // What lies there is known only until something was begun.
    const options = current === held ? { known } : {};
    const end = await workStep(worker, current, options).catch((error: unknown): GitStopped => {
      stops += 1;
      return gitStopped(worker, error, stops);
    });
    if (end.kind === "limit") return limitEnd(end.limit);
    if (end.kind !== "paused" && end.kind !== "git-stopped")
      return settle(worker, current, end, tally, worker.ports.clock.uptimeMs() - began);
    const over = end.kind === "paused" ? await waitOutPause(worker, end) : undefined;
    if (over) return over;
    const answer = await claimOne(worker);
    // Another worker took it while this one slept.
    if (answer.anchor === null || answer.anchor !== held.anchor) {
      if (answer.anchor !== null)
        await release(worker.ports, {
          plan: worker.operand ?? held.plan,
          step: answer.anchor,
          caller: workerCaller(worker, heldBy(answer)),
        });
      return undefined;
    }
    current = heldBy(answer);
    const ground = await mergeDependencies(worker, current, { isFresh: false, missing: answer.missingWork });
    if (ground.kind === "given-back") return undefined;
    if (ground.kind === "blocked") return settle(worker, current, ground, tally, 0);
  }
}

interface GitStopped {
  readonly kind: "git-stopped";
}

/** How often git may be killed during one step before the run ends with it. */
const MOST_STOPS = 3;

/**
 * A git that was killed has not answered, and what it left is what a killed runner leaves: the step is taken up again
 * from its checkpoints. After a signal to Pawl itself there is nothing to take up.
 */
function gitStopped({ interruption, report }: Worker, error: unknown, stops: number): GitStopped {
  const isStopped = error instanceof Failure && error.problem === "git/stopped";
  if (!isStopped || stops > MOST_STOPS || interruption.signal() !== undefined) throw error;
  report({ event: "note", text: error.message });
  return { kind: "git-stopped" };
}

function settle(
  worker: Worker,
  { anchor, title }: ClaimedStep,
  end: Exclude<StepEnd, { kind: "paused" | "limit" }>,
  tally: Tally,
  durationMs: number,
): LoopEnd | undefined {
  if (end.kind === "interrupted") return { kind: "interrupted" };
  if (end.kind === "completed") {
    tally.completed.push({ anchor, title, commit: end.commit, durationMs: Math.round(durationMs) });
    tally.onLanded?.();
  } else if (end.kind === "blocked") {
    const { reason, note, said, output, log, refused } = end;
    tally.blocked.push({ anchor, title, reason, note, said, output, log, refused });
  } else worker.report({ event: "lost", step: anchor, because: end.because });
  tally.failing = failingAfter(tally.failing, anchor, end);
  if (tally.halted === undefined && tally.failing.length >= worker.settings.verify.stopAfter)
    halt(worker, tally);
  return undefined;
}

/** Once said it stays so: a worker that has a step finishes it, and none begins another. */
function halt({ plan, operand, branch, integration, report }: Worker, tally: Tally): void {
  const because = whyHalted(tally.failing, {
    plan: operand ?? plan!,
    branch: integration ?? branch ?? "the plan's branch",
  });
  tally.halted = because;
  report({ event: "halted", because });
}
