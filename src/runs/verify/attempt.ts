import { Failure } from "../../domain/index.ts";
import type { Sql } from "../../platform/ports/index.ts";
import {
  countAttempt,
  countAttempts,
  insertAttempt,
  insertVerdict,
  MOST_ATTEMPTS,
  type StepCheck,
  uncountAttempt,
  type Verdict,
} from "../../verification/index.ts";
import {
  type Caller,
  type ClaimedStep,
  markAwaitingVerification,
  ownerParams,
  rejectStep,
  whyRefused,
} from "../../steps/index.ts";
import { cloneOf, joinTrain } from "../../commits/index.ts";
import { lockedStep, writeBackOrNotice } from "../../plans/index.ts";
import { journal } from "../../journal/index.ts";
import { goalOfWorker, type Worker, workerCaller, workerEntry } from "../work/worker.ts";
import { keepTreeVerdict } from "./known-verdict.ts";

/** One verification: its place in the record, and how many the limit will have counted with its verdict. */
export interface Attempt {
  readonly number: number;
  /** What people see: verifications that were cut off, or whose tree only changed, stay in the record uncounted. */
  readonly counted: number;
  readonly counts: boolean;
  /** Whether a verdict before it, which passed and was counted, no longer counts with this one. */
  readonly uncounts?: boolean;
}

/**
 * Records a verification before it starts, in the transaction that submits the step. Undefined when the step has used up
 * its attempts. `counts` is false when the last one passed and only the tree has changed since.
 *
 * It counts with its verdict. One that a kill cuts off leaves its checkpoint without an end, and those are counted by
 * themselves (`blockAfterKills`), or a verification that kills its own runner would be started for ever.
 */
export async function beginAttempt(
  worker: Worker,
  held: ClaimedStep,
  { tree, counts }: { readonly tree: string | undefined; readonly counts: boolean },
): Promise<Attempt | undefined> {
  const { ports } = worker;
  const { plan, anchor, claim } = held;
  const caller = workerCaller(worker, held);
  const database = await ports.database();
  const begun = await database.write(async (sql) => {
    const step = await lockedStep(sql, plan, anchor);
    const owner = ownerParams(step, caller);
    const limit = { counts: counts ? 1 : 0, most: MOST_ATTEMPTS };
    if ((await sql.run(markAwaitingVerification, { ...owner, ...limit })) === 0) {
      const refusal = await whyRefused(sql, step, caller, ["in_progress"], "verify");
      if (refusal.problem === "internal/bug" && step.verification_attempts >= MOST_ATTEMPTS) return undefined;
      throw refusal;
    }
    const number = ((await sql.get(countAttempts, { plan_path: plan, anchor }))?.most ?? 0) + 1;
    const row = { plan_path: plan, anchor, number, claim, tree: tree ?? null, now: sql.now };
    await sql.run(insertAttempt, { ...row, session_id: worker.session.id });
    await join(sql, worker, held);
    await journal(sql, {
      event: "submitted",
      ...workerEntry(worker, held),
      detail: { attempt: number, tree: tree ?? null, train: goalOfWorker(worker)?.branch ?? null },
    });
    return { number, counted: step.verification_attempts + (counts ? 1 : 0), counts };
  });
  await writeProgress(worker, plan);
  return begun;
}

/** What is verified waits to land from then on, in the train of the plan's branch. */
async function join(sql: Sql, worker: Worker, held: ClaimedStep): Promise<void> {
  const { ports, session } = worker;
  const goal = goalOfWorker(worker);
  if (goal === undefined) return;
  const { plan: plan_path, anchor, claim } = held;
  await sql.run(joinTrain, {
    plan_path,
    anchor,
    claim,
    branch: goal.branch,
    clone: cloneOf(ports),
    session_id: session.id,
    now: sql.now,
  });
}

/** Keeps what a verification found. Unless it passed, the step goes back to its owner in the same transaction. */
export async function endAttempt(
  worker: Worker,
  held: ClaimedStep,
  attempt: Attempt,
  verdict: Omit<Verdict, "tree"> & { readonly tree: string | undefined },
  checks: readonly StepCheck[] = [],
): Promise<void> {
  const { ports, session } = worker;
  const { plan, anchor, claim } = held;
  const caller = workerCaller(worker, held);
  const database = await ports.database();
  await database.write(async (sql) => {
    await sql.run(insertVerdict, {
      plan_path: plan,
      anchor,
      attempt: attempt.number,
      claim,
      session_id: session.id,
      outcome: verdict.outcome,
      because: verdict.because,
      evidence: JSON.stringify(verdict.evidence),
      tree: verdict.tree ?? null,
      now: sql.now,
    });
    await journal(sql, {
      event: "verified",
      ...workerEntry(worker, held),
      detail: {
        attempt: attempt.number,
        outcome: verdict.outcome,
        because: verdict.because,
        tree: verdict.tree ?? null,
      },
    });
    const { tree } = verdict;
    if (tree !== undefined)
      await keepTreeVerdict(sql, worker, held, { verdict: { ...verdict, tree }, checks });
    if (attempt.counts) await sql.run(countAttempt, { plan_path: plan, anchor, claim });
    else if (attempt.uncounts) await sql.run(uncountAttempt, { plan_path: plan, anchor, claim });
    if (verdict.outcome !== "passed") await sendBack(sql, held, caller);
  });
  await writeProgress(worker, plan);
}

/**
 * The plan's own files say where it is, unless they lie in the very tree that is judged: then each verdict would make it
 * another tree. They are brought up to date with the end of the step.
 */
async function writeProgress({ ports, session }: Worker, plan: string): Promise<void> {
  const { path = "" } = ports.plans.find(plan);
  if (path.startsWith(`${session.worktree.path}/`)) return;
  await writeBackOrNotice(ports, plan);
}

/** In a transaction of the caller's. */
export async function sendBack(
  sql: Sql,
  { plan, anchor, claim }: ClaimedStep,
  caller: Caller,
): Promise<void> {
  const step = await lockedStep(sql, plan, anchor);
  if ((await sql.run(rejectStep, ownerParams(step, caller))) === 0)
    throw await whyRefused(sql, step, caller, ["awaiting_verification"], "reject");
  await journal(sql, {
    event: "rejected",
    plan,
    anchor,
    claim,
    worktree: caller.worktree.path,
    session: caller.session,
  });
}

/**
 * The step goes back without a verdict that counts: what passed is no longer what is there, or could not be committed, or the judge
 * could not be asked or was cut off. What passed stays on record.
 */
export async function takeBack(worker: Worker, held: ClaimedStep): Promise<void> {
  const database = await worker.ports.database();
  await database.write((sql) => sendBack(sql, held, workerCaller(worker, held)));
  await writeProgress(worker, held.plan);
}

/** Whether another worker has the step by now, so that this worker has nothing more to say about it. */
export const isLoss = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.problem === "claim/fenced-off" ||
    error.problem === "claim/not-owner" ||
    error.problem === "session/over");
