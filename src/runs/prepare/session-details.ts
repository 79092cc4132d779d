import type { Ports } from "../../platform/ports/index.ts";
import type { RunDetails } from "../../sessions/open-session.ts";
import type { RunConfig } from "./run-config.ts";
import type { WorkerWorktree } from "./worker-worktree.ts";

/** What is kept of a run with each of its sessions. */
export async function sessionDetails(
  ports: Ports,
  given: {
    readonly runId: string;
    readonly config: RunConfig;
    readonly place: WorkerWorktree;
    readonly base: string | undefined;
    readonly kind?: RunDetails["kind"];
    /** False for work that changes nothing until it is done, and is begun anew when it was cut off. */
    readonly isResumable?: boolean;
  },
): Promise<RunDetails> {
  const { runId, config, place, base, kind = "run", isResumable = true } = given;
  const { logFolder } = await ports.running();
  return {
    runId,
    kind,
    workflow: config.workflow,
    agent: config.agent,
    branch: place.branch,
    base,
    focus: config.focus,
    configuration: isResumable ? JSON.stringify(config) : undefined,
    logFolder,
  };
}
