import type { AgentEvent } from "../domain/index.ts";
import type { Clock, CommandRequest, RunningCommand, Supervisor } from "../platform/ports/index.ts";
import { agentOutput } from "./agent-output.ts";
import type { Blanks } from "./agent-preset.ts";
import { type AgentChoice, argvOf } from "./argv-of.ts";

export interface AgentRun extends Omit<CommandRequest, "argv" | "promptBy" | "reader"> {
  readonly choice: AgentChoice;
  /** `resume` takes a conversation up again where the agent can and `blanks.session` names it; else it starts anew. */
  readonly mode: "start" | "resume";
  readonly blanks: Blanks;
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/** Starts an agent the way its preset says, and reads its output the way its preset says. */
export function runAgent(supervisor: Supervisor, clock: Clock, run: AgentRun): Promise<RunningCommand> {
  const { choice, mode, blanks, onEvent, ...request } = run;
  const { argv, promptBy } = argvOf(choice, blanks, mode);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const reader = agentOutput(choice.preset, () => ({ nowMs: clock.wallMs(), timeZone }), onEvent);
  return supervisor.start({ ...request, argv, promptBy, reader });
}
