import { Failure, scopeOf } from "../../domain/index.ts";
import type { KnownFiles } from "../work/checkpoint.ts";
import {
  findWorkerWorktree,
  refreshWorktree,
  setUpWorkerWorktree,
  type WorkerWorktree,
} from "../prepare/worker-worktree.ts";
import type { Worker } from "../work/worker.ts";

export interface ReadyWorker extends Worker {
  /** What lies in its worktree, as long as nothing was begun there. */
  readonly known?: KnownFiles | undefined;
}

/** How many worktrees a worker leaves as they are before it takes the repository to be at fault. */
const MOST_LEFT = 3;

/**
 * Before a new step the worktree is brought to where the plan is.
 *
 * One that cannot be (a repository was made in it, a process that Pawl cannot find keeps writing there, its `.git` is gone)
 * stays as the last step left it, and the worker continues in another one: Pawl never removes what is not saved.
 */
export async function readyWorktree(worker: Worker): Promise<ReadyWorker> {
  const { ports, session, plan, integration, interruption } = worker;
  // It may have moved since the worker was made.
  const branch = session.branch ?? worker.branch;
  if (integration === undefined || plan === undefined) return worker;
  const operand = worker.operand ?? plan;
  const note = (text: string) => worker.report({ event: "note", text });
  const left = new Set<string>();
  let place: WorkerWorktree = { worktree: session.worktree, branch, warnings: [] };
  for (;;) {
    try {
      const wanted = { plan: operand, integration, place, session: session.id, interruption, note };
      const fresh = await refreshWorktree(ports, wanted);
      if (fresh.worktree.id !== session.worktree.id) await session.moveTo(fresh.worktree, fresh.branch);
      return { ...worker, branch: fresh.branch, known: fresh.known };
    } catch (error) {
      if (!(error instanceof Failure) || scopeOf(error) === "run" || place.branch === undefined) throw error;
      // Ctrl-C in a terminal reaches git as well; nothing is begun after it.
      if (interruption.signal() !== undefined) return worker;
      left.add(place.branch);
      if (left.size > MOST_LEFT) throw error;
      note(
        `${place.worktree.path} stays as it is (${error.message}); the worker continues in another worktree.`,
      );
      place = await anotherWorktree(worker, operand, left);
      worker.report({ event: "session", session: session.id, worktree: place.worktree.path, resumed: false });
    }
  }
}

/** Under the plan's lock, and taken before it is let go: a run that starts now would choose the same one. */
async function anotherWorktree(
  { ports, plan, session, integration, interruption }: Worker,
  operand: string,
  except: ReadonlySet<string>,
): Promise<WorkerWorktree> {
  const locks = await ports.locks();
  const found = await locks.during(`run ${plan!}`, async () => {
    const place = await findWorkerWorktree(ports, operand, { branch: integration!, except, interruption });
    await session.moveTo(place.worktree, place.branch);
    return place;
  });
  return setUpWorkerWorktree(ports, found, interruption);
}
