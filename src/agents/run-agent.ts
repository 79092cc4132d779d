import type { PermissionProfile } from "../domain/index.ts";
import type { Clock, CommandRequest, RunningCommand, Supervisor } from "../platform/ports/index.ts";
import { agentOutput, type AgentListener } from "./agent-output.ts";
import type { Blanks, Grant } from "./agent-preset.ts";
import type { AgentChoice } from "./argv-of.ts";
import { composeStart } from "./compose-start.ts";

export interface AgentRun extends Omit<CommandRequest, "argv" | "promptBy" | "reader" | "file"> {
  readonly choice: AgentChoice;
  /** `resume` takes a conversation up again where the agent can and `blanks.session` names it; else it starts anew. */
  readonly mode: "start" | "resume";
  readonly blanks: Blanks;
  /** What it may do. */
  readonly profile: PermissionProfile;
  readonly grant: Grant;
  /** Reads a file that the agent's arguments name. */
  readonly read: (path: string) => string | undefined;
  readonly onEvent?: AgentListener | undefined;
}

/** Starts an agent the way its preset says, and reads its output the way its preset says. */
export function runAgent(supervisor: Supervisor, clock: Clock, run: AgentRun): Promise<RunningCommand> {
  const { choice, mode, blanks, profile, grant, read, onEvent, ...request } = run;
  const pathOf = (name: string) => `${request.logFolder}/${request.logName}.${name}`;
  const { argv, promptBy, env, file } = composeStart({ choice, blanks, mode, profile, grant, pathOf, read });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const reader = agentOutput(choice.preset, () => ({ nowMs: clock.wallMs(), timeZone }), onEvent);
  return supervisor.start({ ...request, env: { ...request.env, ...env }, argv, promptBy, file, reader });
}
