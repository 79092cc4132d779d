import type { Ports } from "../../ports/index.ts";
import type { RunDetails } from "../open-session.ts";
import type { RunConfig } from "./run-config.ts";
import type { WorkerPlace } from "./worker-place.ts";

/** What is kept of a run with each of its sessions. */
export async function detailsOf(
  ports: Ports,
  given: {
    readonly runId: string;
    readonly config: RunConfig;
    readonly place: WorkerPlace;
    readonly base: string | undefined;
    readonly kind?: RunDetails["kind"];
  },
): Promise<RunDetails> {
  const { runId, config, place, base, kind = "run" } = given;
  const { logFolder } = await ports.running();
  return {
    runId,
    kind,
    workflow: config.workflow,
    agent: config.agent,
    branch: place.branch,
    base,
    focus: config.focus,
    configuration: JSON.stringify(config),
    logFolder,
  };
}
