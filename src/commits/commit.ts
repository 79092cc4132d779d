import { Failure } from "../domain/index.ts";
import type { MadeCommit, Paths, Ports } from "../platform/ports/index.ts";
import { closeIntent } from "./sql/close-intent.ts";
import { findIntent } from "./sql/find-intent.ts";
import { findStep, savedPlan, signedUnder } from "../plans/index.ts";
import { recordCommit } from "./sql/record-commit.ts";
import { rememberWork } from "./bound-work.ts";
import { journal, recall, remember, type Repeatable, type VerbCall } from "../journal/index.ts";
import type { Caller, CompleteAnswer, StepAddress } from "../steps/index.ts";
import { chooseCourse, type Course, saysStep, type Scene, survey } from "./commit-scene.ts";
import { goalOf, landAndComplete } from "./land/land-and-complete.ts";
import type { Goal } from "./land/landing.ts";
import { keepLateWork } from "./late/late-work.ts";
import { type Made, makeCommit } from "./make-commit.ts";
import { noteUnverified } from "./note-unverified.ts";
import { commitStatusFrom, leaveStatusOut } from "./plan-status.ts";

export interface CommitRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  /** The plan's own words for the step when left out. */
  readonly message?: string | undefined;
  /** Exactly these; everything that changed in the worktree when left out. */
  readonly paths?: Paths;
  readonly allowEmpty?: boolean | undefined;
  /** What an agent said in its own commits, which this one takes the place of. */
  readonly ownWords?: readonly string[] | undefined;
  /** What was verified: where other files lie there by now, nothing is committed. */
  readonly tree?: string | undefined;
  /**
   * Given the commit before it lands anywhere; throws when it must not.
   *
   * A refusal leaves the commit and its intent, so that the same call continues from there.
   */
  readonly onMade?: ((made: MadeCommit) => void) | undefined;
  /** Where the commit goes; found by the branch that is checked out when left out. */
  readonly goal?: Goal | undefined;
  /** Given the commit that the step is completed with: a merge, where others had landed before. */
  readonly onLanded?: ((landed: string) => void) | undefined;
  /** Called with the reason why the step was not completed, where the answer only says it in words. */
  readonly onRefused?: ((refusal: Failure) => void) | undefined;
  /** Why a person has it committed without the checks of the settings; kept in the journal with the completion. */
  readonly unverified?: string | undefined;
  /** What it is remembered as, where the caller had said it in other words. */
  readonly call?: VerbCall | undefined;
}

export interface CommitAnswer {
  readonly planPath: string;
  readonly anchor: string;
  /** The number that the commit carries. */
  readonly claim: number;
  readonly committed: boolean;
  readonly commitHash: string;
  readonly filesStaged: readonly string[];
  /** True when an earlier call had made the commit, and this one only did the rest. */
  readonly resumed: boolean;
  readonly completed: boolean;
  readonly allStepsCompleted: boolean;
  readonly stateUpdateFailed: boolean;
  readonly stateFailureReason: string | null;
  readonly warnings: readonly string[];
}

/**
 * Commits a step's work and completes the step with it.
 *
 * Git and the database cannot change in one transaction. So the intent is written first, the commit carries the
 * claim's number and a signature, and a call after a crash finds the commit by them and continues from
 * there. The commit is never made twice and never lost: when the step cannot be completed, the answer says so.
 */
export async function commit(ports: Ports, request: CommitRequest): Promise<CommitAnswer> {
  try {
    const answer = await commitOnce(ports, request);
    if (answer.completed) await commitStatusFrom(ports, request.caller.worktree, answer.planPath);
    return answer;
  } catch (error) {
    // Another call with the same claim was faster: what they made is the answer, if it is this work.
    const isDone = error instanceof Failure && error.details["status"] === "completed";
    if (!isDone || error.problem !== "step/wrong-status") throw await keepLateWork(ports, request, error);
    return commitOnce(ports, request).catch(async (refusal: unknown) => {
      throw await keepLateWork(ports, request, refusal);
    });
  }
}

async function commitOnce(given: Ports, request: CommitRequest): Promise<CommitAnswer> {
  const { key } = given.plans.locate(request.plan);
  const ports = await leaveStatusOut(given, request.caller.worktree, key);
  const call = request.call ?? callOf(key, request);
  const before = await answeredBefore(ports, call);
  if (before) return before;
  const scene = await survey(ports, key, request);
  const course = await chooseCourse(ports, scene, request);
  const { made, resumed } = await follow(ports, scene, request, course);
  rememberOwn(ports, scene, made);
  const warnings = await warningsOf(ports, scene, request, { made, resumed });
  const answer: CommitAnswer = {
    planPath: key,
    anchor: scene.step.anchor,
    claim: scene.claim,
    committed: true,
    commitHash: made.commit,
    filesStaged: made.files,
    resumed,
    completed: true,
    allStepsCompleted: false,
    stateUpdateFailed: false,
    stateFailureReason: null,
    warnings,
  };
  if (course.kind === "answer") {
    const database = await ports.database();
    const plan = await database.read((sql) => savedPlan(sql, key));
    return { ...answer, allStepsCompleted: plan.status === "done" };
  }
  return completeWith(ports, scene, request, call, answer, made);
}

export async function answeredBefore(ports: Ports, call: VerbCall): Promise<CommitAnswer | undefined> {
  if (call.requestId === undefined) return undefined;
  const database = await ports.database();
  return (await database.read((sql) => recall(sql, call)))?.answer as CommitAnswer | undefined;
}

export const callOf = (
  key: string,
  { step, caller, message, paths, allowEmpty, requestId }: CommitRequest,
): VerbCall => ({
  verb: "commit",
  subject: [key, step, caller.worktree.id, caller.claim, message, allowEmpty ?? false, ...(paths ?? [])],
  requestId,
});

async function follow(ports: Ports, scene: Scene, request: CommitRequest, course: Course): Promise<Made> {
  if (course.kind === "commit") return makeCommit(ports, scene, request);
  const { worktree } = request.caller;
  const commits = await ports.commits();
  await commits.flush(worktree);
  return { made: await commits.read(worktree, course.commit), resumed: true };
}

/** From here on the signature is good for what was committed, and for nothing else. */
function rememberOwn(ports: Ports, { step, claim }: Scene, made: MadeCommit): void {
  const signed = signedUnder(ports.signer, made, { plan: step.plan_path, step: step.anchor, claim });
  if (signed) rememberWork(ports, signed, made);
}

async function warningsOf(
  { signer, commits }: Ports,
  { step, claim, checkout }: Scene,
  { caller, paths }: CommitRequest,
  { made, resumed }: Made,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  if (!saysOnly(made, { plan: step.plan_path, step: step.anchor, claim }, signer))
    warnings.push(
      "trailers_changed: a hook rewrote the message, so the commit no longer names its step, and a lost database could not be restored from it",
    );
  if (made.repositories.length > 0)
    warnings.push(
      `nested_repository: git keeps only which commit is checked out there, none of the files: ${made.repositories.slice(0, 5).join(", ")}`,
    );
  if (made.moved.length > 0)
    warnings.push(
      `submodule_moved: git keeps only which commit is checked out there, and others get it when it is pushed from there: ${made.moved.slice(0, 5).join(", ")}`,
    );
  if (checkout.isDetached)
    warnings.push(
      "detached_head: no branch is checked out, so nothing leads to the commit once another one is",
    );
  const left = resumed ? await (await commits()).uncommitted(caller.worktree, paths) : [];
  if (left.length > 0)
    warnings.push(
      `uncommitted_changes: an earlier call had made the commit; ${left.length} changed since and not in it: ${left.slice(0, 5).join(", ")}`,
    );
  return warnings;
}

function saysOnly(
  made: MadeCommit,
  signed: Parameters<typeof saysStep>[1],
  signer: Ports["signer"],
): boolean {
  const { plans, steps } = made;
  return (
    plans.length === 1 &&
    steps.length === 1 &&
    saysStep(made, signed) &&
    signedUnder(signer, made, signed) !== undefined
  );
}

/** The completion and the end of the intent are one transaction. A refusal is reported, and the commit stays. */
async function completeWith(
  ports: Ports,
  scene: Scene,
  request: CommitRequest,
  call: VerbCall,
  answer: CommitAnswer,
  made: MadeCommit,
): Promise<CommitAnswer> {
  const { step, claim } = scene;
  const intent = { plan_path: step.plan_path, anchor: step.anchor, claim, commit_hash: answer.commitHash };
  const withState = (done: CompleteAnswer): CommitAnswer => ({
    ...answer,
    allStepsCompleted: done.allStepsCompleted,
  });
  try {
    request.onMade?.(made);
    const { answer: done, landed } = await landAndComplete(ports, {
      operand: request.plan,
      plan: step.plan_path,
      anchor: step.anchor,
      caller: { ...request.caller, claim: request.caller.claim ?? claim },
      claim,
      commit: answer.commitHash,
      goal: await goalFor(ports, scene, request),
      async alongside(sql, result) {
        await sql.run(closeIntent, { ...intent, now: sql.now });
        const { worktree, session } = request.caller;
        await noteUnverified(
          sql,
          { ...intent, worktree: worktree.path, unverified: request.unverified },
          session,
        );
        if (result) await remember(sql, call, withState(result));
      },
    });
    request.onLanded?.(landed);
    return withState(done);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const done = await doneMeanwhile(ports, intent);
    if (done !== undefined) return { ...answer, ...done };
    request.onRefused?.(error);
    await recordFailure(ports, intent, request, error);
    return {
      ...answer,
      completed: false,
      stateUpdateFailed: true,
      stateFailureReason: `${error.code} ${error.problem}: ${error.message}`,
      warnings: [...answer.warnings, `state complete failed: ${error.message} ${error.hint}`],
    };
  }
}

/** A person who has it committed unverified has decided about the merge as well. */
async function goalFor(
  ports: Ports,
  { step, checkout }: Scene,
  { goal, unverified }: CommitRequest,
): Promise<Goal | undefined> {
  const found = goal ?? (await goalOf(ports, step.plan_path, checkout.branch));
  return found && unverified !== undefined ? { ...found, approve: async () => undefined } : found;
}

/** Of several calls for one claim at once all find the same commit, and the first of them completes the step with it. */
async function doneMeanwhile(
  ports: Ports,
  { plan_path, anchor, claim, commit_hash }: Parameters<typeof recordFailure>[1],
): Promise<Pick<CommitAnswer, "completed" | "allStepsCompleted"> | undefined> {
  const database = await ports.database();
  return database.read(async (sql) => {
    const intent = await sql.get(findIntent, { plan_path, anchor, claim });
    const step = await sql.get(findStep, { plan_path, anchor });
    if (step?.status !== "completed" || intent?.closed_at == null) return undefined;
    // A landing that was cut off is completed with where the branch went, which may be a merge of this commit.
    const isLanded = intent.branch_to !== null && intent.branch_to === step.commit_hash;
    if (intent.commit_hash !== commit_hash && !isLanded) return undefined;
    return { completed: true, allStepsCompleted: (await savedPlan(sql, plan_path)).status === "done" };
  });
}

/** Keeps the commit with its intent, so that the same call completes the step once nothing is in the way. */
async function recordFailure(
  ports: Ports,
  intent: {
    readonly plan_path: string;
    readonly anchor: string;
    readonly claim: number;
    readonly commit_hash: string;
  },
  { caller }: CommitRequest,
  failure: Failure,
): Promise<void> {
  const database = await ports.database();
  const recorded = database.write(async (sql) => {
    if ((await sql.run(recordCommit, intent)) === 0) return;
    await journal(sql, {
      event: "commit-recorded",
      plan: intent.plan_path,
      anchor: intent.anchor,
      claim: intent.claim,
      worktree: caller.worktree.path,
      session: caller.session,
      detail: { commit: intent.commit_hash, not_completed: failure.code, because: failure.message },
    });
  });
  // Git has the commit, and the next call finds it there.
  await recorded.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
  });
}
