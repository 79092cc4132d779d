import { bareAnchor, BRANCH_PREFIX, canMove, Failure, isHeld } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import {
  type Evidence,
  listVerdicts,
  worktreeToVerify,
  type WorktreeToVerify,
} from "../verification/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { claim } from "../claims/index.ts";
import { freeHeldStep, lockedStep, savedStep } from "../plans/index.ts";
import { journal } from "../journal/index.ts";
import { blockStep } from "./finish/block-step.ts";
import type { Blocked } from "./finish/step-end.ts";
import { type ClaimedStep, keptWorkOf, release, retry } from "../steps/index.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import { enter, lastSessionOf } from "../sessions/index.ts";
import { readyWorktree } from "./assign/ready-worktree.ts";
import { restoreKeptWork } from "./land/kept-work.ts";
import { findWorkerWorktree } from "./prepare/worker-worktree.ts";
import { readConfig, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import { type NewSessions, openAndRun } from "./prepare/open-sessions.ts";
import { waitOutPause } from "./assign/wait-for-agent.ts";
import type { LoopEnd, RunCallbacks, Tally } from "./finish/run-answer.ts";
import { workStep } from "./work/work-step.ts";
import { type Worker, workerCaller } from "./work/worker.ts";
import { worktreeUse } from "../worktrees/index.ts";
import { runSettingsOf } from "../agents/index.ts";

export interface VerifyRequest extends RunCallbacks {
  readonly plan: string;
  readonly step: string;
  /** Where the work is; where it was last done when left out. */
  readonly worktree?: string | undefined;
  /** Who verifies where an agent does; the agent that did the step when left out. */
  readonly agent?: string | undefined;
}

export interface VerifyAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly outcome: "passed" | "failed" | "timed_out" | "interrupted" | "paused";
  readonly because: string;
  readonly completed: boolean;
  readonly commit: string | null;
  readonly evidence: readonly Evidence[];
}

/**
 * Verifies a step now, in the worktree where its work is, with the longer limit. What passes is committed and
 * completed as in a run; what does not is blocked for a person, with the evidence.
 */
export async function verifyNow(ports: Ports, request: VerifyRequest): Promise<VerifyAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const anchor = bareAnchor(request.step);
  // What a dead verifier left running would judge beside this one.
  await enter(ports, { stop: [{ plan: key, anchor }] });
  const database = await ports.database();
  const where = { plan: key, anchor, worktree: request.worktree };
  const place = await worktreeToVerify(ports, await worktreeUse(ports), where).catch(
    async (error: unknown) =>
      (isElsewhere(error) ? await placeOfKept(ports, where) : undefined) ?? Promise.reject(error),
  );
  const { step, last } = place;
  if (step.status === "blocked") await putBack(ports, request.plan, step);
  const settings = runSettingsOf(ports);
  const before = last?.configuration ? readConfig(last.configuration) : undefined;
  const config: RunConfig = {
    plan: key,
    workflow: before?.workflow ?? settings.workflow,
    agent: request.agent ?? before?.agent ?? settings.agent ?? "command",
    argv: request.agent === undefined ? before?.argv : undefined,
    workers: 1,
    wait: false,
    leaseSeconds: RUN_LEASE_SECONDS,
  };
  const run = () =>
    openAndRun(ports, {
      config,
      kind: "verify",
      operand: request.plan,
      integration: last?.base ?? undefined,
      ...wayOf(ports, request, place),
      request,
      warnings: [],
      only: anchor,
    });
  const answer = await withSentinel(ports, key, run);
  const [done] = answer.completed;
  const verdict = (await database.read((sql) => sql.all(listVerdicts, { plan_path: key, anchor }))).at(-1);
  const ended = answer.ended === "interrupted" || answer.ended === "paused" ? answer.ended : undefined;
  return {
    planPath: key,
    anchor,
    outcome: ended ?? (done ? "passed" : unfinishedOutcome(verdict?.outcome)),
    because:
      ended === "interrupted"
        ? "stopped before there was a verdict; no attempt is counted, and the work stays where it is"
        : (answer.because ??
          // Work that passed its checks and still did not land is blocked for another reason than its verdict's.
          (!done && verdict?.outcome === "passed" ? answer.blocked[0]?.note : verdict?.because) ??
          answer.blocked[0]?.note ??
          ""),
    completed: done !== undefined,
    commit: done?.commit ?? null,
    evidence: JSON.parse(verdict?.evidence ?? "[]") as readonly Evidence[],
  };
}

/** The checks may have passed although the step is not completed, as when it conflicts with what landed meanwhile. */
const unfinishedOutcome = (outcome: "passed" | "failed" | "timed_out" | undefined): "failed" | "timed_out" =>
  outcome === "timed_out" ? "timed_out" : "failed";

/** Why a step's own worktree cannot be used to verify it, although its work may be kept. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "verify/moved-on",
  "worktree/not-found",
  "run/worktree-in-use",
]);

const isElsewhere = (error: unknown): boolean => error instanceof Failure && ELSEWHERE.has(error.problem);

interface KeptPlace {
  readonly step: StepRow;
  readonly last: SessionRow;
  /** The plan's branch, on which the work is put. */
  readonly integration: string;
}

/** Where work is verified whose worktree moved on or is gone: in any worktree of a worker, from what was kept of it. */
export async function placeOfKept(
  ports: Ports,
  {
    plan,
    anchor,
    worktree,
  }: { readonly plan: string; readonly anchor: string; readonly worktree?: string | undefined },
): Promise<KeptPlace | undefined> {
  if (worktree !== undefined) return undefined;
  const database = await ports.database();
  return database.read(async (sql) => {
    const step = await savedStep(sql, plan, anchor);
    const last = await sql.get(lastSessionOf, { plan_path: plan, anchor });
    const kept = await keptWorkOf(sql, plan, anchor);
    if (kept === undefined || kept.extent === "part" || !last?.base?.startsWith(BRANCH_PREFIX))
      return undefined;
    return canMove(step.status, "reverify") || step.status === "awaiting_verification"
      ? { step, last, integration: last.base }
      : undefined;
  });
}

/** In the step's own worktree as it is, or in another one that the kept work is put into first. */
function wayOf(
  ports: Ports,
  { plan, interruption }: VerifyRequest,
  place: WorktreeToVerify | KeptPlace,
): Pick<NewSessions, "choose" | "loop" | "lock"> {
  const wasBlocked = place.step.status === "blocked";
  if ("integration" in place)
    return {
      lock: `run ${place.step.plan_path}`,
      choose: () => findWorkerWorktree(ports, plan, { branch: place.integration, interruption }),
      loop: (worker, tally) => verifyKept(worker, tally, wasBlocked),
    };
  const { worktree, last } = place;
  return {
    choose: async () => ({ worktree, branch: last?.branch ?? undefined, warnings: [] }),
    loop: (worker, tally) => verifyLoop(worker, tally, { wasBlocked }),
  };
}

/** After a timeout the same attempts go on; after anything else a person has decided that the step gets new ones. */
async function putBack(ports: Ports, plan: string, seen: StepRow): Promise<void> {
  const { plan_path, anchor } = seen;
  if (seen.block_reason !== "verification_timeout") {
    await retry(ports, { plan, step: anchor, reason: "verified again" });
    return;
  }
  const database = await ports.database();
  await database.write(async (sql) => {
    const step = await lockedStep(sql, plan_path, anchor);
    await freeHeldStep(sql, step, "reverify");
    await journal(sql, { event: "reverify", plan: plan_path, anchor, claim: step.claim_seq });
  });
}

/** The same where the work is put back first, in a worktree that is brought to where the plan is. */
async function verifyKept(worker: Worker, tally: Tally, wasBlocked: boolean): Promise<LoopEnd> {
  const { known: _, ...ready } = await readyWorktree(worker);
  return verifyLoop(ready, tally, { isKept: true, wasBlocked });
}

/** One step, and of it only the verification. */
async function verifyLoop(
  worker: Worker,
  tally: Tally,
  { isKept = false, wasBlocked }: { readonly isKept?: boolean; readonly wasBlocked: boolean },
): Promise<LoopEnd> {
  const { ports, session, config } = worker;
  const answer = await claim(ports, {
    plan: worker.operand!,
    caller: { worktree: session.worktree, session: session.id },
    leaseSeconds: config.leaseSeconds,
    step: worker.only,
    start: true,
    // What is verified is what lies there.
    asItIs: true,
  });
  if (answer.anchor === null) return { kind: "stuck", waiting: answer.waiting };
  const { anchor, title, planPath } = answer;
  const held = { plan: planPath, anchor, title: title ?? anchor, claim: answer.claim! };
  if (isKept && (await restoreKeptWork(worker, held)) === undefined) {
    await release(ports, { plan: worker.operand!, step: anchor, caller: workerCaller(worker, held) });
    throw new Failure("verify/moved-on", `The kept work of ${anchor} no longer applies to the plan.`, {
      plan_path: planPath,
      anchor,
    });
  }
  const end = await workStep(worker, held, { verifyOnly: true });
  if (end.kind === "interrupted") return end;
  if (end.kind === "paused") return (await waitOutPause(worker, end)) ?? { kind: "enough" };
  if (end.kind === "completed")
    tally.completed.push({ anchor, title: held.title, commit: end.commit, durationMs: 0 });
  if (end.kind === "blocked") {
    const { reason, note, output, log } = end;
    if (wasBlocked) await blockAgain(worker, held, end);
    tally.blocked.push({ anchor, title: held.title, reason, note, output, log });
  }
  return { kind: "enough" };
}

/** A step that a person had verified again waits for a person still, and not for the next agent. */
async function blockAgain(worker: Worker, held: ClaimedStep, { reason, note }: Blocked): Promise<void> {
  const { plan, anchor } = held;
  const database = await worker.ports.database();
  const { status } = await database.read((sql) => savedStep(sql, plan, anchor));
  if (isHeld(status)) await blockStep(worker, held, undefined, { reason, note });
}
