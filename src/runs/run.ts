import { ensureIntegration, finishIntents, type Integration } from "../commits/index.ts";
import { Failure, plural, toInstant } from "../domain/index.ts";
import { ensureSaved, findSpec, loadGrow, type OpenedPlan, openPlan, refuseInvalid } from "../plans/index.ts";
import { type RunSettings, runSettingsOf, workflowOf } from "../agents/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import { enter } from "../sessions/index.ts";
import { worktreeUse } from "../worktrees/index.ts";
import type { RunAnswer, RunCallbacks } from "./finish/run-answer.ts";
import { openAndRun } from "./prepare/open-sessions.ts";
import { planToRun } from "./prepare/plan-to-run.ts";
import { refuseUnready } from "./prepare/refuse-unready.ts";
import { agentsFor, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import type { RecoveryDecider, RunRecovery } from "./prepare/run-recovery.ts";
import { chooseScanExtent, type ScanExtent, withSentinel } from "./prepare/sentinel.ts";
import { findWorkerWorktree, type WorkerWorktree } from "./prepare/worker-worktree.ts";
import { takeOver, worktreeToContinue } from "./spec/continue-build.ts";
import { type BuildRequest, decideBuild } from "./spec/decide-build.ts";
import type { FoundBuild } from "./spec/find-build.ts";
import { planSpec } from "./spec/plan-spec.ts";

export interface RunRequest extends BuildRequest, RunCallbacks {
  readonly plan?: string | undefined;
  readonly agent?: string | undefined;
  /** A program and its arguments instead of an agent. */
  readonly argv?: readonly string[] | undefined;
  readonly workflow?: string | undefined;
  readonly workers?: number | undefined;
  readonly worktree?: string | undefined;
  readonly maxSteps?: number | undefined;
  /** In dollars. */
  readonly maxCost?: number | undefined;
  readonly maxMinutes?: number | undefined;
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly leaseSeconds?: number | undefined;
  readonly graceMs?: number | undefined;
  /** A person who is asked before the run begins; without one, what cannot be proven waits. */
  readonly decider?: RecoveryDecider | undefined;
}

/** Drives agents through a plan until it is done, or nothing more can be done. */
export async function run(ports: Ports, request: RunRequest, recovery: RunRecovery): Promise<RunAnswer> {
  const settings = runSettingsOf(ports);
  const operand = await planToRun(ports, request.plan);
  const spec = findSpec(ports, operand);
  // Before anything else says that work has begun, and ended well.
  const extentBefore = spec && (await chooseScanExtent(ports, spec.key));
  const planned = spec && (await planSpec(ports, spec, configOf(settings, request, spec.key), request));
  if (planned) return planned;
  const opened = await openPlan(ports, operand);
  const read = await opened.read();
  refuseInvalid(read);
  const asked = configOf(settings, request, read.key);
  const workflow = workflowOf(settings, asked.workflow);
  if (!workflow.perStep)
    throw new Failure(
      "run/needs-steps",
      `The workflow ${workflow.name} is not about the steps of a plan.`,
      {},
    );
  const { planChanged } = await ensureSaved(ports, read);
  const repaired = await recovery.repairDamage(read.key);
  await refuseUnready(ports, { settings, config: asked, workflow });
  const decision = spec && asked.worktree === undefined ? await decideBuild(ports, spec, request) : undefined;
  if (decision?.kind === "over") return decision.answer;
  const build = decision?.build;
  const config = { ...asked, worktree: asked.worktree ?? worktreeToContinue(build, asked.workers) };
  const extent = extentBefore ?? (await chooseScanExtent(ports, read.key));
  return withSentinel(ports, read.key, async () => {
    const undecided = await recoverFirst(extent, read.key, request, recovery);
    const warnings = [...repaired, ...(decision?.notes ?? []), ...undecided];
    return work(ports, { opened, operand, config, request, build, warnings, planChanged });
  });
}

/** Repairs what the last run left, once. Answers what people should know of it, and what still waits for them. */
async function recoverFirst(
  extent: ScanExtent,
  plan: string,
  { decider, onEvent, interruption }: RunRequest,
  { beforeRun }: RunRecovery,
): Promise<readonly string[]> {
  // Who is asked at a terminal hears of repairs in lines: events would draw over the questions.
  const listening = decider ?? { onEvent };
  const { open, continued } = await beforeRun(extent, { plan, interruption, ...listening });
  return [
    ...continued.map(({ found }) => `${found} This run continues it.`),
    ...open.map(({ found }) => `${found} Decide with: pawl recover`),
  ];
}

interface Work {
  /** The plan as it was read, once for the whole run. */
  readonly opened: OpenedPlan;
  readonly operand: string;
  readonly config: RunConfig;
  readonly request: RunRequest;
  /** What is there already, and is to be gone on with. */
  readonly build: FoundBuild | undefined;
  /** What people should know, what waits for them included. */
  readonly warnings: readonly string[];
  /** Its state was made from another text. */
  readonly planChanged: boolean;
}

/** Opens a session for each worker, on the plan's branch or in the worktree that a person named, and runs them. */
async function work(
  ports: Ports,
  { opened, operand, config, request, build, warnings, planChanged }: Work,
): Promise<RunAnswer> {
  const plan = opened.key;
  const { interruption } = request;
  // What owners who are gone had committed is finished before anything is handed out.
  await enter(ports, { finish: finishIntents });
  if (planChanged) await takeOverEdits(ports, operand, request);
  const integration = config.worktree === undefined ? await ensureIntegration(ports, plan) : undefined;
  if (integration) await takeOver(ports, build, integration);
  return openAndRun(ports, {
    config,
    kind: "run",
    operand,
    integration: integration?.branch,
    lock: `run ${plan}`,
    choose: () =>
      integration
        ? findWorkerWorktree(ports, operand, { ...integration, opened, interruption })
        : namedWorktree(ports, config.worktree!, request.worktree !== undefined),
    request,
    warnings: [...warnings, ...(integration ? restoredNote(integration) : [])],
  });
}

/** Before worktrees are chosen: one that has the work of a step which waits for a decision is left alone. */
async function takeOverEdits(ports: Ports, operand: string, { onEvent }: RunRequest): Promise<void> {
  const { grow } = await loadGrow();
  const { grown, notes } = await grow(ports, ports.plans.locate(operand));
  const at = toInstant(ports.clock.wallMs());
  if (grown && notes[0] !== undefined) onEvent?.({ worker: 1, at, event: "note", text: notes[0] });
}

const restoredNote = ({ branch, restoredAt }: Integration): readonly string[] =>
  restoredAt === undefined
    ? []
    : [`${branch} was gone; it is back at ${restoredAt.slice(0, 12)}, with the work of the completed steps.`];

/** What was asked for, complete with what the settings say. */
export function configOf(settings: RunSettings, request: RunRequest, plan: string): RunConfig {
  const workers = request.workers ?? 1;
  if (!Number.isSafeInteger(workers) || workers < 1 || workers > 64)
    throw new Failure("usage/wrong", "--workers is a number from 1 to 64.", { workers });
  if (request.worktree !== undefined && workers > 1)
    throw new Failure("usage/wrong", "--worktree is for one worker; leave --workers out.", {});
  return {
    plan,
    workflow: request.workflow ?? settings.workflow,
    ...agentsFor(settings, request),
    argv: request.argv,
    workers,
    worktree: request.worktree,
    maxSteps: request.maxSteps,
    maxCost: request.maxCost,
    maxMinutes: request.maxMinutes,
    wait: request.wait ?? false,
    maxWaitMs: request.maxWaitMs,
    leaseSeconds: request.leaseSeconds ?? RUN_LEASE_SECONDS,
    graceMs: request.graceMs,
  };
}

/** A worktree that a person named: two sessions in one would write over each other. */
async function namedWorktree(ports: Ports, path: string, isNamed: boolean): Promise<WorkerWorktree> {
  const worktree = ports.repository.worktree(path);
  const listed = (await (await ports.worktrees()).list()).find((one) => one.path === worktree.path);
  const use = listed && (await worktreeUse(ports))(listed);
  if (use?.state === "running")
    throw new Failure("run/worktree-in-use", `Session ${use.session!.id} is running in ${worktree.path}.`, {
      session_id: use.session!.id,
      worktree_path: worktree.path,
    });
  if (isNamed && use?.state !== "held" && use?.state !== "interrupted") await refuseDirty(ports, worktree);
  return { worktree, branch: listed?.branch, warnings: [] };
}

/** A step's commit takes in everything that changed: what a person has not committed would become part of it. */
async function refuseDirty(ports: Ports, worktree: Worktree): Promise<void> {
  const dirty = await (await ports.commits()).uncommitted(worktree, undefined);
  if (dirty.length === 0) return;
  const some = dirty.slice(0, 5).join(", ");
  throw new Failure(
    "run/worktree-dirty",
    `${worktree.path} has ${plural(dirty.length, "uncommitted file")}, which would become part of a step: ${some}.`,
    { worktree_path: worktree.path, files: dirty.slice(0, 100) },
  );
}
