import { type RunSettings, runSettingsOf, workflowOf } from "../agents/settings/run-settings.ts";
import { Failure } from "../domain/errors.ts";
import type { Instant } from "../domain/instant.ts";
import { plural } from "../domain/plural.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { Worktree } from "../platform/ports/repository.ts";
import type { Interruption } from "../platform/ports/interruption.ts";
import { finishIntents } from "../commits/finish-intents.ts";
import { repairOrRefuse } from "../recovery/repair/repair-damage.ts";
import { chooseScanExtent, withSentinel } from "./prepare/sentinel.ts";
import { stepZero } from "../recovery/step-zero.ts";
import { type OpenSession, openSession } from "../sessions/open-session.ts";
import { readPlan, refuseInvalid, save } from "../plans/save.ts";
import type { Waiting } from "../claims/why-nothing.ts";
import type { MergeAnswer } from "../worktrees/merge/worktree-merge.ts";
import { worktreeUse } from "../worktrees/worktree-use.ts";
import { allSettled, openEach } from "./prepare/open-each.ts";
import { runWorkers } from "./assign/run-workers.ts";
import { sessionDetails } from "./prepare/session-details.ts";
import { planToRun } from "./prepare/plan-to-run.ts";
import { ensureIntegration, type Integration } from "../commits/land/integrate.ts";
import { agentFor, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import type { RunEvent } from "./work/run-event.ts";
import { takeOver, worktreeToContinue } from "./spec/continue-build.ts";
import { type BuildRequest, decideBuild } from "./spec/decide-build.ts";
import type { FoundBuild } from "./spec/find-build.ts";
import { findSpec } from "../plans/find-spec.ts";
import { planSpec } from "./spec/plan-spec.ts";
import type { BuildReview } from "./spec/review-build.ts";
import { refuseMissingAgent, refuseUnready } from "./prepare/refuse-unready.ts";
import { type UncleanEnd, uncleanEndIn } from "../snapshots/restore-cut-short.ts";
import { enter } from "../sessions/enter.ts";
import type { CompletedStep, Tally } from "./assign/work-loop.ts";
import {
  findWorkerWorktree,
  isSetUp,
  setUpWorkerWorktree,
  type WorkerWorktree,
} from "./prepare/worker-worktree.ts";

export interface RunRequest extends BuildRequest {
  readonly plan?: string | undefined;
  readonly agent?: string | undefined;
  /** A program and its arguments instead of an agent. */
  readonly argv?: readonly string[] | undefined;
  readonly workflow?: string | undefined;
  readonly workers?: number | undefined;
  readonly worktree?: string | undefined;
  readonly maxSteps?: number | undefined;
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly leaseSeconds?: number | undefined;
  readonly graceMs?: number | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
  /** Told before a run throws after work had begun: what was done until then. */
  readonly onBroken?: ((answer: RunAnswer) => void) | undefined;
}

export interface RunAnswer {
  readonly planPath: string | null;
  readonly runId: string;
  readonly sessions: readonly string[];
  readonly branch: string | null;
  /** Why it ended. */
  readonly ended:
    | "all_completed"
    | "stuck"
    | "enough"
    | "interrupted"
    | "paused"
    | "halted"
    | "taken_over"
    | "failed"
    | "reviewed"
    | "merged";
  readonly signal: string | null;
  readonly completed: readonly CompletedStep[];
  readonly blocked: Tally["blocked"];
  readonly waiting: readonly Waiting[];
  readonly pausedUntil: Instant | null;
  readonly because: string | null;
  /** How to go on, when there is something to go on with. */
  readonly resumeWith: string | null;
  /** All is completed, and the plan's branch has work that its base has not. */
  readonly toMerge: boolean;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** What was found or done about a build that was there already, when that was all. */
  readonly review?: BuildReview;
  readonly merge?: MergeAnswer;
}

/** Drives agents through a plan until it is done, or nothing more can be done. */
export async function runPlan(ports: Ports, request: RunRequest): Promise<RunAnswer> {
  const settings = runSettingsOf(ports);
  const operand = planToRun(ports, request.plan);
  const spec = findSpec(ports, operand);
  // Before anything else says that work has begun, and ended well.
  const wayBefore = spec && chooseScanExtent(ports, spec.key);
  const planned =
    spec && (await planSpec(ports, spec, { config: configOf(settings, request, spec.key), request }));
  if (planned) return planned;
  const read = await readPlan(ports, operand);
  refuseInvalid(read);
  const asked = configOf(settings, request, read.key);
  const workflow = workflowOf(settings, asked.workflow);
  if (!workflow.perStep)
    throw new Failure(
      "run/needs-steps",
      `The workflow ${workflow.name} is not about the steps of a plan.`,
      {},
    );
  await save(ports, { plan: operand });
  const repaired = await repairOrRefuse(ports);
  await refuseUnready(ports, { settings, config: asked, workflow });
  const decision = spec && asked.worktree === undefined ? await decideBuild(ports, spec, request) : undefined;
  if (decision?.kind === "over") return decision.answer;
  const build = decision?.build;
  const config = { ...asked, worktree: asked.worktree ?? worktreeToContinue(build, asked.workers) };
  const way = wayBefore ?? chooseScanExtent(ports, read.key);
  return withSentinel(ports, read.key, async () => {
    const { open } = await stepZero(ports, way, {
      plan: read.key,
      onEvent: request.onEvent,
      interruption: request.interruption,
    });
    const undecided = open.map(({ found }) => `${found} Decide with: pawl recover`);
    const notes = [...repaired, ...(decision?.notes ?? []), ...undecided];
    return begin(ports, { operand, config, settings, request, build, notes });
  });
}

interface Beginning {
  readonly operand: string;
  readonly config: RunConfig;
  readonly settings: RunSettings;
  readonly request: RunRequest;
  /** What is there already, and is to be gone on with. */
  readonly build: FoundBuild | undefined;
  /** What people should know, what waits for them included. */
  readonly notes: readonly string[];
}

async function begin(ports: Ports, beginning: Beginning): Promise<RunAnswer> {
  const { operand, config, settings, request, build, notes } = beginning;
  const plan = config.plan!;
  // What owners who are gone had committed is finished before anything is handed out.
  await enter(ports, { finish: finishIntents });
  const runId = `r-${ports.newId()}`;
  const integration = config.worktree === undefined ? await ensureIntegration(ports, plan) : undefined;
  if (integration) await takeOver(ports, build, integration);
  const warnings: string[] = [...notes, ...(integration ? restoredNote(integration) : [])];
  const locks = await ports.locks();
  const opened = await locks.during(`run ${plan}`, () => openAll(ports, beginning, { runId, integration }));
  const sessions = await setUpAll(ports, beginning, opened);
  warnings.push(...sessions.flatMap(({ place }) => place.warnings));
  return runWorkers(ports, {
    runId,
    config,
    settings,
    operand,
    integration: integration?.branch,
    sessions: sessions.map(({ session, place, unclean }) => ({
      session,
      branch: place.branch,
      checkpoints: 0,
      resumed: false,
      unclean,
    })),
    request,
    warnings,
  });
}

/**
 * A place and a session for each worker, or none: a session in which nothing was begun is nothing to resume.
 *
 * Under the plan's lock, so what takes long comes after it. By then the sessions keep other runs out of the places.
 */
async function openAll(
  ports: Ports,
  { operand, config, settings, request }: Beginning,
  { runId, integration }: { readonly runId: string; readonly integration: Integration | undefined },
): Promise<readonly Opened[]> {
  const intended = { settings, config, workflow: workflowOf(settings, config.workflow) };
  const open = async (): Promise<Opened> => {
    const place = integration
      ? await findWorkerWorktree(ports, operand, { ...integration, interruption: request.interruption })
      : await namedWorktree(ports, config.worktree!, request.worktree !== undefined);
    if (await isSetUp(ports, place)) await refuseMissingAgent(ports, intended, place.worktree.path);
    await enter(ports, { stop: [{ worktreeId: place.worktree.id, graceMs: config.graceMs }] });
    const run = await sessionDetails(ports, { runId, config, place, base: integration?.branch });
    const unclean = await uncleanEndIn(ports, place.worktree);
    const session = await openSession(ports, { plan: operand, worktree: place.worktree, run });
    return { place, session, unclean };
  };
  return openEach(config.workers, open, ({ session }) => session.end("failed"));
}

/** Sets up all places side by side; where one cannot be, no session is left open. */
async function setUpAll(
  ports: Ports,
  { config, settings, request: { interruption } }: Beginning,
  opened: readonly Opened[],
): Promise<readonly Opened[]> {
  const intended = { settings, config, workflow: workflowOf(settings, config.workflow) };
  const setUp = async (one: Opened): Promise<Opened> => {
    const { place } = one;
    if (await isSetUp(ports, place)) return one;
    const ready = await setUpWorkerWorktree(ports, place, interruption);
    // What was cut off has not made the program yet, and the worker ends by itself.
    if (interruption?.signal() === undefined) await refuseMissingAgent(ports, intended, place.worktree.path);
    return { ...one, place: ready };
  };
  try {
    return await allSettled(opened.map((one) => () => setUp(one)));
  } catch (error) {
    for (const { session } of opened) await session.end("failed").catch(() => undefined);
    throw error;
  }
}

const restoredNote = ({ branch, restoredAt }: Integration): readonly string[] =>
  restoredAt === undefined
    ? []
    : [`${branch} was gone; it is back at ${restoredAt.slice(0, 12)}, with the work of the completed steps.`];

interface Opened {
  readonly place: WorkerWorktree;
  readonly session: OpenSession;
  readonly unclean: UncleanEnd | undefined;
}

/** What was asked for, complete with what the settings say. */
export function configOf(settings: RunSettings, request: RunRequest, plan: string): RunConfig {
  const agent = agentFor(settings, request);
  const workers = request.workers ?? 1;
  if (!Number.isSafeInteger(workers) || workers < 1 || workers > 64)
    throw new Failure("usage/wrong", "--workers is a number from 1 to 64.", { workers });
  if (request.worktree !== undefined && workers > 1)
    throw new Failure("usage/wrong", "--worktree is for one worker; leave --workers out.", {});
  return {
    plan,
    workflow: request.workflow ?? settings.workflow,
    agent,
    argv: request.argv,
    workers,
    worktree: request.worktree,
    maxSteps: request.maxSteps,
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
