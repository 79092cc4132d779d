import { Failure } from "../../domain/index.ts";
import { followShared } from "../../commits/index.ts";
import type { Worker } from "../work/worker.ts";

/**
 * Fetches what others have pushed, where machines share the state and a remote is configured, and brings the plan's
 * branch to where the remote has it.
 *
 * A remote that cannot be reached stops no worker: it continues with what is here, and says so.
 */
export async function fetchShared(worker: Worker): Promise<void> {
  const { ports, integration, plan } = worker;
  const { remote } = ports.settings;
  if (!ports.storeIsShared || remote === undefined || integration === undefined) return;
  const branches = await ports.branches();
  try {
    await branches.fetch(remote);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    worker.report({ event: "note", text: error.message });
  }
  await followShared(ports, { plan: plan!, branch: integration }, { isFetched: true });
}
