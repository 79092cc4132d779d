import { Failure } from "../../domain/index.ts";
import { integrate } from "../../commits/index.ts";
import type { Worker } from "../work/worker.ts";

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
    worker.report({ event: "note", text: `${remote} could not be fetched: ${error.message}` });
  }
  const theirs = `refs/remotes/${remote}/${integration}`;
  const commit = (await branches.commits([theirs])).get(theirs);
  if (commit !== undefined) await bring(worker, commit, `${remote}/${integration}`);
}

async function bring(
  { ports, plan, integration, report }: Worker,
  commit: string,
  from: string,
): Promise<void> {
  try {
    await integrate(ports, { plan: plan!, branch: integration!, commit, from });
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "merge/conflicts") throw error;
    report({ event: "note", text: error.message });
  }
}
