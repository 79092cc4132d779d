import { type RunSettings, runSettingsOf, workflowOf } from "../agents/settings/run-settings.ts";
import { Failure } from "../domain/errors.ts";
import { BRANCH_PREFIX } from "../domain/plan-branch.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { Interruption } from "../platform/ports/interruption.ts";
import { openSession } from "../sessions/open-session.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import { worktreeUse } from "../worktrees/worktree-use.ts";
import { runWorkers } from "./assign/run-workers.ts";
import { improveLoop } from "./improve/improve-loop.ts";
import { agentFor, DEFAULT_ITERATIONS, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import type { RunEvent } from "./work/run-event.ts";
import { sessionDetails } from "./prepare/session-details.ts";
import type { RunAnswer } from "./run.ts";
import type { WorkerWorktree } from "./prepare/worker-worktree.ts";
import { addOwnWorktree, prepareOwnWorktree } from "./prepare/own-worktree.ts";
import { refuseMissingAgent, refuseUnready } from "./prepare/refuse-unready.ts";
import { enter } from "../sessions/enter.ts";

export interface ImproveRequest {
  readonly agent?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly workflow?: string | undefined;
  readonly maxIterations?: number | undefined;
  readonly focus?: string | undefined;
  readonly worktree?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly graceMs?: number | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
  readonly onBroken?: ((answer: RunAnswer) => void) | undefined;
}

/** Reviews, implements and tidies up, again and again, in a worktree of its own and without a plan. */
export async function improve(ports: Ports, request: ImproveRequest): Promise<RunAnswer> {
  const settings = runSettingsOf(ports);
  const config: RunConfig = {
    workflow: request.workflow ?? "improve",
    agent: agentFor(settings, request),
    argv: request.argv,
    workers: 1,
    worktree: request.worktree,
    maxIterations: request.maxIterations ?? DEFAULT_ITERATIONS,
    focus: request.focus,
    wait: request.wait ?? false,
    maxWaitMs: request.maxWaitMs,
    leaseSeconds: RUN_LEASE_SECONDS,
    graceMs: request.graceMs,
  };
  const workflow = workflowOf(settings, config.workflow);
  if (workflow.perStep)
    throw new Failure("run/needs-steps", `The workflow ${workflow.name} is about the steps of a plan.`, {});
  await refuseUnready(ports, { settings, config, workflow });
  return withSentinel(ports, undefined, () => begin(ports, request, config, settings));
}

async function begin(
  ports: Ports,
  request: ImproveRequest,
  config: RunConfig,
  settings: RunSettings,
): Promise<RunAnswer> {
  const runId = `r-${ports.newId()}`;
  const locks = await ports.locks();
  // The session keeps others out of the place, so its set-up needs no lock that they would wait for.
  const { session, found } = await locks.during("run improve", async () => {
    const chosen = await placeFor(ports, request);
    const { worktree } = chosen.place;
    // What a set-up may still make cannot be missed yet.
    if (!chosen.isNew || ports.settings.worktree_setup === undefined)
      await refuseMissingAgent(
        ports,
        { settings, config, workflow: workflowOf(settings, config.workflow) },
        worktree.path,
      );
    await enter(ports, { stop: [{ worktreeId: worktree.id, graceMs: config.graceMs }] });
    const details = { runId, config, place: chosen.place, base: undefined, kind: "improve" } as const;
    const run = await sessionDetails(ports, details);
    return { found: chosen, session: await openSession(ports, { worktree, run }) };
  });
  const place = await setUp(ports, found, { settings, config, request }).catch(async (error: unknown) => {
    await session.end("failed").catch(() => undefined);
    throw error;
  });
  return runWorkers(ports, {
    runId,
    config,
    settings,
    operand: undefined,
    integration: undefined,
    sessions: [{ session, branch: place.branch, checkpoints: 0, resumed: false }],
    request,
    warnings: place.warnings,
    loop: improveLoop,
  });
}

interface FoundPlace {
  readonly place: WorkerWorktree & { readonly newBranchAt?: string | undefined };
  /** Undefined for a worktree that a person named, which is taken as it is. */
  readonly isNew: boolean | undefined;
}

async function setUp(
  ports: Ports,
  { place, isNew }: FoundPlace,
  { settings, config, request }: { settings: RunSettings; config: RunConfig; request: ImproveRequest },
): Promise<WorkerWorktree> {
  const { interruption } = request;
  const ready = isNew === undefined ? place : await prepareOwnWorktree(ports, place, { isNew, interruption });
  // What was cut off has not made the program yet, and the worker ends by itself.
  if (interruption?.signal() !== undefined) return ready;
  const workflow = workflowOf(settings, config.workflow);
  await refuseMissingAgent(ports, { settings, config, workflow }, place.worktree.path);
  return ready;
}

/** The worktree that was named, else `improve`, `improve-2` … : the first in which nobody works. */
async function placeFor(
  ports: Ports,
  { worktree: path }: Pick<ImproveRequest, "worktree">,
): Promise<FoundPlace> {
  const worktrees = await ports.worktrees();
  const useOf = await worktreeUse(ports);
  const listed = await worktrees.list();
  if (path !== undefined) {
    const worktree = ports.repository.worktree(path);
    const entry = listed.find((one) => one.path === worktree.path);
    if (entry && useOf(entry).state === "running")
      throw new Failure("run/worktree-in-use", `A session is running in ${worktree.path}.`, {
        worktree_path: path,
      });
    return { place: { worktree, branch: entry?.branch, warnings: [] }, isNew: undefined };
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "improve" : `improve-${number}`;
    const branch = `${BRANCH_PREFIX}${name}`;
    const present = listed.find((one) => one.branch === branch && !one.isMissing);
    if (present && useOf(present).state !== "free") continue;
    const place = present
      ? { worktree: ports.repository.worktree(present.path), branch, warnings: [] }
      : await addOwnWorktree(ports, name, listed);
    return { place, isNew: present === undefined };
  }
}
