import { BRANCH_PREFIX, Failure } from "../domain/index.ts";
import { runSettingsOf, workflowOf } from "../agents/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { worktreeUse } from "../worktrees/index.ts";
import type { RunAnswer, RunCallbacks } from "./finish/run-answer.ts";
import { improveLoop } from "./improve/improve-loop.ts";
import { openAndRun } from "./prepare/open-sessions.ts";
import { addOwnWorktree } from "./prepare/own-worktree.ts";
import { refuseUnready } from "./prepare/refuse-unready.ts";
import { agentsFor, DEFAULT_ITERATIONS, type RunConfig, RUN_LEASE_SECONDS } from "./prepare/run-config.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import { setUpWorkerWorktree, type WorkerWorktree } from "./prepare/worker-worktree.ts";

export interface ImproveRequest extends RunCallbacks {
  readonly agent?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly workflow?: string | undefined;
  readonly maxIterations?: number | undefined;
  readonly focus?: string | undefined;
  readonly worktree?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly graceMs?: number | undefined;
}

/** Reviews, implements and tidies up, again and again, in a worktree of its own and without a plan. */
export async function improve(ports: Ports, request: ImproveRequest): Promise<RunAnswer> {
  const settings = runSettingsOf(ports);
  const config: RunConfig = {
    workflow: request.workflow ?? "improve",
    ...agentsFor(settings, request),
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
  const run = () =>
    openAndRun(ports, {
      config,
      kind: "improve",
      lock: "run improve",
      choose: () => chooseWorktree(ports, request),
      request,
      warnings: [],
      loop: improveLoop,
    });
  return withSentinel(ports, undefined, run);
}

/** The worktree that was named, as it is; else `improve`, `improve-2` … : the first that is not in use. */
async function chooseWorktree(
  ports: Ports,
  { worktree: path, interruption }: ImproveRequest,
): Promise<WorkerWorktree> {
  const useOf = await worktreeUse(ports);
  const listed = await (await ports.worktrees()).list();
  if (path !== undefined) {
    const worktree = ports.repository.worktree(path);
    const entry = listed.find((one) => one.path === worktree.path);
    if (entry && useOf(entry).state === "running")
      throw new Failure("run/worktree-in-use", `A session is running in ${worktree.path}.`, {
        worktree_path: path,
      });
    return { worktree, branch: entry?.branch, warnings: [] };
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "improve" : `improve-${number}`;
    const branch = `${BRANCH_PREFIX}${name}`;
    const present = listed.find((one) => one.branch === branch && !one.isMissing);
    if (present && useOf(present).state !== "free") continue;
    const chosen = present
      ? {
          worktree: ports.repository.worktree(present.path),
          branch,
          warnings: [],
          made: { worktree: present, branch, isNew: false, newBranchAt: undefined },
        }
      : await addOwnWorktree(ports, name, listed);
    // A set-up command may take minutes; it is run when the lock is free.
    return ports.settings.worktree_setup === undefined
      ? setUpWorkerWorktree(ports, chosen, interruption)
      : chosen;
  }
}
