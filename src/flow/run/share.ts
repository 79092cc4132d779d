import { Failure } from "../../domain/errors.ts";
import { listNeededCommits } from "../../store/statements/list-needed-commits.ts";
import { integrate, planTip } from "./integrate.ts";
import type { Held, Worker } from "./worker.ts";

/**
 * Hears what others have pushed, where machines share the state and a remote is configured, and brings the plan's
 * branch of the remote to ours.
 *
 * A remote that cannot be reached stops nobody: work goes on with what is here, and says so.
 */
export async function fetchShared(worker: Worker): Promise<void> {
  const { ports, integration } = worker;
  const { remote } = ports.settings;
  if (!ports.storeIsShared || remote === undefined || integration === undefined) return;
  const branches = await ports.branches();
  try {
    await branches.fetch(remote);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    worker.tell({ event: "note", text: `${remote} could not be fetched: ${error.message}` });
  }
  const theirs = `refs/remotes/${remote}/${integration}`;
  const commit = (await branches.commits([theirs])).get(theirs);
  if (commit !== undefined) await bring(worker, commit, `${remote}/${integration}`);
}

/** Brings the commits that a step builds on to the plan's branch; whether anything was missing there. */
export async function bringNeeded(worker: Worker, { plan, anchor }: Held): Promise<boolean> {
  const { ports, integration } = worker;
  if (!ports.storeIsShared || integration === undefined) return false;
  const database = await ports.database();
  const needed = await database.read((sql) => sql.all(listNeededCommits, { plan_path: plan, anchor }));
  const branches = await ports.branches();
  let moved = false;
  for (const { commit_hash: commit, anchor: step } of needed) {
    const tip = await planTip(ports, { plan, branch: integration });
    if ((await branches.mergeBase(tip, commit)) === commit) continue;
    moved = (await bring(worker, commit, step)) || moved;
  }
  return moved;
}

async function bring(
  { ports, plan, integration, tell }: Worker,
  commit: string,
  from: string,
): Promise<boolean> {
  try {
    await integrate(ports, { plan: plan!, branch: integration!, commit, from });
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "merge/conflicts") throw error;
    tell({ event: "note", text: error.message });
    return false;
  }
}
