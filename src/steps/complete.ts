import { bareAnchor, Failure, isOpenItem, plural } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import {
  completeItems,
  completeSubstepsByProof,
  listStepItems,
  listSubsteps,
  lockedStep,
  meetDependents,
  notSaved,
  type OpenStepWork,
  rememberFormat,
  savedStep,
  transact,
  updatePlanStatus,
} from "../plans/index.ts";
import { completeStep } from "./sql/complete-step.ts";
import { findPlanForCompletion } from "./sql/find-plan-for-completion.ts";
import type { StepRow } from "../platform/index.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { holdLateCommit, keepLateResult, type LateResult } from "./late-result.ts";
import { numberOf, ownerParams, whyRefused } from "./owned-step.ts";
import { begin, refuseOpenDependencies } from "./start.ts";

export interface CompleteRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  readonly commit?: string | undefined;
  /** Completes although items or substeps are open; stays visible for ever. */
  readonly forceReason?: string | undefined;
  /** Set by callers that made the commit themselves: git need not be asked whether it exists. */
  readonly commitIsKnown?: boolean | undefined;
  /**
   * Done in the same transaction, after everything else. Without an answer the result came too late: it is kept, and
   * the step is not completed.
   */
  readonly alongside?: ((sql: Sql, answer: CompleteAnswer | undefined) => Promise<void>) | undefined;
}

export interface CompleteAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly completed: boolean;
  readonly forced: boolean;
  readonly commit: string | null;
  /** Whether this clone has the commit; null when none was named, or git could not be asked. */
  readonly commitKnown: boolean | null;
  /** The remote branch that holds the commit, where other machines share the state; null when none does yet. */
  readonly commitRef: string | null;
  readonly allStepsCompleted: boolean;
}

/** Plain data, because a request id stores it. */
type Result =
  | { readonly done: true; readonly answer: CompleteAnswer }
  | {
      readonly done: false;
      readonly refused: Pick<Failure, "problem" | "message" | "details" | "hint">;
      readonly late: LateResult;
    };

/**
 * The owner is done with a step or substep.
 *
 * Strict: every item is finished or deferred with a reason, every substep completed. An owner that was fenced off
 * changes nothing, but what it brings is kept: the refusal and the record of it are one transaction.
 */
export async function complete(ports: Ports, asked: CompleteRequest): Promise<CompleteAnswer> {
  const { caller, forceReason } = asked;
  refuseEmptyReason(forceReason);
  const commit = await hashOf(ports, asked);
  const request = { ...asked, commit };
  const location = ports.plans.locate(request.plan);
  const known = await commitKnown(ports, request);
  // What a completion names is on the disk before the completion is: the database survives a power cut for certain.
  if (known === true) await ports.git.flush([commit!]);
  const commitRef = await sharedBranch(ports, commit);
  const subject = [
    location.key,
    bareAnchor(request.step),
    caller.worktree.id,
    caller.claim,
    commit,
    forceReason,
  ];
  const result = await transact<Result>(
    ports,
    { verb: "complete", subject, requestId: request.requestId, atOnce: true },
    async (sql) => {
      // The plan and the open work are read under the step's lock: a writer of the plan takes that first.
      const [step, around] = await Promise.all([
        lockedStep(sql, location.key, request.step),
        sql.get(findPlanForCompletion, {
          plan_path: location.key,
          anchor: bareAnchor(request.step),
          most: LAST_STEPS + 1,
        }),
      ]);
      const plan = rememberFormat(sql, around ?? notSaved(location.key));
      try {
        const answer = { ...(await finish(sql, step, plan, request, commitRef)), commitKnown: known };
        await request.alongside?.(sql, answer);
        return { done: true, answer };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const late = await keepLateResult(sql, step, caller, commit, error);
        if (!late) throw error;
        await request.alongside?.(sql, undefined);
        const { problem, message, details, hint } = error;
        return { done: false, refused: { problem, message, details, hint }, late };
      }
    },
  );
  if (result.done) return result.answer;
  const { refused, late } = result;
  const heldRef = await holdLateCommit(ports, location.key, late);
  const kept = heldRef === undefined ? "What you brought is recorded" : `Your commit is kept at ${heldRef}`;
  throw new Failure(
    refused.problem,
    `${refused.message} ${kept}.`,
    { ...refused.details, late_result_kept: true, held_ref: heldRef ?? null },
    { hint: refused.hint },
  );
}

/** A hash that is not here may be a slip of the pen, or wait on another machine: it is reported and not refused. */
async function commitKnown(ports: Ports, request: CompleteRequest): Promise<boolean | null> {
  if (request.commit === undefined) return null;
  if (request.commitIsKnown) return true;
  try {
    return (await ports.git.commitExists(request.commit)) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Others can only build on a commit that they can fetch; where no other clone reads, it does not matter. */
async function sharedBranch(ports: Ports, commit: string | undefined): Promise<string | null> {
  if (!ports.storeIsShared || commit === undefined) return null;
  const known = await ports.git.commitExists(commit);
  if (known === undefined) return null;
  return (await ports.git.remoteBranchOf(known, ports.settings.remote)) ?? null;
}

/**
 * The hash of the commit that the caller names: `HEAD` and the like mean what they mean in the caller's worktree.
 *
 * A hash is taken as it is, because it may be of a commit that waits on another machine. Git prints hashes in small
 * letters, and they are compared with what git prints.
 */
async function hashOf(ports: Ports, { commit, caller }: CompleteRequest): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  if (/^[0-9a-f]{4,64}$/i.test(commit)) return commit.toLowerCase();
  const hash = await ports.git.commitExists(commit, caller.worktree);
  if (hash === undefined)
    throw new Failure("commit/invalid", `"${commit}" is not a commit here, nor the hash of one.`, { commit });
  return hash;
}

function refuseEmptyReason(forceReason: string | undefined): void {
  if (forceReason !== undefined && forceReason.trim() === "") {
    throw new Failure(
      "reason/required",
      "Completing by force needs a reason.",
      {},
      { hint: "Say why, in quotes behind the option." },
    );
  }
}

/** More than complete at one moment. While more are open the plan cannot be done, and no caller has to wait to say so. */
const LAST_STEPS = 64;

async function finish(
  sql: Sql,
  seen: StepRow,
  open: OpenStepWork & { readonly open_steps: number },
  { caller, commit, forceReason }: CompleteRequest,
  commitRef: string | null,
): Promise<Omit<CompleteAnswer, "commitKnown">> {
  const { plan_path, anchor } = seen;
  const forced = forceReason !== undefined;
  if (!forced) await refuseOpenDependencies(sql, seen, caller);
  const step = await begun(sql, seen, caller);
  if (!forced && open.items + open.substeps > 0) await refuseOpenWork(sql, step, caller);
  const changed = await sql.run(completeStep, {
    ...ownerParams(step, caller),
    commit_hash: commit ?? null,
    commit_ref: commitRef,
    complete_reason: forceReason ?? null,
    now: sql.now,
  });
  if (changed === 0)
    throw await whyRefused(sql, step, caller, ["in_progress", "awaiting_verification"], "complete");
  // The format that Pawl follows ticks what was open; that it was open stays in the journal.
  const openItems = forced ? await sql.run(completeItems, { plan_path, anchor, now: sql.now }) : 0;
  if (forced) {
    await completeSubstepsByProof(sql, step, { commit: commit ?? null, reason: forceReason });
  }
  if (open.dependents !== 0) sql.send(meetDependents, { plan_path, anchor });
  await journal(sql, {
    event: "completed",
    plan: plan_path,
    anchor,
    claim: await numberOf(sql, step, caller),
    worktree: caller.worktree.path,
    session: caller.session,
    detail: { commit: commit ?? null, ...(forced ? { forced: forceReason, open_items: openItems } : {}) },
  });
  const isNearEnd = open.open_steps <= LAST_STEPS;
  return {
    planPath: plan_path,
    anchor,
    completed: true,
    forced,
    commit: commit ?? null,
    commitRef,
    allStepsCompleted: isNearEnd && (await updatePlanStatus(sql, plan_path)),
  };
}

/**
 * Completes a substep that has no items, in the transaction of the caller that ticks it.
 *
 * Substeps whose items are all ticked are done, but no caller has to say so before the step ends: those that it waits for
 * are completed first.
 */
export async function completeSubstep(sql: Sql, substep: StepRow, caller: Caller): Promise<void> {
  const { plan_path, parent_anchor } = substep;
  const siblings =
    substep.unmet_deps === 0 || parent_anchor === null
      ? []
      : await sql.all(listSubsteps, { plan_path, anchor: parent_anchor });
  for (const { anchor, status } of siblings) {
    if (anchor === substep.anchor || status === "completed") continue;
    const items = await sql.all(listStepItems, { plan_path, anchor });
    if (items.length === 0 || items.some(isOpenItem)) continue;
    const ticked = await lockedStep(sql, plan_path, anchor);
    if (ticked.unmet_deps === 0) await finishSubstep(sql, ticked, caller);
  }
  await finishSubstep(sql, await lockedStep(sql, plan_path, substep.anchor), caller);
}

async function finishSubstep(sql: Sql, substep: StepRow, caller: Caller): Promise<void> {
  const { plan_path, anchor } = substep;
  const around = await sql.get(findPlanForCompletion, { plan_path, anchor, most: LAST_STEPS + 1 });
  const plan = rememberFormat(sql, around ?? notSaved(plan_path));
  await finish(sql, substep, plan, { plan: plan_path, step: anchor, caller }, null);
}

/** Work on a substep happens inside its started step; no caller has to say it twice. */
async function begun(sql: Sql, step: StepRow, caller: Caller): Promise<StepRow> {
  if (step.parent_anchor === null || (step.status !== "claimed" && step.status !== "pending")) return step;
  await begin(sql, step, caller);
  return savedStep(sql, step.plan_path, step.anchor);
}

/** Only the owner gets a list of open work; any other caller learns first that the step is not theirs. */
async function refuseOpenWork(sql: Sql, step: StepRow, caller: Caller): Promise<void> {
  const { plan_path, anchor } = step;
  const items = (await sql.all(listStepItems, { plan_path, anchor })).filter(isOpenItem);
  const substeps = (await sql.all(listSubsteps, { plan_path, anchor })).filter(
    (substep) => substep.status !== "completed",
  );
  if (items.length === 0 && substeps.length === 0) return;
  const refusal = await whyRefused(sql, step, caller, ["in_progress", "awaiting_verification"], "complete");
  if (refusal.problem !== "internal/bug") throw refusal;
  const details = {
    plan_path,
    anchor,
    incomplete_items: items.map(({ kind, ordinal, text, status }) => ({
      kind,
      ordinal: ordinal + 1,
      text,
      status,
    })),
    incomplete_substeps: substeps.map((substep) => ({
      anchor: substep.anchor,
      title: substep.title,
      status: substep.status,
    })),
  };
  const parts = [
    items.length > 0 ? plural(items.length, "open item") : "",
    substeps.length > 0 ? plural(substeps.length, "open substep") : "",
  ].filter(Boolean);
  throw new Failure(
    items.length > 0 ? "step/items-open" : "step/substeps-open",
    `${anchor} has ${parts.join(" and ")}.`,
    details,
  );
}
