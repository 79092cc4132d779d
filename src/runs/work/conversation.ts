import type { NamedAgent } from "../../agents/settings/run-settings.ts";
import { type Outcome, PAUSES } from "../../domain/exit-verdict.ts";
import type { CheckpointRow } from "../../platform/rows.ts";

/**
 * The agent's own conversation that a command was cut off in, to be taken up again.
 *
 * Only where the agent did not come to its own end: it was killed, or could not go on for reasons of its own. A command
 * that failed is begun anew, with what went wrong in its prompt; a conversation that is full is never gone on with.
 */
export function conversationOf(
  last: CheckpointRow | undefined,
  agent: NamedAgent | undefined,
): string | undefined {
  if (last === undefined || agent?.preset.resume === undefined || last.agent !== agent.name) return undefined;
  const { outcome } = last;
  const isCut = outcome === null || outcome === "killed" || PAUSES.has(outcome as Outcome);
  return isCut ? (last.agent_session ?? undefined) : undefined;
}
