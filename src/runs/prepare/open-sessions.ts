import { type RunSettings, runSettingsOf, workflowOf } from "../../agents/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { enter, openSession, type RunDetails } from "../../sessions/index.ts";
import { type UncleanEnd, uncleanEndIn } from "../../snapshots/index.ts";
import { type OpenedSession, runWorkers, type WorkersToRun } from "../assign/run-workers.ts";
import type { RunAnswer } from "../finish/run-answer.ts";
import { allSettled, openEach } from "./open-each.ts";
import { refuseMissingAgent } from "./refuse-unready.ts";
import { isSetUp, setUpWorkerWorktree, type WorkerWorktree } from "./worker-worktree.ts";

/** Sessions that are still to be opened, and what is done in them. */
export interface NewSessions extends Omit<WorkersToRun, "runId" | "settings" | "sessions"> {
  readonly kind: RunDetails["kind"];
  /** False for work that changes nothing until it is done, and is begun anew when it was cut off. */
  readonly isResumable?: boolean;
  /** Held while worktrees are chosen: two runs that start at once would choose the same one. */
  readonly lock?: string | undefined;
  /** The worktree for one more worker. */
  readonly choose: () => Promise<WorkerWorktree>;
}

/**
 * Opens a session for each worker, or for none, and runs them until they end.
 *
 * A session in which nothing was begun is nothing to resume. What takes long comes after the lock: by then the sessions
 * keep other runs out of the worktrees.
 */
export async function openAndRun(ports: Ports, wanted: NewSessions): Promise<RunAnswer> {
  const { config, kind, lock } = wanted;
  const settings = runSettingsOf(ports);
  const runId = `r-${ports.newId()}`;
  const open = () =>
    openEach(
      config.workers,
      () => openOne(ports, { ...wanted, runId, settings }),
      ({ session }) => session.end("failed"),
    );
  const opened = lock === undefined ? await open() : await (await ports.locks()).during(lock, open);
  const ready = STARTS_AGENTS.has(kind) ? await setUpAll(ports, { ...wanted, settings }, opened) : opened;
  return runWorkers(ports, {
    ...wanted,
    runId,
    settings,
    sessions: ready,
    warnings: [...wanted.warnings, ...ready.flatMap(({ worktree }) => worktree.warnings)],
  });
}

/** These start the agents of their workflow, in a worktree that has been set up for them. */
const STARTS_AGENTS: ReadonlySet<RunDetails["kind"]> = new Set(["run", "improve"]);

interface Opened extends OpenedSession {
  readonly worktree: WorkerWorktree;
}

type Opening = NewSessions & { readonly runId: string; readonly settings: RunSettings };

async function openOne(ports: Ports, wanted: Opening): Promise<Opened> {
  const { config, kind, operand, choose } = wanted;
  const worktree = await choose();
  const at = worktree.worktree;
  if (STARTS_AGENTS.has(kind) && (await isSetUp(ports, worktree)))
    await refuseNoAgent(ports, wanted, at.path);
  await enter(ports, { stop: [{ worktreeId: at.id, graceMs: config.graceMs }] });
  const run = await detailsOf(ports, wanted, worktree);
  const unclean: UncleanEnd | null | undefined = kind === "run" ? await uncleanEndIn(ports, at) : undefined;
  const session = await openSession(ports, { plan: operand, worktree: at, run });
  return { worktree, session, branch: worktree.branch, checkpoints: 0, resumed: false, unclean };
}

/** What is kept of a run with each of its sessions. */
async function detailsOf(
  ports: Ports,
  { runId, config, kind, integration, isResumable = true }: Opening,
  { branch }: WorkerWorktree,
): Promise<RunDetails> {
  const { logFolder } = await ports.running();
  return {
    runId,
    kind,
    workflow: config.workflow,
    agent: config.agent,
    branch,
    base: integration,
    focus: config.focus,
    configuration: isResumable ? JSON.stringify(config) : undefined,
    logFolder,
  };
}

/** Sets up all worktrees side by side; where one cannot be, no session is left open. */
async function setUpAll(
  ports: Ports,
  wanted: Omit<Opening, "runId">,
  opened: readonly Opened[],
): Promise<readonly Opened[]> {
  const { interruption } = wanted.request;
  const setUp = async (one: Opened): Promise<Opened> => {
    if (await isSetUp(ports, one.worktree)) return one;
    const worktree = await setUpWorkerWorktree(ports, one.worktree, interruption);
    // What was cut off has not made the program yet, and the worker ends by itself.
    if (interruption?.signal() === undefined) await refuseNoAgent(ports, wanted, worktree.worktree.path);
    return { ...one, worktree };
  };
  try {
    return await allSettled(opened.map((one) => () => setUp(one)));
  } catch (error) {
    for (const { session } of opened) await session.end("failed").catch(() => undefined);
    throw error;
  }
}

const refuseNoAgent = (ports: Ports, { settings, config }: Omit<Opening, "runId">, folder: string) =>
  refuseMissingAgent(ports, { settings, config, workflow: workflowOf(settings, config.workflow) }, folder);
