import { DEFAULT_LEASE_SECONDS, Failure, isHeld } from "../domain/index.ts";
import { type Interruption, NEVER, type Ports } from "../platform/ports/index.ts";
import { checksFor, type Evidence, listAttempts } from "../verification/index.ts";
import { type Submission, submitWork } from "./verify/submit-work.ts";
import { type Caller, type ClaimedStep, ownsIt } from "../steps/index.ts";
import {
  answeredBefore,
  callOf,
  chooseCourse,
  commit,
  type CommitAnswer,
  type CommitRequest,
  type Course,
  goalOf,
  leaveStatusOut,
  nothingToCommit,
  planTip,
  refuseLeftBehindFiles,
  refuseUnmerged,
  type Scene,
  survey,
} from "../commits/index.ts";
import { enter, openSession } from "../sessions/index.ts";
import { lockedStep, savedStep } from "../plans/index.ts";
import { publishAfter } from "./publish/publish-after.ts";
import { sendBack } from "./verify/attempt.ts";
import type { WorkerEvent } from "./work/run-event.ts";
import { viewOfStep } from "./work/step-view.ts";
import { writtenStep } from "./work/step-view.ts";
import { runSettingsOf } from "../agents/index.ts";

export interface VerifiedCommitRequest extends CommitRequest {
  readonly interruption?: (() => Interruption) | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** A commit that was asked for where something is to be verified first: the commit, or why there is none. */
export interface VerifiedCommit extends Omit<CommitAnswer, "commitHash"> {
  /** Null where nothing was committed. */
  readonly commitHash: string | null;
  readonly verification: {
    readonly outcome: Exclude<Submission["outcome"], "handed_over" | "lost">;
    readonly because: string;
    readonly evidence: readonly Evidence[];
    readonly attemptsLeft: number;
  };
}

/**
 * Commits a step of the caller's when it has passed what the settings name, by the judge that runs and sessions have.
 *
 * The claim stays the caller's all the time. Only the verification has a session, for as long as it lasts: so its
 * attempts, logs and processes are on record, and after a kill every command can see that no process verifies any more.
 */
export async function commitVerified(
  given: Ports,
  request: VerifiedCommitRequest,
): Promise<CommitAnswer | VerifiedCommit> {
  const { key } = given.plans.locate(request.plan);
  const ports = await leaveStatusOut(given, request.caller.worktree, key);
  const held = await heldBy(ports, key, request);
  // A caller that holds nothing is refused there, and what was done already is answered.
  if (held === undefined || !(await hasChecks(ports, held))) return commitAndPublish(given, key, request);
  const call = callOf(key, request);
  const before = await answeredBefore(ports, call);
  if (before) return before;
  // A landing that was killed while it moved the files left git's lock there.
  await (await ports.worktrees()).finishForward(request.caller.worktree);
  const scene = await survey(ports, key, request);
  refuseUnmerged(scene, request);
  await refusePart(ports, request);
  await refuseLeftBehindFiles(ports, scene, request);
  await refuseNothing(ports, scene, request, await chooseCourse(ports, scene, request));
  await enter(ports, { stop: [{ worktreeId: request.caller.worktree.id }] });
  const caller = { ...request.caller, claim: held.claim };
  await takeUp(ports, held, caller);
  let made: CommitAnswer | undefined;
  const submission = await verify(ports, held, {
    ...request,
    caller,
    call,
    onAnswer(answer) {
      made = answer;
    },
  });
  // The step went to another worker meanwhile: that is refused, and the work is kept.
  if (submission.outcome === "lost" || submission.outcome === "handed_over")
    return commit(given, { ...request, caller });
  return answerOf(ports, { request, held, submission, made });
}

async function commitAndPublish(ports: Ports, key: string, request: CommitRequest): Promise<CommitAnswer> {
  const answer = await commit(ports, request);
  if (!answer.completed || ports.settings.publish === undefined) return answer;
  const branch = await (await ports.commits()).branch(request.caller.worktree);
  const goal = await goalOf(ports, key, branch);
  const warnings: string[] = [];
  await publishAfter(ports, { plan: key, goal }, (text) => warnings.push(text));
  return { ...answer, warnings: [...answer.warnings, ...warnings] };
}

/** The step that the caller holds. The work of a substep is verified with its step. */
async function heldBy(
  ports: Ports,
  key: string,
  { step, caller }: CommitRequest,
): Promise<ClaimedStep | undefined> {
  const database = await ports.database();
  const row = await database.read((sql) => savedStep(sql, key, step));
  if (row.parent_anchor !== null || !isHeld(row.status) || !ownsIt(row, caller)) return undefined;
  return { plan: key, anchor: row.anchor, title: row.title, claim: row.claim_seq };
}

/** Whether anything is checked beside the checklist, which every completion asks for anyway. */
async function hasChecks(ports: Ports, held: ClaimedStep): Promise<boolean> {
  const { verify } = runSettingsOf(ports);
  const own = (await writtenStep(ports, held))?.verification;
  return checksFor(await viewOfStep(ports, held), verify, own).some(({ kind }) => kind !== "checklist");
}

/**
 * Checks see all that lies in the worktree, so a commit of a part of it would be of a tree that is not verified.
 *
 * A name that git would refuse is reported here, too: found out after the checks, it would cost an attempt.
 */
async function refusePart(ports: Ports, { caller: { worktree }, paths, step }: CommitRequest): Promise<void> {
  if (paths === undefined) return;
  const commits = await ports.commits();
  for (const path of paths)
    if (
      !ports.files.exists(path.startsWith("/") ? path : `${worktree.path}/${path}`) &&
      (await commits.uncommitted(worktree, [path])).length === 0
    )
      throw new Failure("commit/refused", `Nothing was committed for ${step}: git knows no file ${path}.`, {
        anchor: step,
        worktree: worktree.path,
        committed: false,
        output: [],
      });
  const named = new Set(await commits.uncommitted(worktree, paths));
  const others = (await commits.uncommitted(worktree, undefined)).filter((path) => !named.has(path));
  if (others.length === 0) return;
  throw new Failure(
    "commit/partly-verified",
    `${step} is verified with everything that lies in ${worktree.path}, and the paths given leave out ${others.slice(0, 5).join(", ")}${others.length > 5 ? ` and ${others.length - 5} more` : ""}: what would be committed is not what would be verified.`,
    { anchor: step, worktree: worktree.path, left_out: others, committed: false },
  );
}

/** Reported before anything is verified: an attempt is not used up for it. */
async function refuseNothing(
  ports: Ports,
  scene: Scene,
  request: CommitRequest,
  { kind }: Course,
): Promise<void> {
  if (kind !== "commit" || request.allowEmpty === true) return;
  const commits = await ports.commits();
  if ((await commits.uncommitted(request.caller.worktree, request.paths)).length > 0) return;
  if (await hasOwnCommits(ports, scene)) return;
  throw nothingToCommit(scene, request);
}

/** Whether the worktree has commits that are to land: an agent's own, or what a killed landing left there. */
async function hasOwnCommits(ports: Ports, { step, checkout }: Scene): Promise<boolean> {
  const goal = await goalOf(ports, step.plan_path, checkout.branch);
  const { head } = checkout;
  if (goal === undefined || head === undefined) return false;
  const tip = await planTip(ports, { plan: step.plan_path, branch: goal.branch });
  return (await (await ports.branches()).mergeBase(tip, head)) !== head;
}

/**
 * Takes a verification back whose process was killed, so that this one can begin; it was cut off, and has not failed.
 *
 * In one transaction with the look at who verifies: of two calls after a kill, the second would end the first one's.
 */
async function takeUp(ports: Ports, held: ClaimedStep, caller: Caller): Promise<void> {
  const { plan, anchor } = held;
  const database = await ports.database();
  await database.write(async (sql) => {
    if ((await lockedStep(sql, plan, anchor)).status !== "awaiting_verification") return;
    const session = (await sql.all(listAttempts, { plan_path: plan, anchor })).at(-1)?.session_id;
    if (session != null && ports.lifelines.look(session) === "held")
      throw new Failure("step/being-verified", `${anchor} is being verified by session ${session}.`, {
        plan_path: plan,
        anchor,
        session_id: session,
      });
    await sendBack(sql, held, caller);
  });
}

async function verify(
  ports: Ports,
  held: ClaimedStep,
  request: VerifiedCommitRequest & { readonly onAnswer: (answer: CommitAnswer) => void },
): Promise<Submission> {
  const { caller, onAnswer, onEvent, plan, interruption = () => NEVER } = request;
  const { worktree } = caller;
  const { message, paths, allowEmpty = false, requestId, call } = request;
  const { heartbeats } = await ports.running();
  const session = await openSession(ports, { plan, worktree });
  const leaseSeconds = DEFAULT_LEASE_SECONDS;
  const heart = heartbeats.start({
    plan,
    step: held.anchor,
    worktree: worktree.path,
    claim: held.claim,
    session: session.id,
    leaseSeconds,
  });
  let checkpoints = 0;
  try {
    return await submitWork(ports, {
      held,
      worktree,
      session,
      supervised: undefined,
      heart,
      leaseSeconds,
      interruption: interruption(),
      nextCheckpoint: () => (checkpoints += 1),
      operand: plan,
      asked: { request: { caller, message, paths, allowEmpty, requestId, call }, onAnswer },
      report: onEvent,
    });
  } catch (error) {
    await giveBack(ports, held, caller);
    throw error;
  } finally {
    await heart.stop();
    await session.end("completed");
  }
}

/** Something else went wrong (a full disk, a plan that changed): the step is its owner's, as before. */
async function giveBack(ports: Ports, held: ClaimedStep, caller: Caller): Promise<void> {
  const database = await ports.database();
  const given = database.write(async (sql) => {
    const step = await lockedStep(sql, held.plan, held.anchor);
    if (step.status === "awaiting_verification" && ownsIt(step, caller)) await sendBack(sql, held, caller);
  });
  // What went wrong first is what the caller hears; the next call takes the step up all the same.
  await given.catch(() => undefined);
}

async function answerOf(
  ports: Ports,
  {
    request,
    held,
    submission,
    made,
  }: {
    readonly request: CommitRequest;
    readonly held: ClaimedStep;
    readonly submission: Submission;
    readonly made: CommitAnswer | undefined;
  },
): Promise<VerifiedCommit> {
  const { outcome, because, evidence, attemptsLeft, allCompleted } = submission;
  const isJudged = outcome !== "cancelled" && outcome !== "paused";
  const verification = {
    outcome: outcome as VerifiedCommit["verification"]["outcome"],
    because:
      outcome === "completed" ? `passed: ${evidence.map(({ checked }) => checked).join(", ")}` : because,
    // Of an earlier attempt otherwise.
    evidence: isJudged ? evidence : [],
    attemptsLeft,
  };
  const answer = {
    planPath: held.plan,
    anchor: held.anchor,
    claim: held.claim,
    committed: false,
    commitHash: null,
    filesStaged: [],
    resumed: false,
    completed: false,
    allStepsCompleted: false,
    stateUpdateFailed: false,
    stateFailureReason: null,
    warnings: [],
    verification,
  };
  // A hook made another tree of it, and that one has not passed: the commit stays, and the next one follows it.
  if (submission.commit === null)
    return made === undefined ? answer : { ...made, completed: false, verification };
  if (made?.completed) return { ...made, verification };
  // An earlier claim's call had made the commit; this one has completed the step with it.
  const { files } = await (await ports.commits()).read(request.caller.worktree, submission.commit);
  return {
    ...answer,
    committed: true,
    commitHash: submission.commit,
    filesStaged: files,
    resumed: true,
    completed: true,
    allStepsCompleted: allCompleted,
  };
}
