import { Failure } from "../domain/errors.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { completeItems } from "../store/statements/complete-items.ts";
import { completeStep } from "../store/statements/complete-step.ts";
import { COUNT_LIMIT, countRemaining } from "../store/statements/count-remaining.ts";
import { listStepItems } from "../store/statements/list-step-items.ts";
import { listSubsteps } from "../store/statements/list-substeps.ts";
import { meetDependents } from "../store/statements/meet-dependents.ts";
import type { ItemRow, StepRow } from "../store/statements/rows.ts";
import type { Caller, Repeatable, StepAddress } from "./caller.ts";
import { journal } from "./journal.ts";
import { keepLateResult, type LateResult } from "./late-result.ts";
import { ownerParams, whyRefused } from "./owned-step.ts";
import { currentHash, planOf, refuseChanged, lockStepOf } from "./plan-state.ts";
import { proveSubsteps } from "./prove.ts";
import { begin, refuseOpenDependencies } from "./start.ts";
import { settle } from "./settle.ts";
import { transact } from "./transact.ts";

export interface CompleteRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  readonly commit?: string | undefined;
  /** Completes although items or substeps are open; stays visible for ever. */
  readonly forceReason?: string | undefined;
}

export interface CompleteAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly completed: boolean;
  readonly forced: boolean;
  readonly commit: string | null;
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
export async function complete(ports: Ports, request: CompleteRequest): Promise<CompleteAnswer> {
  const location = ports.plans.locate(request.plan);
  const hash = currentHash(ports, location);
  const { caller, commit, forceReason } = request;
  checkInput(commit, forceReason);
  const subject = [location.key, request.step, caller.worktree.id, caller.claim, commit, forceReason];
  const result = await transact<Result>(
    ports,
    { verb: "complete", subject, requestId: request.requestId },
    async (sql) => {
      const plan = await planOf(sql, location.key);
      const step = await lockStepOf(sql, location.key, request.step);
      try {
        await refuseChanged(ports, sql, plan, location, hash);
        return { done: true, answer: await finish(sql, step, request) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const late = await keepLateResult(sql, step, caller, commit, error);
        if (!late) throw error;
        const { problem, message, details, hint } = error;
        return { done: false, refused: { problem, message, details, hint }, late };
      }
    },
  );
  if (result.done) return result.answer;
  const { refused, late } = result;
  // The record is safe already; a commit that git does not have cannot be held.
  if (late.commit) await ports.git.holdCommit(late.ref, late.commit).catch(() => undefined);
  throw new Failure(
    refused.problem,
    refused.message,
    { ...refused.details, late_result_kept: late.ref },
    { hint: refused.hint },
  );
}

function checkInput(commit: string | undefined, forceReason: string | undefined): void {
  if (forceReason !== undefined && forceReason.trim() === "") {
    throw new Failure(
      "reason/required",
      "Completing by force needs a reason.",
      {},
      { hint: 'Say why: --force "reason".' },
    );
  }
  if (commit !== undefined && !/^[0-9a-f]{4,64}$/i.test(commit)) {
    throw new Failure("commit/invalid", `"${commit}" is not the hash of a commit.`, { commit });
  }
}

/** More than complete at one moment. While more are open the plan cannot be done, and nobody has to wait to say so. */
const LAST_STEPS = 64;

async function finish(
  sql: Sql,
  step: StepRow,
  { caller, commit, forceReason }: CompleteRequest,
): Promise<CompleteAnswer> {
  const { plan_path, anchor } = step;
  const forced = forceReason !== undefined;
  if (!forced) await refuseOpenDependencies(sql, step);
  // Work on a substep happens inside its started step; nobody has to say it twice.
  if (step.parent_anchor !== null && (step.status === "claimed" || step.status === "pending"))
    await begin(sql, step, caller);
  if (!forced) await refuseOpenWork(sql, step, caller);
  const changed = await sql.run(completeStep, {
    ...ownerParams(step, caller),
    commit_hash: commit ?? null,
    complete_reason: forceReason ?? null,
    now: sql.now,
  });
  if (changed === 0)
    throw await whyRefused(sql, step, caller, ["in_progress", "awaiting_verification"], "complete");
  if (forced) {
    await sql.run(completeItems, { plan_path, anchor, now: sql.now });
    await proveSubsteps(sql, step, { commit: commit ?? null, reason: forceReason });
  }
  await sql.run(meetDependents, { plan_path, anchor });
  await journal(sql, {
    event: "completed",
    plan: plan_path,
    anchor,
    claim: caller.claim ?? step.claim_seq,
    worktree: caller.worktree.path,
    session: caller.session,
    detail: { commit: commit ?? null, ...(forced ? { forced: forceReason } : {}) },
  });
  const left = await sql.get(countRemaining, { plan_path, most: COUNT_LIMIT });
  if (left && left.open <= LAST_STEPS) await settle(sql, plan_path);
  return {
    planPath: plan_path,
    anchor,
    completed: true,
    forced,
    commit: commit ?? null,
    allStepsCompleted: left?.open === 0,
  };
}

/** Open work is told to the owner only; anybody else hears first that the step is not theirs. */
async function refuseOpenWork(sql: Sql, step: StepRow, caller: Caller): Promise<void> {
  const { plan_path, anchor } = step;
  const items = (await sql.all(listStepItems, { plan_path, anchor })).filter(isOpen);
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
    items.length > 0 ? `${items.length} open item${items.length === 1 ? "" : "s"}` : "",
    substeps.length > 0 ? `${substeps.length} open substep${substeps.length === 1 ? "" : "s"}` : "",
  ].filter(Boolean);
  throw new Failure(
    items.length > 0 ? "step/items-open" : "step/substeps-open",
    `${anchor} has ${parts.join(" and ")}.`,
    details,
  );
}

const isOpen = (item: ItemRow): boolean => item.status !== "completed" && item.status !== "deferred";
