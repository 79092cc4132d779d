import type { AgentEvent } from "../../domain/index.ts";
import type { CommandToRun } from "./run-command.ts";
import type { Worker } from "./worker.ts";

/**
 * Reports that an agent only waits for its model's server. It says so in words while it tries again; what it ends with
 * is in a field, and the run tells that itself.
 */
export function reportRetries(
  { report }: Pick<Worker, "report">,
  { agent, held }: Pick<CommandToRun, "agent" | "held">,
): (event: AgentEvent) => void {
  let reported: string | undefined;
  return (event) => {
    if (event.kind === "text" || event.kind === "tool") reported = undefined;
    if (event.kind !== "trouble" || agent === undefined) return;
    const { kind: trouble, from, said } = event.trouble;
    if (from !== "words" || trouble === reported) return;
    reported = trouble;
    report({ event: "retrying", step: held?.anchor, agent: agent.name, trouble, said });
  };
}
