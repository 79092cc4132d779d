import { bareAnchor, Failure, HELD_STATUSES, isHeld } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { listOpenDependencies } from "./sql/list-open-dependencies.ts";
import { startStep } from "./sql/start-step.ts";
import { takeSubstep } from "./sql/take-substep.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { numberOf, ownerParams, ownsIt, whyRefused } from "./owned-step.ts";
import { lockedStep, ownerAnchor, savedPlan, savedStep, transact } from "../plans/index.ts";

export interface StartRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
}

export interface StartAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly started: boolean;
}

/** The owner begins to work on a claimed step, or on one of its substeps. */
export async function start(ports: Ports, request: StartRequest): Promise<StartAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const { caller } = request;
  const subject = [key, bareAnchor(request.step), caller.worktree.id, caller.claim];
  const call = { verb: "start", subject, requestId: request.requestId, atOnce: true };
  return transact(ports, call, async (sql) => {
    const [step] = await Promise.all([lockedStep(sql, key, request.step), savedPlan(sql, key)]);
    await begin(sql, step, caller);
    return { planPath: key, anchor: step.anchor, started: true };
  });
}

/** Moves a claimed step to in progress; refuses everybody but its owner. */
export async function begin(sql: Sql, step: StepRow, caller: Caller): Promise<void> {
  await refuseOpenDependencies(sql, step, caller);
  // A substep that was reset while its step is held belongs to the step's owner all the same.
  if (step.parent_anchor !== null && step.status === "pending") await adopt(sql, step, caller);
  const changed = await sql.run(startStep, { ...ownerParams(step, caller), now: sql.now });
  if (changed === 0) throw await whyRefused(sql, step, caller, ["claimed"], "start");
  await journal(sql, {
    event: "started",
    plan: step.plan_path,
    anchor: step.anchor,
    claim: await numberOf(sql, step, caller),
    worktree: caller.worktree.path,
    session: caller.session,
  });
}

async function adopt(sql: Sql, substep: StepRow, caller: Caller): Promise<void> {
  const parent = await savedStep(sql, substep.plan_path, ownerAnchor(substep));
  // Also by its number: `complete` keeps the result of a late owner, and with it whatever was written until then.
  if (!isHeld(parent.status) || !ownsIt(parent, caller)) return;
  await sql.run(takeSubstep, {
    plan_path: substep.plan_path,
    anchor: substep.anchor,
    parent_anchor: parent.anchor,
    seen_status: substep.status,
    event: "claimed",
  });
}

/** A worker that lost the step learns that first: it must stop, and what it brings must be kept. */
export async function refuseOpenDependencies(sql: Sql, step: StepRow, caller: Caller): Promise<void> {
  if (step.unmet_deps === 0) return;
  const refusal = await whyRefused(sql, step, caller, HELD_STATUSES, "work");
  if (refusal.problem === "claim/fenced-off" || refusal.problem === "claim/not-owner") throw refusal;
  const open = await sql.all(listOpenDependencies, { plan_path: step.plan_path, anchor: step.anchor });
  const anchors = open.map((row) => row.depends_on);
  throw new Failure("step/dependencies-open", `${step.anchor} waits for ${anchors.join(", ")}.`, {
    plan_path: step.plan_path,
    anchor: step.anchor,
    blocked_by: anchors,
  });
}
